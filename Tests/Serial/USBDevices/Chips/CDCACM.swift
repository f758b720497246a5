package import MonotonicTime
internal import SerialPort

/// A USB CDC-ACM bridge: WCH CH343 and CH9102, and the class as its specification has it.
package struct CDCACM: BridgeChip {
    package let descriptors: DeviceDescriptors
    package let bulkIn: UInt8
    package let bulkOut: UInt8
    package private(set) var settings = UARTSettings(rate: 9_600)
    private let control: UInt16
    private let maximumRate: Double
    private var received = ReceiveBuffer()
    private var effects: [ChipEffect] = []

    private init(_ descriptors: DeviceDescriptors, bulkIn: UInt8, bulkOut: UInt8, maximumRate: Double) {
        self.descriptors = descriptors
        self.bulkIn = bulkIn
        self.bulkOut = bulkOut
        self.maximumRate = maximumRate
        control = 0
    }

    /// A WCH CH343, or with product 0x55D4 a CH9102 (CH343DS1: rates up to 6 Mbaud).
    package static func ch343(product: UInt16 = 0x55D3, serialNumber: String = "5647012345") -> CDCACM {
        var descriptors = DeviceDescriptors(
            vendor: 0x1A86, product: product, release: 0x0445, strings: ["", "USB Single Serial", serialNumber],
            interfaces: CDCLine.interfaces(notification: 0x81, bulkIn: 0x82, bulkOut: 0x02))
        descriptors.usbVersion = 0x0110
        descriptors.deviceClass = [2, 0, 0]
        descriptors.controlPacketSize = 8
        descriptors.stringNumbers = [0, 2, 3]
        return CDCACM(descriptors, bulkIn: 0x82, bulkOut: 0x02, maximumRate: 6_000_000)
    }

    /// A device of the class without peculiarities, with the ids that pid.codes reserves for tests.
    package static func plain(serialNumber: String = "0001") -> CDCACM {
        var descriptors = DeviceDescriptors(
            vendor: 0x1209, product: 0x0001, release: 0x0100, strings: ["espbench", "CDC-ACM", serialNumber],
            interfaces: CDCLine.interfaces(notification: 0x83, bulkIn: 0x81, bulkOut: 0x02))
        descriptors.deviceClass = [2, 0, 0]
        return CDCACM(descriptors, bulkIn: 0x81, bulkOut: 0x02, maximumRate: 12_000_000)
    }

    package mutating func drainEffects() -> [ChipEffect] {
        defer { effects.removeAll() }
        return effects
    }

    package mutating func control(
        _ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant
    ) -> ControlAnswer {
        guard setup.index == control else { return .stall }
        switch (setup.requestType, setup.request) {
        case (0x21, CDCLine.setLineCoding):
            guard let settings = CDCLine.settings(data), settings.rate > 0, settings.rate <= maximumRate else {
                return .stall
            }
            self.settings = settings
            effects.append(.settings(settings))
        case (0xA1, CDCLine.getLineCoding):
            return .data(CDCLine.coding(settings))
        case (0x21, CDCLine.setControlLineState) where data.isEmpty:
            effects.append(.lines(ModemLines(dtr: setup.value & 1 != 0, rts: setup.value & 2 != 0)))
        case (0x21, CDCLine.sendBreak) where data.isEmpty:
            effects.append(.breakCondition(setup.value != 0))
        default:
            return .stall
        }
        return .accepted
    }

    package mutating func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { effects.append(.transmit(bytes)) }
    }

    package mutating func received(_ bytes: [UInt8]) {
        received.append(bytes)
    }

    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        received.isEmpty ? nil : received.removeFirst(maximum)
    }
}
