import ByteCodec
import ESPImage
import Testing

@Suite struct PartitionTableTests {
    /// The example table of ESP-IDF's own test of `gen_esp32part.py` (its `LONGER_BINARY_TABLE`), with the digest
    /// that program computed.
    private static let idfTable =
        "aa50 0000 00000100 00001000 666163746f72790000000000 00000000 00000000"
        + "aa50 0120 00001100 00020000 646174610000000000000000 00000000 00000000"
        + "aa50 1000 00001500 00100000 7365636f6e64000000000000 00000000 00000000"
        + "ebeb ffffffffffffffffffffffffffff f9bd061b45686f86571a2cd52a1da65b"

    @Test func aTableOfESPIDFIsEncodedToTheSameBytes() throws {
        let expected = try #require(Hexadecimal.bytes(Self.idfTable))
        let table = PartitionTable([
            Partition(name: "factory", kind: .app, subtype: 0, offset: 0x1_0000, size: 1 << 20),
            Partition(name: "data", kind: .data, subtype: 0x20, offset: 0x11_0000, size: 0x200),
            Partition(name: "second", kind: .init(rawValue: 0x10), subtype: 0, offset: 0x15_0000, size: 0x1000),
        ])
        let bytes = try table.bytes()
        #expect(bytes.count == PartitionTable.length)
        #expect(bytes.prefix(expected.count) == expected[...])
        #expect(bytes.dropFirst(expected.count).allSatisfy { $0 == 0xFF })
        #expect(try PartitionTable(bytes[...]) == table)
        #expect(try PartitionTable(expected[...]) == table)
    }

    @Test func theDigestEqualsThatOfESPIDF() throws {
        let bytes = try PartitionTable(csv: "first, 0x30, 0xEE, 0x100400, 0x300000\n").bytes()
        #expect(Hexadecimal.string(bytes[48..<64]) == "43033f334087575169839b4061b12726")
    }

    @Test func theDefaultTableIsArduinos() throws {
        let csv = """
            # Name,   Type, SubType, Offset,  Size, Flags
            nvs,      data, nvs,     0x9000,  0x5000,
            otadata,  data, ota,     0xe000,  0x2000,
            app0,     app,  ota_0,   0x10000, 0x140000,
            app1,     app,  ota_1,   0x150000,0x140000,
            spiffs,   data, spiffs,  0x290000,0x160000,
            coredump, data, coredump,0x3F0000,0x10000,
            """
        #expect(try PartitionTable(csv: csv) == .arduino4MB)
        try PartitionTable.arduino4MB.check(flashSize: 4 << 20)
        #expect(PartitionTable.arduino4MB.defaultApp?.name == "app0")
        #expect(PartitionTable.arduino4MB.named("nvs")?.offset == 0x9000)
    }

    @Test func missingOffsetsFollowThePreviousPartition() throws {
        let table = try PartitionTable(
            csv: "first,app,factory,,1M\nsecond,data,0x15,,1M\nsmall,data,0x40,,32K\nother,app,ota_3,,-4M,readonly\n")
        #expect(table.partitions.map { $0.offset } == [0x1_0000, 0x11_0000, 0x21_0000, 0x22_0000])
        #expect(table.partitions[3].end == 4 << 20)
        #expect(table.partitions[3].subtype == 0x13)
        #expect(table.partitions[3].flags == 2)
    }

