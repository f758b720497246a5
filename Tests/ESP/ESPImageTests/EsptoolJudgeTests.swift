import ESPChips
import ESPImage
import Testing

/// esptool accepts our images, and builds equal ones from the same parts.
@Suite(.enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)))
struct EsptoolJudgeTests {
    @Test(arguments: [Chip.esp32, .esp32s3, .esp32c3, .esp32c6])
    func imageInfoAcceptsAnAppImage(chip: Chip) throws {
        let (status, output, _) = try Esptool.run(
            ["image-info", "app.bin"], files: ["app.bin": try Fixtures.appImage(for: chip)])
        #expect(status == 0, "\(output)")
        for line in [
            "Detected image type: \(chip.name)", "Segments: 2", "Flash size: 4MB", "Flash mode: DIO", "(valid)",
            "Project name: Calculator", "App version: 1.2.3", "Compile time: Nov 21 2026 12:34:56", "ESP-IDF: v5.5.1",
            "ELF file SHA256: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        ] {
            #expect(output.contains(line), "\(line) in \(output)")
        }
        #expect(!output.contains("invalid"), "\(output)")
        #expect(!output.lowercased().contains("warning"), "\(output)")
    }

    @Test func imageInfoDetectsADamagedImage() throws {
        var bytes = try Fixtures.appImage()
        bytes[100] ^= 1
        let (_, output, _) = try Esptool.run(["image-info", "app.bin"], files: ["app.bin": bytes])
        #expect(output.contains("invalid"))
    }

    @Test(arguments: [Chip.esp32, .esp32s3, .esp32c3, .esp32c6])
    func imageInfoAcceptsTheBootloader(chip: Chip) throws {
        let image = try VirtualBootloader.image(for: chip, description: Fixtures.bootloaderDescription)
        let (status, output, _) = try Esptool.run(["image-info", "boot.bin"], files: ["boot.bin": image])
        #expect(status == 0, "\(output)")
        for line in [
            "Detected image type: \(chip.name)", "Bootloader version: 1", "ESP-IDF: v5.5.1",
            "Compile time: Nov 21 2026 12:34:56", "(valid)",
        ] {
            #expect(output.contains(line), "\(line) in \(output)")
        }
        #expect(!output.contains("invalid"), "\(output)")
    }

    @Test func elf2imageGivesTheSameLayout() throws {
        // With these sizes RAM segments fill the gap before the code, and one of them is split.
        let sections: [(name: String, address: UInt32, bytes: [UInt8])] = [
            (".flash.rodata", 0x3F40_0020, Fixtures.bytes(5000)),
            (".dram0.data", 0x3FFB_0000, Fixtures.bytes(9000)),
            (".iram0.text", 0x4008_0000, Fixtures.bytes(60_000)),
            (".flash.text", 0x400D_0020, Fixtures.bytes(70_000)),
        ]
        let elf = ELFFixture.make(sections, entryPoint: 0x4008_0400)
        let (status, output, theirs) = try Esptool.run(
            [
                "--chip", "esp32", "elf2image", "--flash-mode", "dio", "--flash-freq", "80m", "--flash-size", "4MB",
                "-o",
                "out.bin", "in.elf",
            ], files: ["in.elf": elf], result: "out.bin")
        #expect(status == 0, "\(output)")
        var builder = ImageBuilder(for: .esp32, entryPoint: 0x4008_0400)
        for section in sections.reversed() { builder.add(section.bytes[...], at: section.address) }
        let ours = try builder.build()
        #expect(try FirmwareImage(theirs[...], for: .esp32) == FirmwareImage(ours[...], for: .esp32))
        #expect(ours == theirs)
    }

    @Test func elf2imagePadsWithZerosWhenThereIsNoRAM() throws {
        let sections: [(name: String, address: UInt32, bytes: [UInt8])] = [
            (".flash.rodata", 0x3F40_0020, Fixtures.bytes(65_520)), (".flash.text", 0x400D_0020, Fixtures.bytes(400)),
        ]
        let (_, output, theirs) = try Esptool.run(
            [
                "--chip", "esp32", "elf2image", "--flash-mode", "dio", "--flash-freq", "80m", "--flash-size", "4MB",
                "-o",
                "out.bin", "in.elf",
            ], files: ["in.elf": ELFFixture.make(sections, entryPoint: 0)], result: "out.bin")
        var builder = ImageBuilder(for: .esp32)
        for section in sections { builder.add(section.bytes[...], at: section.address) }
        #expect(try builder.build() == theirs, "\(output)")
    }

    @Test func mergeBinGivesTheSameFlashLayout() throws {
        let layout = try FlashLayout(
            chip: .esp32,
            bootloader: try VirtualBootloader.image(for: .esp32, description: Fixtures.bootloaderDescription),
            table: .arduino4MB, app: try Fixtures.appImage(), flashSize: 4 << 20)
        var arguments = ["--chip", "esp32", "merge-bin", "-o", "out.bin"]
        var files: [String: [UInt8]] = [:]
        for (index, region) in layout.regions.enumerated() {
            arguments += ["0x" + String(region.offset, radix: 16), "\(index).bin"]
            files["\(index).bin"] = region.bytes
        }
        let (status, output, theirs) = try Esptool.run(arguments, files: files, result: "out.bin")
        #expect(status == 0, "\(output)")
        #expect(layout.merged() == theirs)
        #expect(layout.regions.map { $0.offset } == [0x1000, 0x8000, 0x1_0000])
    }
}
