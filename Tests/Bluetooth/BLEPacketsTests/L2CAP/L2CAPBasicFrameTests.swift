import BLEPackets
import ByteCodec
import Testing

@Suite struct L2CAPBasicFrameTests {
    /// An ATT Read Request of handle 3, as recorded in `nimble-smp-l2cap.jsonl`.
    private let bytes: [UInt8] = [0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00]

    @Test func matchesTheRecordedFrame() throws {
        var reader = ByteReader(bytes, subject: "L2CAP frame")
        let frame = try L2CAPBasicFrame(from: &reader)
        #expect(frame == L2CAPBasicFrame(channel: .attribute, payload: [0x0A, 0x03, 0x00]))
        var writer = ByteWriter()
        frame.write(to: &writer)
        #expect(writer.bytes == bytes)
    }

    @Test func everyTruncationIsAnError() {
        for count in bytes.indices {
            var reader = ByteReader(bytes[..<count], subject: "L2CAP frame")
            #expect(throws: CodecError.self) { try L2CAPBasicFrame(from: &reader) }
        }
    }

    @Test func anEmptyFrameIsValid() throws {
        var reader = ByteReader([0, 0, 6, 0], subject: "L2CAP frame")
        #expect(try L2CAPBasicFrame(from: &reader) == L2CAPBasicFrame(channel: .securityManager, payload: []))
    }

    @Test func aChannelIsDescribedByItsNumber() {
        #expect("\(L2CAPChannelID(rawValue: 0x12AB))" == "CID 0x12AB")
    }
}
