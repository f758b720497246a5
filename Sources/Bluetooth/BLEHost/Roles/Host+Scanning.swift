internal import BLECore
internal import BLEPackets
public import MonotonicTime

/// Scan parameters (Core 5.4, Vol 4 Part E 7.8.10, 7.8.11).
public struct ScanParameters: Hashable, Sendable {
    /// True to request scan responses.
    public var isActive: Bool
    /// The scan interval, in units of 0.625 ms; 4...16384.
    public var interval: UInt16
    /// The scan window, in units of 0.625 ms; at most the interval.
    public var window: UInt16

    /// Parameters; the default listens continuously.
    public init(isActive: Bool = true, interval: UInt16 = 16, window: UInt16 = 16) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
    }
}

/// The scanning state of a host.
enum ScanningState {
    case off
    case starting
    case on
    case stopping
}

extension Host {
    /// Starts scanning, or restarts it with other parameters; ``HostEvent/scanningStarted`` or
    /// ``HostEvent/commandFailed(_:_:)`` follows.
    ///
    /// Each packet is reported: a controller's duplicate filter compares only addresses, and would hide changed data.
    ///
    /// - Throws: `notReady`.
    public func startScanning(_ parameters: ScanParameters, now: MonotonicInstant) throws(HostError) {
        let controller = try controller("scanning")
        if scanning == .starting || scanning == .on { commands.append(scanEnable(false)) }
        rotateIfDue(now)
        scanning = .starting
        fragments = AdvertisingFragments()
        if usesExtendedCommands {
            let phys: HCIPHYs = controller.hasCodedPHY ? [.le1M, .leCoded] : .le1M
            let scan = HCILESetExtendedScanParameters.Scan(
                isActive: parameters.isActive, interval: parameters.interval, window: parameters.window)
            commands.append(
                HCILESetExtendedScanParameters(
                    ownAddressType: ownAddressType, filterPolicy: 0, phys: phys,
                    scans: Array(repeating: scan, count: phys.each.count)
                ).packet)
        } else {
            commands.append(
                HCILESetScanParameters(
                    isActive: parameters.isActive, interval: parameters.interval, window: parameters.window,
                    ownAddressType: ownAddressType, filterPolicy: 0
                ).packet)
        }
        commands.append(scanEnable(true))
        flush(now)
    }

    /// Stops scanning; ``HostEvent/scanningStopped`` follows. Does nothing when not scanning.
    ///
    /// - Throws: `notReady`.
    public func stopScanning(now: MonotonicInstant) throws(HostError) {
        _ = try controller("scanning")
        guard scanning == .starting || scanning == .on else { return }
        scanning = .stopping
        commands.append(scanEnable(false))
        flush(now)
    }

    func scanEnable(_ isEnabled: Bool) -> HCIPacket {
        usesExtendedCommands
            ? HCILESetExtendedScanEnable(isEnabled: isEnabled, filterDuplicates: 0).packet
            : HCILESetScanEnable(isEnabled: isEnabled, filterDuplicates: false).packet
    }

    /// Handles the answer to Scan Enable; `command` contains the enable flag.
    func scanEnableAnswered(_ command: HCIPacket, _ status: HCIErrorCode) {
        let wasEnable = command.bytes.dropFirst(3).first == 1
        switch (wasEnable, scanning) {
        case (true, .starting):
            scanning = status == .success ? .on : .off
            if status == .success { emit(.scanningStarted) }
        case (false, .stopping):
            scanning = .off
            emit(.scanningStopped)
        default:
            // The answer to the first command of a restart: another one follows.
            break
        }
    }

    /// Reports extended advertisements when they are complete. Anonymous advertisements are not reported, since they
    /// have no address.
    func extendedAdvertisementsReceived(_ event: HCILEExtendedAdvertisingReport) {
        for report in event.reports {
            guard let address = report.address, let data = fragments.receive(report, from: address) else { continue }
            emit(
                .advertisingReport(
                    HCILEAdvertisingReport.Report(
                        kind: HCILEAdvertisingReport.Kind(report.kind), address: address,
                        isResolved: report.isResolved, data: data, rssi: report.rssi)))
        }
    }
}

/// The data of extended advertisements whose reports are incomplete.
struct AdvertisingFragments {
    private struct Sender: Hashable {
        var address: DeviceAddress
        var sid: UInt8
        var isResponse: Bool
    }

    /// The maximum number of senders with incomplete data; beyond it all incomplete data are discarded.
    private static let senderLimit = 16
    /// Core 5.4, Vol 4 Part E 7.8.57: the longest advertising data.
    private static let lengthLimit = 1650

    private var pieces: [Sender: ArraySlice<UInt8>] = [:]

    /// Returns the whole data at the last report, or only the received part if the controller truncated the data;
    /// otherwise `nil`.
    mutating func receive(
        _ report: HCILEExtendedAdvertisingReport.Report, from address: DeviceAddress
    ) -> ArraySlice<UInt8>? {
        let sender = Sender(address: address, sid: report.sid, isResponse: report.kind.contains(.scanResponse))
        let data = (pieces.removeValue(forKey: sender) ?? []) + report.data
        guard report.kind.contains(.incomplete), !report.kind.contains(.truncated), data.count <= Self.lengthLimit
        else { return data.prefix(Self.lengthLimit) }
        if pieces.count >= Self.senderLimit { pieces = [:] }
        pieces[sender] = data
        return nil
    }
}

extension HCILEAdvertisingReport.Kind {
    /// The legacy kind with the same properties. An extended connectable advertisement is never scannable; the legacy
    /// kind `connectable` does not express this.
    fileprivate init(_ kind: HCILEExtendedAdvertisingReport.Kind) {
        if kind.contains(.scanResponse) {
            self = .scanResponse
        } else if kind.contains(.connectable) {
            self = kind.contains(.directed) ? .directed : .connectable
        } else {
            self = kind.contains(.scannable) ? .scannable : .nonConnectable
        }
    }
}
