import ByteCodec
import ESPChips
import ESPImage
import Testing

/// Images from ELF files are those of esptool's `elf2image`, byte for byte, for all chips.
@Suite struct ELFImageTests {
    /// Sections as the linker scripts of ESP-IDF make them: adjacent ones, a description, odd lengths, code that needs
    /// padding.
    static func elf(for chip: Chip, pageSize: UInt32 = 0x1_0000) -> [UInt8] {
        let data = chip.memory.flashData.lowerBound
        let isUnified = chip.memory.flashData == chip.memory.flashInstructions
        let code = chip.memory.flashInstructions.lowerBound + (isUnified ? 0x3_0000 : 0)
        let ram = chip.memory.ram[0].lowerBound
        var description = Fixtures.description
        description.elfHash = Array(repeating: 0, count: 32)
        var bytes = description.bytes
        bytes[180] = UInt8(pageSize.trailingZeroBitCount)
        let instructions = chip.memory.ram.count > 1 ? chip.memory.ram[1].lowerBound : ram
        var sections: [(name: String, address: UInt32, bytes: [UInt8])] = [
            (".flash.appdesc", data + 0x20, bytes),
            (".flash.rodata", data + 0x20 + 256, Fixtures.bytes(5003)),
            (".dram0.data", ram + 0x4000, Fixtures.bytes(9001)),
            (".flash.text", code + 0x20, Fixtures.bytes(70_000)),
        ]
        if instructions != ram { sections.insert((".iram0.text", instructions, Fixtures.bytes(3_000)), at: 2) }
        let isXtensa = [Chip.esp32, .esp32s2, .esp32s3].contains(chip)
        return ELFFixture.make(sections, entryPoint: ram + 0x4000, machine: isXtensa ? 94 : 243)
    }

    private static func name(_ chip: Chip) -> String {
        chip.name.lowercased().split(separator: "-").joined()
    }

    private static func theirs(_ elf: [UInt8], _ chip: Chip) throws -> (output: String, image: [UInt8]) {
        let frequency = chip == .esp32h2 ? "48m" : chip == .esp32c2 ? "60m" : "80m"
        let (_, output, image) = try Esptool.run(
            [
                "--chip", name(chip), "elf2image", "--flash-mode", "dio", "--flash-freq", frequency, "--flash-size",
                "4MB", "-o", "out.bin", "in.elf",
            ], files: ["in.elf": elf], result: "out.bin")
        return (output, image)
    }

    @Test(.enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)), arguments: Chip.all)
    func equalsEsptools(chip: Chip) throws {
        let elf = Self.elf(for: chip)
        let (output, theirs) = try Self.theirs(elf, chip)
        let ours = try ImageBuilder(try ELFFile(elf), for: chip).build()
        #expect(ours == theirs, "\(output)")
        let report = try ImageReport(ours[...])
        #expect(report.isValid)
        #expect(report.kind == .application)
        #expect(report.application?.elfHash == (try ELFFile(elf).digest))
    }

    @Test(
        .enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)),
        arguments: [(Chip.esp32c2, UInt32(0x4000)), (.esp32c6, 0x2000), (.esp32c6, 0x8000), (.esp32h2, 0x4000)])
    func equalsEsptoolsForSmallerPages(chip: Chip, pageSize: UInt32) throws {
        let elf = Self.elf(for: chip, pageSize: pageSize)
        let (output, theirs) = try Self.theirs(elf, chip)
        #expect(try ImageBuilder(try ELFFile(elf), for: chip).build() == theirs, "\(output)")
        #expect(try ImageReport(theirs[...]).isValid)
    }

    /// Without options: QIO, the frequency with code 0, 1 MB; and with a range of revisions.
    @Test(.enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)), arguments: Chip.all)
    func equalsEsptoolsDefaults(chip: Chip) throws {
        let elf = Self.elf(for: chip)
        var builder = try ImageBuilder(try ELFFile(elf), for: chip, flash: .elf2image)
        let arguments = ["--chip", Self.name(chip), "elf2image"]
        let plain = try Esptool.run(arguments + ["-o", "out.bin", "in.elf"], files: ["in.elf": elf], result: "out.bin")
        #expect(try builder.build() == plain.file, "\(plain.output)")
        (builder.minimumRevision, builder.maximumRevision) = (101, 399)
        let limited = try Esptool.run(
            arguments + ["--min-rev-full", "101", "--max-rev-full", "399", "-o", "out.bin", "in.elf"],
            files: ["in.elf": elf], result: "out.bin")
        #expect(try builder.build() == limited.file, "\(limited.output)")
    }

    @Test(.enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)))
    func placesTheDigestOfTheELFFileAsEsptoolDoes() throws {
        let elf = ELFFixture.make(
            [(".flash.rodata", 0x3F40_0020, [UInt8](repeating: 0, count: 0x200))], entryPoint: 0x4008_0000)
        var builder = try ImageBuilder(try ELFFile(elf), for: .esp32, flash: .elf2image)
        builder.placeDigest(of: elf, at: 0xB0)
        let theirs = try Esptool.run(
            ["--chip", "esp32", "elf2image", "--elf-sha256-offset", "0xb0", "-o", "out.bin", "in.elf"],
            files: ["in.elf": elf], result: "out.bin")
        #expect(try builder.build() == theirs.file, "\(theirs.output)")
        for offset in [0x10, 0x210, 0x4000] {
            builder.placeDigest(of: elf, at: offset)
            #expect(try ImageError.code { _ = try builder.build() } == .invalidField)
        }
    }

    @Test func anELFFileForAnotherProcessorIsRefused() throws {
        let elf = try ELFFile(Self.elf(for: .esp32c3))
        let error = try #require(throws: ImageError.self) { try ImageBuilder(elf, for: .esp32) }
        #expect(error.code == .wrongChip)
        #expect(error.description.contains("expected machine 94 (xtensa, ESP32), got 243 (riscV)"), "\(error)")
    }

    @Test func brokenELFFilesAreErrors() throws {
        let good = Self.elf(for: .esp32)
        #expect(try ImageError.code { _ = try ELFFile([]) } == .badMagic)
        #expect(try ImageError.code { _ = try ELFFile(Array(good.prefix(40))) } == .truncated)
        #expect(try ImageError.code { _ = try ELFFile(Array(good.prefix(good.count - 100))) } == .truncated)
        var other = good
        other[4] = 2
        #expect(try ImageError.code { _ = try ELFFile(other) } == .invalidField)
        other = good
        other[18] = 62
        #expect(try ImageError.code { _ = try ELFFile(other) } == .invalidField)
        let empty = ELFFixture.make([], entryPoint: 0)
        #expect(try ImageError.code { _ = try ImageBuilder(try ELFFile(empty), for: .esp32) } == .invalidField)
    }

    /// Every truncation and one changed byte at a time: an error or an image, never a trap.
    @Test func damagedELFFilesDoNotTrap() throws {
        let elf = ELFFixture.make([(".dram0.data", 0x3FFB_0000, [1, 2, 3, 4])], entryPoint: 0x4008_0000)
        for index in elf.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = elf
                damaged[index] = value
                if let file = try? ELFFile(damaged) { _ = try? ImageBuilder(file, for: .esp32).build() }
            }
            #expect(throws: ImageError.self) { try ELFFile(Array(elf.prefix(index))) }
        }
    }
}