    @Test(arguments: [
        ("app", "line 1: expected name, type"), ("\n, app, factory,, 1M", "line 2: expected a name"),
        ("a, thing, 0,, 1M", "the type app, data"), ("a, app, nvs,, 1M", "a subtype of app"),
        ("a, app, 256,, 1M", "a subtype of app"), ("a, app, 0, x, 1M", "an offset such as"),
        ("a, app, 0, , ", "a size such as"), ("a, app, 0, , 99999999M", "a size such as"),
        ("a, app, 0, , 1M, secret", "the flags"), ("a, app, 0, 0xFFFF0000, 1M", "beyond 4 GB"),
        ("a, app, 0, +1, 1M", "an offset such as"),
        ("a, data, 0, 0xFFFF0000, 0xF000\nb, app, 0, , 1M", "line 2: the partition begins beyond 4 GB"),
    ])
    func syntaxErrorsNameTheLine(csv: String, expected: String) throws {
        let error = try #require(throws: ImageError.self) { try PartitionTable(csv: csv) }
        #expect(error.code == .syntax)
        #expect(error.description.contains(expected), "\(error)")
    }

    @Test(arguments: [
        ("a,app,0,0x10000,1M\nb,app,ota_0,0x100000,1M", "expected to begin after a"),
        ("a,app,0,0x10000,1M\na,app,ota_0,,1M", "expected a unique name"),
        ("a,app,0,32K,1M", "a multiple of 0x10000"), ("a,data,nvs,0x1000,0x1000", "an offset from 0x9000"),
        ("a,app,0,0x10000,4M", "expected an end within the flash of 0x400000 bytes"),
        (
            "a,data,ota,0x9000,8K\nb,data,ota,,8K",
            "partition b: expected one partition of type data and subtype ota, got 2"
        ),
        ("a,data,ota,0x9000,4K", "partition a: expected a size of 0x2000, two sectors of OTA data, got 0x1000"),
        ("a,data,tee_ota,0x9000,4K", "expected a size of 0x2000"),
        ("a,data,nvs,0x9000,8K", "expected at least 0x3000 bytes for NVS, or the flag readonly, got 0x2000"),
        ("a,data,coredump,0x9000,64K,readonly", "a partition that can be written"),
        ("a,app,0,0x10000,0x10800", "a size that is a multiple of 0x1000, got 0x10800"),
    ])
    func layoutErrorsAreReported(csv: String, expected: String) throws {
        let error = try #require(throws: ImageError.self) {
            try PartitionTable(csv: csv).check(flashSize: 4 << 20)
        }
        #expect(error.code == .layout)
        #expect(error.description.contains(expected), "\(error)")
    }

    /// What `gen_esp32part.py` accepts: an NVS partition of any size that is only read, and the parts before all others.
    @Test func layoutsOfESPIDFAreAccepted() throws {
        let csv =
            "b,bootloader,primary,0x1000,0x7000\np,partition_table,primary,0x8000,0x1000\n"
            + "n,data,nvs,0x9000,4K,readonly\no,data,ota,0xa000,8K\na,app,ota_0,0x10000,0x101000\n"
        try PartitionTable(csv: csv).check(flashSize: 4 << 20)
    }

    @Test func malformedBytesHaveTheirErrorCodes() throws {
        let good = try PartitionTable.arduino4MB.bytes()
        func code(_ change: (inout [UInt8]) -> Void) throws -> ImageError.Code? {
            var bytes = good
            change(&bytes)
            return try ImageError.code { _ = try PartitionTable(bytes[...]) }
        }
        #expect(try code { _ in } == nil)
        #expect(try code { $0[5] ^= 1 } == .hash)
        #expect(try code { $0[0] = 0 } == .badMagic)
        #expect(try code { $0 = Array(repeating: 0xFF, count: $0.count) } == .badMagic)
        #expect(try code { $0 = [] } == .badMagic)
        #expect(try code { $0 = Array($0.prefix(40)) } == .truncated)
    }

    @Test func theNumberOfPartitionsIsLimited() throws {
        let one = Partition(name: "x", kind: .data, subtype: 6, offset: 0x9000, size: 0x1000)
        let most = PartitionTable(Array(repeating: one, count: 94))
        #expect(try PartitionTable(try most.bytes()[...]) == most)
        #expect(throws: ImageError.self) { try PartitionTable(Array(repeating: one, count: 95)).bytes() }
    }
}
