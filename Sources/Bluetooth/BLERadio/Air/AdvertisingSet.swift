import BLECore
import BLEPackets
import MonotonicTime

/// Something a controller advertises (Core 5.4, Vol 6 Part B 4.4.2): what the legacy commands say is one such set, what
/// the extended commands say are more.
final class AdvertisingSet {
    /// How to advertise.
    struct Parameters {
        var properties: HCIAdvertisingEventProperties = [.legacy, .connectable, .scannable]
        /// From event to event, in nanoseconds.
        var interval = AirTime.slots(0x800)
        var channelMap: UInt8 = 7
        var ownAddressType = HCIOwnAddressType.public
        var peerAddress = DeviceAddress(0, .public)
        var filterPolicy: UInt8 = 0
        var primaryPHY = HCIPHY.le1M
        var secondaryPHY = HCIPHY.none
        var sid: UInt8 = 0xFF
        /// In dBm; `nil` is the controller's.
        var txPower: Int8?
        var notifiesScanRequests = false
    }

    /// Data that come in pieces.
    struct Data {
        var bytes: ArraySlice<UInt8> = []
        /// Whether the last piece is missing.
        var isPartial = false
        /// Tells old data from new, in the packets.
        var identifier: UInt16 = 0
    }

    unowned let controller: Controller
    /// `nil`: the set of the legacy commands.
    let handle: UInt8?
    var parameters = Parameters()
    var data = Data()
    var scanResponse = Data()
    /// Of the extended commands; those of legacy use the controller's.
    var randomAddress: DeviceAddress?

    var isEnabled = false
    /// The next event, in nanoseconds; past where nobody has listened since.
    var nextEvent: Int64 = 0
    /// When advertising ends by itself.
    var end: Int64?
    /// After how many events it ends by itself; 0: never.
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
    /// Whether its advertisements carry data.
    var hasData: Bool { isLegacy ? !isDirected : !isScannable }

    var interval: Int64 { isHighDuty ? AirTime.highDutyInterval : parameters.interval }
    var txPower: Int8 { min(parameters.txPower ?? controller.txPower, controller.txPower) }

    /// The random address where the own address type asks for one.
    var ownRandomAddress: DeviceAddress? { handle == nil ? controller.host.randomAddress : randomAddress }
}
