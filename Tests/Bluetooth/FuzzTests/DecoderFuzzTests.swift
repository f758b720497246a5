import BLEPackets
import ByteCodec
import Testing

/// Every decoder: an error, or a value that encodes to bytes which decode to the same value.
@Suite struct DecoderFuzzTests {
    private static let inputs = 100_000

    @Test(arguments: Fuzz.seeds) func attributeProtocol(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "ATT")
        let recorded = try Recordings.attributePDUs()
        let valid = recorded.requests + recorded.answers
        for _ in 0..<Self.inputs {
            var bytes = fuzz.input(near: valid)
            let type = fuzz.any(of: ATTOpcode.pdus)
            if fuzz.once(in: 2), !bytes.isEmpty { bytes[0] = type.opcode.rawValue }
            for type in ATTOpcode.pdus where type.opcode.rawValue == bytes.first {
                let isStable = isStable(type, bytes)
                #expect(isStable, "\(fuzz.place(bytes))")
            }
        }
    }

    private func isStable<PDU: ATTPDU>(_ type: PDU.Type, _ bytes: [UInt8]) -> Bool {
        guard let pdu = try? PDU(decoding: bytes[...]) else { return true }
        let again = pdu.bytes
        return again.count <= bytes.count && (try? PDU(decoding: again[...])) == pdu
    }

    @Test(arguments: Fuzz.seeds) func securityManagerProtocol(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "SMP")
        let valid = try Recordings.securityPDUs()
        for _ in 0..<Self.inputs {
            let bytes = fuzz.input(near: valid, longest: 80)
            for type in SMPOpcode.pdus where type.opcode.rawValue == bytes.first {
                let isExact = isExact(type, bytes)
                #expect(isExact, "\(fuzz.place(bytes))")
            }
        }
    }

    /// These PDUs have unique encodings.
    private func isExact<PDU: SMPPDU>(_ type: PDU.Type, _ bytes: [UInt8]) -> Bool {
        guard let pdu = try? PDU(decoding: bytes[...]) else { return true }
        return pdu.bytes == bytes
    }

    @Test(arguments: Fuzz.seeds) func hostControllerInterface(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "HCI")
        let packets = try Recordings.packets()
        let events = packets.filter { $0.kind == .event }.map(\.bytes)
        let commands = packets.filter { $0.kind == .command }.map(\.bytes)
        for _ in 0..<Self.inputs {
            let bytes = fuzz.input(near: events)
            if let event = try? HCIAnyEvent(decoding: bytes[...]) { decodeAnswer(event) }
            // Each body with every decoder, whatever its type.
            let body = bytes.dropFirst(2)
            let event = fuzz.any(of: HCIEventCode.events)
            var reader = ByteReader(body, subject: "body")
            if let value = try? event.init(from: &reader) {
                #expect(value.packet.bytes.count <= 2 + 1 + body.count, "\(fuzz.place(bytes))")
            }
            let command = fuzz.input(near: commands)
            let type = fuzz.any(of: HCIOpcode.commands)
            if let value = try? type.init(parameters: command.dropFirst(3)) {
                #expect(value.packet.bytes.count == max(3, command.count), "\(fuzz.place(command))")
            }
            _ = try? HCIAnyCommand(decoding: command[...])
        }
    }

    private func decodeAnswer(_ event: HCIAnyEvent) {
        guard let complete = try? HCICommandComplete(event),
            let command = HCIOpcode.commands.first(where: { $0.opcode == complete.command })
        else { return }
        func decode<Command: HCICommand>(_ type: Command.Type) { _ = try? complete.returnParameters(of: type) }
        decode(command)
    }

    @Test(arguments: Fuzz.seeds) func logicalLinkControl(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "L2CAP")
        let valid = try Recordings.packets().filter { $0.kind == .acl }.map { Array($0.bytes.dropFirst(4)) }
        for _ in 0..<Self.inputs {
            let bytes = fuzz.input(near: valid)
            var reader = ByteReader(bytes, subject: "L2CAP frame")
            if let frame = try? L2CAPBasicFrame(from: &reader) {
                #expect(frame.payload.count <= bytes.count - 4, "\(fuzz.place(bytes))")
            }
            var signalling = ByteReader(bytes, subject: "L2CAP signalling packet")
            guard let packet = try? L2CAPSignallingPacket(from: &signalling) else { continue }
            for command in L2CAPSignallingCode.commands { _ = try? command.init(decoding: packet.data) }
        }
    }
}
