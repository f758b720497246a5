import BLECore
internal import BLEPackets
internal import MonotonicTime

/// An advertisement received by a scanner.
private struct ReceivedAdvertisement {
    let advertisement: Advertisement
    let sender: PeerIdentity
    let rssi: Int8
    /// The target as in extended reports; address 0: undirected.
    let target: HCILEExtendedAdvertisingReport.Target

    var set: AdvertisingSet { advertisement.set }

    func filterEntry(isResponse: Bool) -> Scanner.FilterEntry {
        let isAnonymous = set.properties.contains(.anonymous)
        let data = isResponse ? set.scanResponse : set.data
        return Scanner.FilterEntry(
            address: isAnonymous ? nil : sender.address, isResponse: isResponse,
            identifier: set.isLegacy ? 0 : UInt32(set.parameters.sid) << 16 | UInt32(data.identifier))
    }
}

extension Air {
    /// Delivers an advertisement to a scanner; an active scanner requests the scan response. Returns whether it was
    /// received. No report is delivered while the host is behind with reading or the radio is late: advertising reports
    /// are the only packets that a controller may drop.
    @discardableResult func scan(_ listener: Controller, _ advertisement: Advertisement, at transmission: Transmission)
        -> Bool
    {
        let scanner = listener.host.scanner
        let set = advertisement.set
        guard !isOverloaded, scanner.isListening, set.isLegacy || scanner.isExtended,
            let scan = scanner.scans[set.parameters.primaryPHY],
            receives(advertisement, listener, scan.listening, at: transmission), !listener.isCongested()
        else { return false }
        // An anonymous advertisement has no address to resolve or to find in the accept list.
        let isAnonymous = set.properties.contains(.anonymous)
        let address = advertisement.sender.address
        guard let sender = isAnonymous ? PeerIdentity(address: address) : listener.identify(address) else {
            return true
        }
        if scanner.usesAcceptList {
            guard !isAnonymous, listener.host.acceptList.contains(sender.address) else {
                return true
            }
        }
        guard let target = target(of: advertisement, from: sender, at: listener) else { return true }
        let received = ReceivedAdvertisement(
            advertisement: advertisement, sender: sender,
            rssi: rssi(set.txPower, path(advertisement.controller, listener)), target: target)
        if listener.host.scanner.isNew(received.filterEntry(isResponse: false)) {
            report(received, isResponse: false, set.hasData ? set.data.bytes : [], to: listener)
        }
        guard scan.isActive, set.isScannable, answersScan(advertisement, by: listener, sender.address) else {
            return true
        }
        if listener.host.scanner.isNew(received.filterEntry(isResponse: true)) {
            report(received, isResponse: true, set.scanResponse.bytes, to: listener)
        }
        return true
    }

    /// The target of a directed advertisement as the listener reports it; `nil` if it is for another device.
    private func target(
        of advertisement: Advertisement, from sender: PeerIdentity, at listener: Controller
    ) -> HCILEExtendedAdvertisingReport.Target? {
        guard let target = advertisement.target else { return HCILEExtendedAdvertisingReport.Target.none }
        let type = listener.host.scanner.ownAddressType
        if let own = listener.identityAddress(type, random: listener.host.randomAddress), target == own {
            return .init(type: own.kind.rawValue, address: own)
        }
        if listener.isCalled(target, by: sender.address, type) {
            let own = listener.identityAddress(type, random: listener.host.randomAddress)
            return .init(type: 2 | (own ?? target).kind.rawValue, address: own ?? target)
        }
        guard listener.host.scanner.reportsUnresolvedTargets, target.isResolvablePrivate else { return nil }
        return .init(type: HCILEExtendedAdvertisingReport.Target.unresolved, address: target)
    }

    /// Exchanges SCAN_REQ and SCAN_RSP.
    private func answersScan(_ advertisement: Advertisement, by listener: Controller, _ peer: DeviceAddress) -> Bool {
        let advertiser = advertisement.controller
        let path = path(advertiser, listener)
        guard
            let own = listener.ownAddress(
                listener.host.scanner.ownAddressType, for: peer, random: listener.host.randomAddress, now: now),
            isInRange(listener, of: advertiser), !losesPacket(path),
            let identity = advertiser.identify(own.address)
        else { return false }
        let parameters = advertisement.set.parameters
        if parameters.filterPolicy & 1 != 0, !advertiser.host.acceptList.contains(identity.address) { return false }
        if parameters.notifiesScanRequests, let handle = advertisement.set.handle {
            emit(
                HCILEScanRequestReceived(
                    advertisingHandle: handle, scanner: identity.address, isResolved: identity.isResolved),
                to: advertiser)
        }
        return !losesPacket(path)
    }

