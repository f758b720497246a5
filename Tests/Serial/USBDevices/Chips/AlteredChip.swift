package import MonotonicTime

/// A chip with other descriptors than its own.
package struct AlteredChip: BridgeChip {
    private var chip: any BridgeChip
    package let descriptors: DeviceDescriptors

    /// `chip` with `fault`.
    package init(_ chip: any BridgeChip, _ fault: DescriptorFault) {
        self.chip = chip
        descriptors = fault.applied(to: chip.descriptors)
    }

    package var bulkIn: UInt8 { chip.bulkIn }
    package var bulkOut: UInt8 { chip.bulkOut }
    package var settings: UARTSettings { chip.settings }

    package mutating func control(
        _ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant
    ) -> ControlAnswer {
        chip.control(setup, data, at: now)
    }

    package mutating func write(_ bytes: [UInt8]) { chip.write(bytes) }
    package mutating func received(_ bytes: [UInt8]) { chip.received(bytes) }
    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        chip.read(upTo: maximum, at: now)
    }
    package mutating func readInterrupt(at now: MonotonicInstant) -> [UInt8]? { chip.readInterrupt(at: now) }
    package func readDeadline(at now: MonotonicInstant) -> MonotonicInstant? { chip.readDeadline(at: now) }
    package mutating func configured() { chip.configured() }
    package mutating func drainEffects() -> [ChipEffect] { chip.drainEffects() }
}

/// Something wrong or unusual in a device's descriptors.
package enum DescriptorFault: String, Sendable, CaseIterable {
    case noInterfaces, noEndpoints, inputOnly, interruptOnly, emptyPackets, longTotal, shortTotal, endpointOfNoLength,
        endpointTooLong, manyInterfaces, noStrings, controlCharacters, longStrings

    func applied(to original: DeviceDescriptors) -> DeviceDescriptors {
        var result = original
        switch self {
        case .noInterfaces: result.interfaces = []
        case .noEndpoints: change(&result) { $0.endpoints = [] }
        case .inputOnly: change(&result) { $0.endpoints.removeAll { $0.address & 0x80 == 0 } }
        case .interruptOnly:
            change(&result) { for index in $0.endpoints.indices { $0.endpoints[index].kind = .interrupt } }
        case .emptyPackets: change(&result) { for index in $0.endpoints.indices { $0.endpoints[index].packetSize = 0 } }
        case .longTotal: result.alteration = { $0[2] &+= 40 }
        case .shortTotal: result.alteration = { $0[2] = 20 }
        case .endpointOfNoLength: result.alteration = { $0[$0.count - 7] = 0 }
        case .endpointTooLong: result.alteration = { $0[$0.count - 7] = 200 }
        case .manyInterfaces: result.alteration = { $0[4] = 32 }
        case .noStrings: (result.strings, result.stringNumbers) = ([], [0, 0, 0])
        case .controlCharacters:
            result.strings = ["a", "\u{1B}[31mred\u{7}\u{9B}2J\u{202E}", "A/1 \u{1B}c"]
            result.stringNumbers = [1, 2, 3]
        case .longStrings:
            result.strings = ["a", String(repeating: "\u{E9}", count: 200), String(repeating: "7", count: 200)]
            result.stringNumbers = [1, 2, 3]
        }
        return result
    }

    private func change(_ descriptors: inout DeviceDescriptors, _ body: (inout DeviceDescriptors.Interface) -> Void) {
        for index in descriptors.interfaces.indices { body(&descriptors.interfaces[index]) }
    }
}
