import BLEPackets
public import MonotonicTime

/// Scan parameters (Core 5.4, Vol 4 Part E 7.8.10, 7.8.11).
public struct ScanParameters: Hashable, Sendable {
    /// Whether to request scan responses.
    public var isActive: Bool
    /// The scan interval, in units of 0.625 ms; 4...16384.
    public var interval: UInt16
    /// The scan window, in units of 0.625 ms; at most the interval.
    public var window: UInt16
    /// Whether the controller reports an advertiser only once.
    public var filtersDuplicates: Bool

    /// Parameters; the default listens continuously.
    public init(isActive: Bool = true, interval: UInt16 = 16, window: UInt16 = 16, filtersDuplicates: Bool = false) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.filtersDuplicates = filtersDuplicates
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
    /// - Throws: `notReady`.
    public func startScanning(_ parameters: ScanParameters, now: MonotonicInstant) throws(HostError) {
        _ = try controller("scanning")
        if scanning == .starting || scanning == .on {
            commands.append(HCILESetScanEnable(isEnabled: false, filterDuplicates: false).packet)
        }
        rotateIfDue(now)
        scanning = .starting
        scansOnce = parameters.filtersDuplicates
        commands.append(
            HCILESetScanParameters(
                isActive: parameters.isActive, interval: parameters.interval, window: parameters.window,
                ownAddressType: ownAddressType, filterPolicy: 0
            ).packet)
        commands.append(
            HCILESetScanEnable(isEnabled: true, filterDuplicates: parameters.filtersDuplicates).packet)
        flush(now)
    }

    /// Stops scanning; ``HostEvent/scanningStopped`` follows. Does nothing when it is off.
    ///
    /// - Throws: `notReady`.
    public func stopScanning(now: MonotonicInstant) throws(HostError) {
        _ = try controller("scanning")
        guard scanning == .starting || scanning == .on else { return }
        scanning = .stopping
        commands.append(HCILESetScanEnable(isEnabled: false, filterDuplicates: false).packet)
        flush(now)
    }

    /// The answer to Scan Enable; `command` tells whether it enabled or disabled.
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
            // The second half of a restart.
            break
        }
    }
}
