import ESPImage
import Testing

@Suite("Intel HEX files")
struct IntelHexTests {
    private func parse(_ lines: String...) throws -> IntelHex {
        try IntelHex(Array(lines.joined(separator: "\n").utf8))
    }

    @Test("hold data at their addresses, also with gaps, in any order and with Windows line ends")
    func blocks() throws {
        let hex = try parse(
            ":020000040001F9\r", ":0201000003 04F6".replacing(" ", with: ""), ":020000000102FB\r", ":020002000506F1\r",
            ":0400000500000000F7", ":00000001FF\r", "")
        #expect(hex.blocks.map(\.address) == [0x1_0000, 0x1_0100])
        #expect(hex.blocks.map(\.bytes) == [[1, 2, 5, 6], [3, 4]])
        // A sector is erased as a whole.
        let regions = hex.regions(name: "a")
        #expect(regions.map(\.offset) == [0x1_0000])
        #expect(regions.first?.bytes.count == 0x102)
        #expect(regions.first?.bytes[4..<0x100].allSatisfy { $0 == 0xFF } == true)
    }

    @Test("hold segment addresses")
    func segments() throws {
        let hex = try parse(":020000021000EC", ":0100100001EE", ":00000001FF")
        #expect(hex.blocks.map(\.address) == [0x1_0010])
    }

    @Test(
        "with a fault are refused with the line",
        arguments: [
            ([":020000000102FC", ":00000001FF"], "line 1: expected checksum 0xfb, got 0xfc"),
            ([":020000000102FB", "hello"], "line 2: expected a record, which begins with a colon"),
            ([":020000000102FB", ":00"], "line 2: expected 10 digits, got 2"),
            ([":0200000001G2FB"], "line 1: expected hexadecimal digits, got the byte 0x47"),
            ([":020000000102FB"], "line 1: expected the end record"),
            ([":00000001FF"], "line 1: expected data, got none"),
            ([":00000006FA"], "line 1: expected a record type 00 to 05, got 0x06"),
            ([":0100000401FA"], "line 1: expected 2 bytes in a record of type 0x04, got 1"),
            ([":00000001FF", ":00000001FF"], "line 2: expected nothing after the end record"),
            (
                [":020000044008B2", ":0100000001FE"],
                "line 2: expected addresses of a flash, below 0x8000000, got 0x40080000"
            ),
            ([":020000000102FB", ":0100010001FD", ":00000001FF"], "expected each address once, got data at 0x1 twice"),
        ])
    func faults(lines: [String], text: String) {
        let error = #expect(throws: ImageError.self) { try IntelHex(Array(lines.joined(separator: "\n").utf8)) }
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test(
        "are written so that esptool reads them", .enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)))
    func written() throws {
        let data = (0..<70_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let layout = try FlashLayout([
            .init(name: "a", offset: 0xFFF4, bytes: data), .init(name: "b", offset: 0x3F_0000, bytes: [1, 2, 3]),
        ])
        let text = Array(IntelHex.text(layout).utf8)
        #expect(try IntelHex(text).blocks.map(\.bytes) == [data, [1, 2, 3]])
        let (status, output, file) = try Esptool.run(
            ["--chip", "esp32", "merge-bin", "-o", "all.bin", "0", "ours.hex"], files: ["ours.hex": text],
            result: "all.bin")
        #expect(status == 0, "\(output)")
        #expect(file == layout.merged(), "\(output)")
    }

    @Test("are written up to the end of the largest flash")
    func lastAddress() throws {
        let region = FlashLayout.Region(name: "a", offset: 0x7FF_FFF0, bytes: Array(repeating: 7, count: 16))
        let blocks = try IntelHex(Array(IntelHex.text(try FlashLayout([region])).utf8)).blocks
        #expect(blocks.map(\.address) == [0x7FF_FFF0] && blocks.first?.end == IntelHex.addressLimit)
    }

    @Test(
        "of esptool hold what it merged", .enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)))
    func esptool() throws {
        let data = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let table = try PartitionTable.arduino4MB.bytes()
        let (status, output, file) = try Esptool.run(
            [
                "--chip", "esp32", "merge-bin", "--format", "hex", "-o", "all.hex", "0x8000", "table.bin", "0x10000",
                "data.bin",
            ], files: ["table.bin": table, "data.bin": data], result: "all.hex")
        #expect(status == 0, "\(output)")
        #expect(IntelHex.isLikely(file))
        let merged = try FlashLayout(try IntelHex(file).regions(name: "all.hex")).merged()
        #expect(Array(merged[0x8000..<0x8000 + table.count]) == table)
        #expect(Array(merged[0x1_0000...].prefix(data.count)) == data)
    }
}
