import BLEPackets
import BLERadioServing
import MonotonicTime
import Testing

/// The stream of one host, parsed into packets, with limits.
@Suite struct H4InputTests {
    /// One packet of every type, with and without parameters (Core 5.4, Vol 4 Part E 5.4).
    private static let packets = [
        HCIPacket(.command, [0x03, 0x0C, 0x00]),
        HCIPacket(.acl, [0x40, 0x20, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x02, 0x17, 0x00]),
        HCIPacket(.synchronous, [0x01, 0x00, 0x02, 0xAA, 0xBB]),
        HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
        HCIPacket(.acl, [0x40, 0x20, 0x00, 0x01] + [UInt8](repeating: 0x55, count: 256)),
        HCIPacket(.command, [0x06, 0x20, 0x0F] + [UInt8](0..<15)),
    ]
    private static let stream = packets.flatMap { [$0.kind.rawValue] + $0.bytes }

    private func input(_ limits: H4Limits = H4Limits()) -> H4Input {
        H4Input(limits, now: .zero)
    }

    @Test func consecutivePacketsAreSeparated() throws {
        var input = input()
        var packets: [HCIPacket] = []
        try input.receive(Self.stream, now: .zero, into: &packets)
        #expect(packets == Self.packets)
        #expect(input.nextDeadline == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func packetsInChunksAreReassembled(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var input = input()
        var packets: [HCIPacket] = []
        var rest = Self.stream[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...(seed % 2 == 0 ? 3 : 40), using: &random))
            rest = rest.dropFirst(piece.count)
            try input.receive(Array(piece), now: .zero, into: &packets)
        }
        #expect(packets == Self.packets)
        #expect(input.nextDeadline == nil)
    }

    @Test(arguments: [0x00, 0x06, 0x55, 0xFF] as [UInt8]) func anInvalidPacketTypeDisconnects(byte: UInt8) {
        for pieces in [[Self.stream + [byte]], [Self.stream, [byte]]] {
            var input = input()
            var packets: [HCIPacket] = []
            let fault = #expect(throws: H4Input.Fault.self) {
                for piece in pieces { try input.receive(piece, now: .zero, into: &packets) }
            }
            let code = String(byte, radix: 16)
            #expect(
                fault?.description
                    == "expected an H4 packet type 01 to 05, got \(code) at byte \(Self.stream.count) of the stream")
            #expect(packets == Self.packets)
        }
    }

    /// Isochronous data (Core 5.4, Vol 4 Part E 5.4.5): with 14 bits of length; the two above are reserved.
    @Test(arguments: 1...9) func isochronousDataAreDroppedWhole(piece: Int) throws {
        var input = input()
        var packets: [HCIPacket] = []
        let long = [0x05, 0x60, 0x20, 0x2C, 0xC1] + [UInt8](repeating: 0x01, count: 300)
        let bytes = Self.stream + [0x05, 0x00, 0x00, 0x00, 0x00] + long + Self.stream
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try input.receive(Array(bytes[start..<min(start + piece, bytes.count)]), now: .zero, into: &packets)
        }
        #expect(packets == Self.packets + Self.packets)
        #expect(input.droppedCount == 2)
        #expect(input.nextDeadline == nil)
    }

    @Test func anIncompletePacketTimesOut() throws {
        var input = input(H4Limits(unfinishedPacket: .seconds(5)))
        var packets: [HCIPacket] = []
        func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }
        try input.receive([0x01, 0x03, 0x0C, 0x00, 0x01], now: at(1), into: &packets)
        #expect(input.nextDeadline == at(6))
        // Single bytes do not extend the deadline; the end of the packet clears it.
        try input.receive([0x03], now: at(5), into: &packets)
        #expect(input.nextDeadline == at(6))
        try input.advance(to: MonotonicInstant(nanoseconds: at(6).nanoseconds - 1))
        let late = input
        let fault = #expect(throws: H4Input.Fault.self) { try late.advance(to: at(6)) }
        #expect(fault?.description == "expected a whole HCI packet within 5.0 seconds, got the beginning of one")
        try input.receive([0x0C, 0x00, 0x02], now: at(6), into: &packets)
        #expect(packets.count == 2)
        #expect(input.nextDeadline == at(11))
        try input.receive([0x00, 0x00, 0x00, 0x00], now: at(7), into: &packets)
        #expect(input.nextDeadline == nil)
    }

    @Test func tooManyBytesDisconnect() throws {
        var input = input(H4Limits(bytesPerSecond: 100))
        var packets: [HCIPacket] = []
        let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
        let second = MonotonicInstant(nanoseconds: 1_000_000_000)
        for _ in 0..<25 { try input.receive(reset, now: .zero, into: &packets) }
        for _ in 0..<25 { try input.receive(reset, now: second, into: &packets) }
        let fault = #expect(throws: H4Input.Fault.self) { try input.receive(reset, now: second, into: &packets) }
        #expect(fault?.description == "expected at most 100 bytes in a second, got 104")
    }
}
