import BLECore
import Foundation
import Testing

@Suite struct BLEUUIDTests {
    /// Core 5.4, Vol 3 Part B 2.5.1: a short UUID stands for one on the Bluetooth base UUID.
    @Test(arguments: [
        ("180F", "0000180F-0000-1000-8000-00805F9B34FB"), ("12345678", "12345678-0000-1000-8000-00805F9B34FB"),
        ("0000180f", "180F"), ("180f", "0000180F00001000800000805f9b34fb"),
    ])
    func shortAndLongFormsAreEqual(short: String, long: String) throws {
        let uuid = try #require(BLEUUID(short))
        #expect(uuid == BLEUUID(long))
        #expect(Set([uuid, BLEUUID(long)]).count == 1)
    }

    @Test func theTextFormIsTheShortestInUpperCase() throws {
        #expect(BLEUUID(0x2902).description == "2902")
        #expect(BLEUUID("0000180f-0000-1000-8000-00805f9b34fb")?.description == "180F")
        #expect(BLEUUID(uint32: 0x1234_5678).description == "12345678-0000-1000-8000-00805F9B34FB")
        #expect(
            BLEUUID("ebc0fcc1-2fc3-44b7-94a8-a08d0a0a5079")?.description == "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    }

    @Test(arguments: [
        "", "1", "18", "180", "180F0", "180G", "18 F", "1:8:", "18-0F", "-180F", "0x180F", "1234567", "123456789",
        "18 0F : ", "0000180F-0000-1000-8000-00805F9B34F", "0000180F-0000-1000-8000-00805F9B34FBB",
        "0000180F00001000-8000-00805F9B34FB-", "0000180F-00001-000-8000-00805F9B34FB",
        "{0000180F-0000-1000-8000-00805F9B34F", "0000180F 0000 1000 8000 00805F9B34FB", "０１８０",
    ])
    func invalidTextIsRejected(text: String) {
        #expect(BLEUUID(text) == nil)
    }

    /// Written by Bumble 0.0.236, the first also recorded from NimBLE.
    @Test(arguments: [
        ("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079", "79500a0a8da0a894b744c32fc1fcc0eb"),
        ("12345678-0000-1000-8000-00805F9B34FB", "fb349b5f800000800010000078563412"), ("180F", "0f18"),
    ])
    func pdusContainLittleEndianBytes(text: String, bytes: String) throws {
        let uuid = try #require(BLEUUID(text))
        let expected = try #require(hexadecimal(bytes))
        #expect(uuid.attBytes == expected)
        #expect(BLEUUID(littleEndian: expected) == uuid)
        #expect(BLEUUID(littleEndian: uuid.bytes128) == uuid)
    }

    @Test func theLongFormOfAShortUUIDHas16Bytes() throws {
        #expect(BLEUUID(0x180F).bytes128 == hexadecimal("fb349b5f80000080001000000f180000"))
        #expect(BLEUUID(0x180F).uint16 == 0x180F)
        #expect(BLEUUID(uint32: 0x0001_180F).uint16 == nil)
        #expect(BLEUUID(littleEndian: [0x78, 0x56, 0x34, 0x12] as [UInt8]) == BLEUUID(uint32: 0x1234_5678))
    }

    @Test(arguments: [0, 1, 3, 5, 8, 15, 17, 32])
    func otherLengthsAreRejected(length: Int) {
        #expect(BLEUUID(littleEndian: [UInt8](repeating: 0x18, count: length)) == nil)
    }

    @Test func jsonContainsTheText() throws {
        let uuids = [BLEUUID(0x180F), try #require(BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))]
        let json = try JSONEncoder().encode(uuids)
        #expect(String(decoding: json, as: UTF8.self) == #"["180F","EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"]"#)
        #expect(try JSONDecoder().decode([BLEUUID].self, from: json) == uuids)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([BLEUUID].self, from: Data(#"["18"]"#.utf8)) }
    }
}
