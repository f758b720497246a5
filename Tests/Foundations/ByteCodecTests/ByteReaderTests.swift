import ByteCodec
import Testing

@Suite struct ByteReaderTests {
    @Test func readsLittleAndBigEndianFields() throws {
        var reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xFF], subject: "Test PDU")
        #expect(try reader.uint16() == 0x0201)
        #expect(try reader.uint16BigEndian() == 0x0304)
        #expect(try reader.uint24() == 0x070605)
        #expect(try reader.slice(3) == [8, 9, 10])
        #expect(try reader.int8() == -1)
        try reader.end()
    }

    @Test func everyReadPastTheEndIsAnErrorWithItsOffset() {
        var reader = ByteReader([1], subject: "ATT Read Response")
        #expect(throws: CodecError("ATT Read Response", .truncated(expected: 4, got: 1), offset: 0)) {
            try reader.uint32()
        }
        #expect(
            CodecError("ATT Read Response", .truncated(expected: 4, got: 1), offset: 0).description
                == "ATT Read Response: expected at least 4 more bytes, got 1 (at offset 0)")
    }

    @Test func bytesLeftOverAreAnError() {
        let reader = ByteReader([1, 2], subject: "Test PDU")
        #expect(throws: CodecError("Test PDU", .trailing(count: 2), offset: 0)) { try reader.end() }
    }

    @Test func aNegativeCountIsAnErrorNotATrap() {
        var reader = ByteReader([1, 2], subject: "Test PDU")
        #expect(throws: CodecError.self) { try reader.slice(-1) }
    }
}
