import BLEPackets
import ByteCodec
import Testing

@Suite("Kinds of PDU") struct PDUKindTests {
    /// The first ACL packet of a frame on `channel`.
    private func packet(_ channel: L2CAPChannelID, _ payload: [UInt8]) -> [UInt8] {
        HCIPacket.acl(handle: 1, boundary: .firstFlushable, capacity: 4 + payload.count) { writer in
            writer.uint16(UInt16(payload.count))
            writer.uint16(channel.rawValue)
            writer.append(payload)
        }.bytes
    }

    @Test("Requests and their responses are the specification's")
    func requestsAndResponses() {
        // Core 5.4, Vol 3 Part F 3.4.8.
        #expect(
            ATTOpcode.requests.map(\.rawValue).sorted()
                == [0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20])
        #expect(
            ATTOpcode.responses.map(\.rawValue).sorted()
                == [0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21])
    }

    @Test(
        "matches by channel and first octet",
        arguments: [
            (.frame, [true, true, true, true, true]), (.attribute(nil), [true, true, true, false, false]),
            (.attribute(.readResponse), [false, true, false, false, false]),
            (.attributeRequest, [true, false, false, false, false]),
            (.attributeResponse, [false, true, false, false, false]),
            (.securityManager(nil), [false, false, false, true, false]),
            (.securityManager(.pairingRandom), [false, false, false, false, false]),
            (.signalling(nil), [false, false, false, false, true]),
            (.linkControl(opcodes: []), [false, false, false, false, false]),
        ] as [(PDUKind, [Bool])])
    func matches(kind: PDUKind, expected: [Bool]) {
        let packets = [
            packet(.attribute, [0x0A, 1, 0]), packet(.attribute, [0x0B]), packet(.attribute, []),
            packet(.securityManager, [0x03]), packet(.signalling, [0x12]),
        ]
        #expect(packets.map { kind.matches(firstPacket: $0) } == expected)
        for length in 0..<8 { #expect(!kind.matches(firstPacket: Array(packets[0].prefix(length)))) }
    }
}
