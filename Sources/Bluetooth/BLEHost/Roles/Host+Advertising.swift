public import BLECore
package import BLEPackets
public import MonotonicTime

/// Advertising parameters (Core 5.4, Vol 4 Part E 7.8.5).
public struct AdvertisingParameters: Hashable, Sendable {
    /// The shortest interval, in units of 0.625 ms; 32...16384.
    public var intervalMin: UInt16
    /// The longest interval, in units of 0.625 ms; 32...16384.
    public var intervalMax: UInt16
    /// The kind of advertising PDU.
    package var type: HCIAdvertisingType
    /// The target of directed advertising; ignored for other types.
    public var peer: DeviceAddress
    /// The requests limited to the filter accept list (``Host/setAcceptList(_:now:)``).
    public var filter: AdvertisingFilter

    /// Parameters; the default is NimBLE's: connectable, 30 to 60 ms.
    package init(
        intervalMin: UInt16 = 48, intervalMax: UInt16 = 96, type: HCIAdvertisingType = .connectable,
        peer: DeviceAddress = DeviceAddress(0, .public), filter: AdvertisingFilter = []
    ) {
        self.filter = filter
        self.peer = peer
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.type = type
    }
}

/// The advertising state of a host.
struct AdvertisingState {
    var isActive = false
    var deadline: MonotonicInstant?
    /// The advertised address.
    var address: DeviceAddress?
}

extension Host {
    /// True if advertising has been started and not ended.
    public var isAdvertising: Bool { advertising.isActive }

    /// Sets the advertising data, at most 31 bytes; longer data throw `invalidParameters`.
    public func setAdvertisingData(_ data: [UInt8], now: MonotonicInstant) throws(HostError) {
        _ = try controller("advertising data")
        try check(data, "advertising data")
        commands.append(HCILESetAdvertisingData(data: data[...]).packet)
        flush(now)
    }

    /// Sets the scan response data, at most 31 bytes; longer data throw `invalidParameters`.
    public func setScanResponseData(_ data: [UInt8], now: MonotonicInstant) throws(HostError) {
        _ = try controller("scan response data")
        try check(data, "scan response data")
        commands.append(HCILESetScanResponseData(data: data[...]).packet)
        flush(now)
    }

    private func check(_ data: [UInt8], _ what: StaticString) throws(HostError) {
        guard data.count <= 31 else {
            throw HostError(.invalidParameters, "\(what): expected at most 31 bytes, got \(data.count)")
        }
    }

    /// Starts advertising the data set before, with the public address (or a private address: ``setPrivacy(_:now:)``).
    /// Advertising ends at a connection, at ``stopAdvertising(now:)``, or after `duration` with
    /// ``HostEvent/advertisingEnded``.
    ///
    /// - Throws: `notReady`, `alreadyActive`.
    package func startAdvertising(
        _ parameters: AdvertisingParameters = AdvertisingParameters(), for duration: Duration? = nil,
        now: MonotonicInstant
    ) throws(HostError) {
        _ = try controller("advertising")
        guard !advertising.isActive else {
            throw HostError(.alreadyActive, "advertising: expected it to be off, but it is on")
        }
        rotateIfDue(now)
        let address = privacy.address ?? (usesStaticAddress ? staticAddress : nil)
        advertising = AdvertisingState(
            isActive: true, deadline: duration.map { now.advanced(by: $0) }, address: address)
        commands.append(
            HCILESetAdvertisingParameters(
                minimumInterval: parameters.intervalMin, maximumInterval: parameters.intervalMax,
                type: parameters.type, ownAddressType: address == nil ? .public : .random, peerAddress: parameters.peer,
                channelMap: 0b111, filterPolicy: parameters.filter.rawValue
            ).packet)
        commands.append(HCILESetAdvertisingEnable(isEnabled: true).packet)
        flush(now)
    }

    /// Stops advertising; does nothing when not advertising.
    public func stopAdvertising(now: MonotonicInstant) throws(HostError) {
        _ = try controller("advertising")
        advertising = AdvertisingState()
        commands.append(HCILESetAdvertisingEnable(isEnabled: false).packet)
        flush(now)
    }

    /// Handles the end of the duration.
    func endAdvertising() {
        advertising = AdvertisingState()
        commands.append(HCILESetAdvertisingEnable(isEnabled: false).packet)
        emit(.advertisingEnded)
    }
}
