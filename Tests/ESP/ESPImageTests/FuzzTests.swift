import ESPImage
import MonotonicTime
import Testing

/// Input (a flash, a file, a serial port) damaged at random places: an error or the same content, never a trap.
@Suite struct FuzzTests {
    private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var result = bytes
        for _ in 0...(random.next() % 4) {
            // Mostly in the headers, which hold lengths and counts.
            let limit = random.next() % 4 == 0 ? result.count : min(result.count, 64)
            result[Int(random.next() % UInt64(limit))] = random.next() % 2 == 0 ? 0xFF : UInt8(random.next() % 256)
        }
        if random.next() % 3 == 0 { result.removeLast(Int(random.next() % UInt64(result.count))) }
        return result
    }

    @Test func damagedImagesNeverTrap() throws {
        let good = try Fixtures.appImage(key: nil)
        let reference = try FirmwareImage(good[...])
        var random = SeededRandom(seed: 4)
        for _ in 0..<5000 {
            if let image = try? FirmwareImage(damaged(good, &random)[...]) {
                #expect(image.segments == reference.segments)
            }
        }
    }

    @Test func damagedHostProgramsNeverTrap() throws {
        let key = try #require(Fixtures.key)
        var program = Fixtures.program
        program.program = Fixtures.bytes(100)[...]
        let sealed = program.seal(key: key, description: Fixtures.description)
        var random = SeededRandom(seed: 5)
        for _ in 0..<5000 {
            let bytes = damaged(sealed, &random)
            if let opened = try? HostProgram.open(
                bytes[...], key: key, description: Fixtures.description.bytes[...])
            {
                #expect(opened == program)
            }
        }
    }

    @Test func damagedPartitionTablesNeverTrap() throws {
        let good = try PartitionTable.arduino4MB.bytes()
        var random = SeededRandom(seed: 6)
        for _ in 0..<5000 {
            // A table without a digest row is accepted; with it only if it is unchanged.
            if let table = try? PartitionTable(damaged(good, &random)[...]) {
                #expect(table.partitions.count <= 95)
            }
        }
        for _ in 0..<5000 { _ = try? PartitionTable(csv: String(decoding: random.bytes(60), as: UTF8.self)) }
    }
}
