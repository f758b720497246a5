import BLECore
internal import BLEPackets
internal import MonotonicTime

/// An advertising set (Core 5.4, Vol 6 Part B 4.4.2): one for the legacy commands, others for the extended commands.
final class AdvertisingSet {
    /// Advertising parameters.
    struct Parameters {
        var properties: HCIAdvertisingEventProperties = [.legacy, .connectable, .scannable]
        /// The advertising interval, in nanoseconds.
        var interval = AirTime.slots(0x800)
        var channelMap: UInt8 = 7
        var ownAddressType = HCIOwnAddressType.public
        var peerAddress = DeviceAddress(0, .public)
        var filterPolicy: UInt8 = 0
        var primaryPHY = HCIPHY.le1M
        var secondaryPHY = HCIPHY.none
        var sid: UInt8 = 0xFF
        /// In dBm; `nil`: the controller's transmit power.
        var txPower: Int8?
        var notifiesScanRequests = false
    }

    /// Advertising data, received in fragments.
    struct Data {
        var bytes: ArraySlice<UInt8> = []
        /// True if the last fragment is missing.
        var isPartial = false
        /// The advertising DID, which changes with the data.
        var identifier: UInt16 = 0
    }

    unowned let controller: Controller
    /// `nil`: the set of the legacy commands.
    let handle: UInt8?
    var parameters = Parameters()
    var data = Data()
    var scanResponse = Data()
    /// For the extended commands; legacy advertising uses the controller's random address.
    var randomAddress: DeviceAddress?

    /// The address of the last advertising event.
    var lastSender: DeviceAddress?

    var isEnabled = false
    /// The next event, in nanoseconds; in the past if no controller has listened since.
    var nextEvent: Int64 = 0
    /// The end of the advertising duration.
    var end: Int64?
    /// The maximum number of events; 0: no limit.
    var maximumEvents: UInt8 = 0
    var eventCount: UInt8 = 0
    var token: DeadlineQueue<Air.Event>.Token?

    init(_ controller: Controller, handle: UInt8?) {
        self.controller = controller
        self.handle = handle
    }

    var properties: HCIAdvertisingEventProperties { parameters.properties }
    var isLegacy: Bool { properties.contains(.legacy) }
    var isDirected: Bool { properties.contains(.directed) }
    var isConnectable: Bool { properties.contains(.connectable) }
    var isScannable: Bool { properties.contains(.scannable) }
    var isHighDuty: Bool { properties.contains(.highDuty) }
    /// True if its advertisements carry data.
    var hasData: Bool { isLegacy ? !isDirected : !isScannable }

    var interval: Int64 { isHighDuty ? AirTime.highDutyInterval : parameters.interval }
    var txPower: Int8 { min(parameters.txPower ?? controller.txPower, controller.txPower) }

    /// The random address for own address types that use one.
    var ownRandomAddress: DeviceAddress? { handle == nil ? controller.host.randomAddress : randomAddress }
}
