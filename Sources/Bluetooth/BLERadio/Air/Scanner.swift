import BLECore
import BLEPackets
import MonotonicTime

/// The scanning state of a controller (Core 5.4, Vol 6 Part B 4.4.3).
struct Scanner {
    /// Scanning on one PHY.
    struct Scan {
        var isActive: Bool
        /// The scan interval, in 0.625 ms.
        var interval: UInt16
        /// The scan window, in 0.625 ms.
        var window: UInt16
        var listening = Listening(start: 0, interval: 1, window: 0)
    }

    /// One advertiser's advertisement or scan response.
    struct FilterEntry: Hashable {
        /// `nil`: anonymous.
        var address: DeviceAddress?
        var isResponse: Bool
        /// The set and its data; 0 in legacy packets.
        var identifier: UInt32
    }

    /// Core 5.4, Vol 4 Part E 7.8.10: the defaults.
    var ownAddressType = HCIOwnAddressType.public
    var filterPolicy: UInt8 = 0
    var scans: [HCIPHY: Scan] = [.le1M: Scan(isActive: false, interval: 0x10, window: 0x10)]
    /// Whether the host used extended commands, and receives extended reports.
    var isExtended = false

    var isEnabled = false
    /// Whether it listens now; false between scan durations.
    var isListening = false
    var filtersDuplicates = false
    /// Whether the duplicate filter is reset in each period.
    var resetsDuplicates = false
    /// The scan duration, in nanoseconds; `nil`: until disabled.
    var duration: Int64?
    /// The scan period, in nanoseconds; `nil`: a single scan.
    var period: Int64?
    var token: DeadlineQueue<Air.Event>.Token?

    /// Filled only while duplicates are filtered.
    var duplicateFilter: Set<FilterEntry> = []
    /// The size of the duplicate filter; beyond it, advertisers are reported again.
    static let duplicateFilterCapacity = 256

    var usesAcceptList: Bool { filterPolicy & 1 != 0 }
    /// Whether directed advertisements to unresolved private addresses are reported.
    var reportsUnresolvedTargets: Bool { filterPolicy & 2 != 0 }

    /// Whether a packet must be reported; adds it to the duplicate filter.
    mutating func isNew(_ packet: FilterEntry) -> Bool {
        guard filtersDuplicates else { return true }
        if duplicateFilter.count >= Self.duplicateFilterCapacity { duplicateFilter.removeAll(keepingCapacity: true) }
        return duplicateFilter.insert(packet).inserted
    }
}

extension Air {
    func startScanning(_ controller: Controller) {
        if !controller.host.scanner.isListening {
            controller.host.scanner.scans = controller.host.scanner.scans.mapValues { scan in
                var scan = scan
                scan.listening = Listening(
                    start: now, interval: AirTime.slots(scan.interval), window: AirTime.slots(scan.window))
                return scan
            }
        }
        controller.host.scanner.isEnabled = true
        controller.host.scanner.isListening = true
        controller.host.scanner.duplicateFilter.removeAll()
        cancel(&controller.host.scanner.token)
        if let duration = controller.host.scanner.duration {
            controller.host.scanner.token = schedule(.scanning(controller), at: now + duration)
        }
        updateListening(controller)
    }

    func stopScanning(_ controller: Controller) {
        controller.host.scanner.isEnabled = false
        controller.host.scanner.isListening = false
        controller.host.scanner.duplicateFilter.removeAll()
        cancel(&controller.host.scanner.token)
        updateListening(controller)
    }

    /// The end of a scan's duration or pause (Core 5.4, Vol 4 Part E 7.8.65).
    func scanningEvent(_ controller: Controller) {
        let scanner = controller.host.scanner
        controller.host.scanner.token = nil
        if !scanner.isListening {
            let duplicateFilter = scanner.duplicateFilter
            startScanning(controller)
            if !scanner.resetsDuplicates { controller.host.scanner.duplicateFilter = duplicateFilter }
        } else if let period = scanner.period, let duration = scanner.duration {
            controller.host.scanner.isListening = false
            controller.host.scanner.token = schedule(.scanning(controller), at: now + period - duration)
            updateListening(controller)
        } else {
            stopScanning(controller)
            emit(HCILEScanTimeout(), to: controller)
        }
    }
}
