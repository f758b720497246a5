import BLECore
import ByteCodec
import Testing

@Suite struct AdvertisingDataTests {
    /// Recorded from NimBLE-Arduino 2.5.1: the advertising data of the calculator in `Tests/Bluetooth/Traces`.
    @Test func recordedDataIsDecodedAndEncoded() throws {
        let bytes = try #require(hexadecimal("020106 100954657374205065726970686572616c"))
        let data = try read(bytes)
        #expect(
            data.structures == [
                .init(type: .flags, data: [0x06]), .init(type: .completeLocalName, data: Array("Test Peripheral".utf8)),
            ])
        #expect(data.localName == "Test Peripheral")
        #expect(data.serviceUUIDs == [])
        #expect(write(data) == bytes)
    }

    /// Written by Bumble 0.0.236.
    @Test func everyKindOfStructureIsDecoded() throws {
        let bytes = try #require(hexadecimal("020106 05020f181218 040853686f 020af4 05ff4c000215"))
        let data = try read(bytes)
        #expect(
            data.structures.map(\.type) == [
                .flags, .incomplete16BitServiceUUIDs, .shortenedLocalName, .txPowerLevel, .manufacturerSpecificData,
            ])
        #expect(data.serviceUUIDs == [BLEUUID(0x180F), BLEUUID(0x1812)])
        #expect(data.localName == "Sho")
        #expect(write(data) == bytes)
    }

    /// Written by Bumble 0.0.236.
    @Test func longServiceUUIDsAreDecoded() throws {
        let bytes = try #require(hexadecimal("110779500a0a8da0a894b744c32fc1fcc0eb"))
        #expect(try read(bytes).serviceUUIDs == [BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")])
    }

    @Test(arguments: [
        (0x02, "0f18", "180F"), (0x03, "0f18", "180F"), (0x04, "78563412", "12345678"), (0x05, "78563412", "12345678"),
        (0x06, "79500a0a8da0a894b744c32fc1fcc0eb", "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"),
        (0x07, "79500a0a8da0a894b744c32fc1fcc0eb", "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"),
    ])
    func allSixServiceListsAreUsed(type: UInt8, bytes: String, text: String) throws {
        let list = AdvertisingData.Structure(type: ADType(rawValue: type), data: try #require(hexadecimal(bytes)))
        #expect(AdvertisingData(structures: [list, list]).serviceUUIDs.count == 2)
        #expect(AdvertisingData(structures: [list]).serviceUUIDs == [BLEUUID(text)])
    }

    @Test func aListWithSurplusBytesGivesTheCompleteUUIDs() {
        let list = AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: [0x0F, 0x18, 0x12])
        #expect(AdvertisingData(structures: [list]).serviceUUIDs == [BLEUUID(0x180F)])
        let short = AdvertisingData.Structure(type: .complete128BitServiceUUIDs, data: [1, 2, 3])
        #expect(AdvertisingData(structures: [short]).serviceUUIDs == [])
    }

    @Test func theCompleteNameIsPreferredToTheShortenedOne() {
        let data = AdvertisingData(structures: [
            .init(type: .shortenedLocalName, data: Array("Calc".utf8)),
            .init(type: .completeLocalName, data: Array("Calculator".utf8)),
        ])
        #expect(data.localName == "Calculator")
        #expect(AdvertisingData().localName == nil)
    }

    @Test func invalidUTF8InANameIsRepaired() {
        let data = AdvertisingData(structures: [.init(type: .completeLocalName, data: [0x43, 0xFF])])
        #expect(data.localName == "C\u{FFFD}")
    }

    /// Core 5.4, Vol 3 Part C 11: a length of zero ends the significant part.
    @Test func zerosAfterTheSignificantPartAreIgnored() throws {
        #expect(try read([2, 1, 6, 0, 0, 9, 9]).structures == [.init(type: .flags, data: [6])])
        #expect(try read([]).structures == [])
        #expect(try read([0]).structures == [])
        #expect(try read([1, 9]).structures == [.init(type: .completeLocalName, data: [])])
    }

    @Test func aStructureLongerThanTheDataIsAnErrorWithItsOffset() {
        #expect(throws: CodecError("Advertising Data", .truncated(expected: 4, got: 2), offset: 5)) {
            try read([2, 1, 6, 5, 9, 0x41, 0x42])
        }
        #expect(throws: CodecError("Advertising Data", .truncated(expected: 1, got: 0), offset: 1)) { try read([5]) }
        #expect(throws: CodecError.self) { try read([0xFF, 9] + Array(repeating: 0x41, count: 29)) }
    }

    /// Every truncation is an error, or ends at a structure and encodes to the same bytes.
    @Test func everyTruncationIsAnErrorOrGivesThePrecedingStructures() throws {
        let bytes = try #require(hexadecimal("020106 05020f181218 040853686f 020af4 05ff4c000215"))
        let ends: Set<Int> = [0, 3, 9, 14, 17, bytes.count]
        for length in 0...bytes.count {
            let cut = Array(bytes[..<length])
            if ends.contains(length) {
                #expect(try write(read(cut)) == cut)
            } else {
                #expect(throws: CodecError.self) { try read(cut) }
            }
        }
    }

    private func read(_ bytes: [UInt8]) throws(CodecError) -> AdvertisingData {
        var reader = ByteReader(bytes, subject: "Advertising Data")
        return try AdvertisingData(from: &reader)
    }

    private func write(_ data: AdvertisingData) -> [UInt8] {
        var writer = ByteWriter()
        data.write(to: &writer)
        return writer.bytes
    }
}
