import BLEPackets
import ByteCodec
import Testing

@Suite struct HCIACLTests {
    /// Recorded (`nimble-hci-calculator-pair.jsonl`): an SMP request from the controller, and its answer.
    @Test func recordedPacketsDecode() throws {
        let bytes = try #require(Hexadecimal.bytes("01 20 0b00 0700 0600 0102000d100303"))
        let (header, payload) = try HCIACLHeader.decode(bytes)
        #expect(header == HCIACLHeader(handle: 1, boundary: .firstFlushable, length: 11))
        #expect(payload == bytes[4...])
        let answer = try #require(Hexadecimal.bytes("01 00 0b00 0700 0600 02030000100303"))
        #expect(try HCIACLHeader.decode(answer).header.boundary == .firstNonFlushable)
    }

    @Test func flagsAndHandleShareTwoOctets() throws {
        let packet = HCIPacket.acl(handle: 0xEFF, boundary: .continuing, capacity: 2) { $0.append([0xAA, 0xBB]) }
        #expect(packet == HCIPacket(.acl, [0xFF, 0x1E, 0x02, 0x00, 0xAA, 0xBB]))
        var writer = ByteWriter()
        HCIACLHeader(handle: 0xFFFF, boundary: .complete, broadcast: 2, length: 0x1234).write(to: &writer)
        #expect(writer.bytes == [0xFF, 0xBF, 0x34, 0x12])
        var reader = ByteReader(writer.bytes, subject: "test")
        let header = try HCIACLHeader(from: &reader)
        #expect(header == HCIACLHeader(handle: 0xFFF, boundary: .complete, broadcast: 2, length: 0x1234))
    }

    @Test(arguments: ["", "01", "0120", "012002", "01200200", "01200200aa", "01200200aabbcc"])
    func wrongLengthsAreErrors(hexadecimal: String) throws {
        let bytes = try #require(Hexadecimal.bytes(hexadecimal))
        #expect(throws: CodecError.self) { try HCIACLHeader.decode(bytes) }
    }
}