    private func report(
        _ received: ReceivedAdvertisement, isResponse: Bool, _ data: ArraySlice<UInt8>, to listener: Controller
    ) {
        if listener.host.scanner.isExtended {
            reportExtended(received, isResponse: isResponse, data, to: listener)
        } else if received.target.type == HCILEExtendedAdvertisingReport.Target.unresolved {
            emit(
                HCILEDirectedAdvertisingReport(reports: [
                    .init(
                        address: received.sender.address, isResolved: received.sender.isResolved,
                        target: received.target.address, rssi: received.rssi)
                ]), to: listener)
        } else {
            emit(
                HCILEAdvertisingReport(reports: [
                    .init(
                        kind: isResponse ? .scanResponse : kind(received.set), address: received.sender.address,
                        isResolved: received.sender.isResolved, data: data, rssi: received.rssi)
                ]), to: listener)
        }
    }

    private func kind(_ set: AdvertisingSet) -> HCILEAdvertisingReport.Kind {
        if set.isDirected { return .directed }
        if set.isConnectable { return .connectable }
        return set.isScannable ? .scannable : .nonConnectable
    }

    /// Splits the data into several reports (Core 5.4, Vol 4 Part E 7.7.65.13).
    private func reportExtended(
        _ received: ReceivedAdvertisement, isResponse: Bool, _ data: ArraySlice<UInt8>, to listener: Controller
    ) {
        let set = received.set
        let isAnonymous = set.properties.contains(.anonymous)
        // The lowest three bits have the same meaning in both types.
        var kind = HCILEExtendedAdvertisingReport.Kind(rawValue: set.properties.rawValue & 7)
        if set.isLegacy { kind.insert(.legacy) }
        if isResponse { kind.insert(.scanResponse) }
        var rest = data
        repeat {
            let piece = rest.prefix(HCILEExtendedAdvertisingReport.maximumDataLength)
            rest = rest.dropFirst(piece.count)
            emit(
                HCILEExtendedAdvertisingReport(reports: [
                    .init(
                        kind: rest.isEmpty ? kind : kind.union(.incomplete),
                        address: isAnonymous ? nil : received.sender.address, isResolved: received.sender.isResolved,
                        primaryPHY: set.parameters.primaryPHY, secondaryPHY: set.parameters.secondaryPHY,
                        sid: set.parameters.sid,
                        txPower: set.properties.contains(.includesTxPower) ? set.txPower : 127, rssi: received.rssi,
                        target: received.target, data: piece)
                ]), to: listener)
        } while !rest.isEmpty
    }
}

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
    /// True if the host used extended commands, and receives extended reports.
    var isExtended = false

    var isEnabled = false
    /// True if it listens now; false between scan durations.
    var isListening = false
    var filtersDuplicates = false
    /// True if the duplicate filter is reset in each period.
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
    /// True if directed advertisements to unresolved private addresses are reported.
    var reportsUnresolvedTargets: Bool { filterPolicy & 2 != 0 }

    /// True if a packet must be reported; adds it to the duplicate filter.
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

    /// Handles the end of a scan's duration or pause (Core 5.4, Vol 4 Part E 7.8.65).
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

/// The listening schedule of a scanner or initiator: one channel per window, one window per interval.
struct Listening {
    /// The start of the first window.
    var start: Int64
    /// The scan interval, in nanoseconds.
    var interval: Int64
    /// The scan window, in nanoseconds.
    var window: Int64

    /// True if a packet on `channel` (0 is channel 37) is completely within a window.
    func receives(channel: Int, from begin: Int64, duration: Int64) -> Bool {
        guard begin >= start else { return false }
        let (index, offset) = (begin - start).quotientAndRemainder(dividingBy: interval)
        guard Int(index % 3) == channel else { return false }
        // Windows as long as the interval are contiguous, but change the channel.
        return offset + duration <= window
    }
}

extension Air {
    /// Updates the list of listeners after a host started or stopped scanning or initiating.
    func updateListening(_ controller: Controller) {
        let isListening = controller.host.scanner.isListening || controller.host.initiator != nil
        let index = listeners.firstIndex { $0.id.rawValue >= controller.id.rawValue } ?? listeners.count
        let isListed = index < listeners.count && listeners[index] === controller
        guard isListening != isListed else { return }
        if isListening {
            listeners.insert(controller, at: index)
        } else {
            listeners.remove(at: index)
        }
        for case let controller? in controllers {
            for set in controller.host.advertisers where set.isEnabled { scheduleAdvertising(set) }
        }
    }
}
