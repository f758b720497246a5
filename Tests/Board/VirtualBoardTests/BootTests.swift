import ByteCodec
import ESPChips
import ESPImage
import Foundation
import MonotonicTime
import Testing
import VirtualBoard

@Suite struct BootTests {
    private func boot(_ flash: NORFlash, key: HostProgramKey? = FlashContents.key) -> PlayedBoard {
        let board = PlayedBoard(flash, key: key)
        board.play { $0.powerOn(at: $1) }
        board.pass(.milliseconds(800))
        return board
    }

    private let powerOn = "ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"

    @Test func aValidImageIsStarted() throws {
        let board = boot(try FlashContents.bootable())
        #expect(
            board.console == powerOn + """
                configsip: 0, SPIWP:0xee\r
                clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r
                mode:DIO, clock div:1\r
                load:0x3ffae000,len:108\r
                entry 0x00000000\r

                """)
        #expect(board.chipEvents == [.started(.powerOn, .flash), .applicationStarted])
        let application = try #require(board.applications.first?.0)
        #expect(Array(application.program.program) == FlashContents.program)
        #expect(application.program.abi == "test")
        #expect(application.description?.projectName == "test")
        #expect(application.offset == 0x10000)
    }

    @Test func anErasedFlashResetsRepeatedlyByTheWatchdog() throws {
        let board = PlayedBoard(try FlashContents.flash([]))
        board.play { $0.powerOn(at: $1) }
        board.pass(.milliseconds(900))
        let lines = String(repeating: "invalid header: 0xffffffff\r\n", count: 8)
        #expect(
            board.console == powerOn + lines
                + "ets Jul 29 2019 12:21:46\r\n\r\nrst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n")
        board.pass(.seconds(10))
        #expect(board.chipEvents.count == 14, "one in 0.805 s")
    }

    @Test func aDamagedBootloaderIsNotExecuted() throws {
        var image = try FlashContents.bootloader()
        image[100] ^= 1
        let right = try FlashContents.bootloader()
        let sum = UInt8(right[(right.count - 33)])
        let wrong = "csum err:0x\(Hexadecimal.string([sum ^ 1]))!=0x\(Hexadecimal.string([sum]))\r\nets_main.c 384 \r\n"
        #expect(boot(try FlashContents.bootable(bootloader: image)).console.contains(wrong))
        var foreign = right
        foreign[12] = 5
        let repeated = String(repeating: "wrong chip id 0x0005\r\n", count: 8)
        let erased = PlayedBoard(try FlashContents.bootable(bootloader: foreign))
        erased.play { $0.powerOn(at: $1) }
        erased.pass(.milliseconds(900))
        #expect(erased.console.hasPrefix(powerOn + repeated + "ets Jul"), "\(erased.console)")
        let cut = Array(try FlashContents.bootloader().prefix(40))
        #expect(!boot(try FlashContents.bootable(bootloader: cut)).chipEvents.contains(.applicationStarted))
    }

    /// The texts of the ESP32-C3's genuine ROM for the same faults.
    @Test func theNewerROMNamesTheFault() throws {
        func lines(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> [String] {
            var image = try VirtualBootloader.image(
                for: .esp32c3, description: BootloaderDescription(version: 1, idfVersion: "v5.5", dateTime: "now"))
            change(&image)
            let board = PlayedBoard(try FlashContents.flash([(0, image)]), chip: .esp32c3)
            board.play { $0.powerOn(at: $1) }
            board.pass(.milliseconds(900))
            return board.console.components(separatedBy: "\r\n")
        }
        let banner = ["ESP-ROM:esp32c3-api1-20210207", "Build:Feb  7 2021"]
        let start = banner + ["rst:0x1 (POWERON),boot:0xc (SPI_FAST_FLASH_BOOT)"]
        let again = banner + ["rst:0x10 (RTCWDT_RTC_RST),boot:0xc (SPI_FAST_FLASH_BOOT)"]
        let failed = ["ets_main.c 333 "] + again
        let good = try lines()
        #expect(good.starts(with: start + ["SPIWP:0xee"]))
        let load = try #require(good.first { $0.hasPrefix("load:0x") })
        #expect(load.contains(",len:0x"))
        #expect(good.dropLast().last?.hasPrefix("entry 0x") ?? false, "\(good)")
        let chip = ["Invalid chip id. Expected 5 read 0. Bootloader for wrong chip?"]
        #expect(try lines { $0[12] = 0 }.starts(with: start + chip + failed))
        #expect(try lines { $0[1] = 17 }.starts(with: start + ["Invalid image block count: 17 (max 16)"] + failed))
        #expect(try lines { $0[1] = 255 }[3].hasSuffix("ffe9"))
        let sum = try lines { $0[40] ^= 1 }.dropFirst(5).drop { $0.hasPrefix("load:") }
        #expect(sum.first?.hasPrefix("Checksum failure. Calculated 0x") ?? false, "\(sum)")
        #expect(sum.dropFirst().starts(with: failed))
        let hash = try lines { $0[$0.count - 1] ^= 1 }.dropFirst(5).drop { $0.hasPrefix("load:") }.map(\.self)
        #expect(hash.first == "SHA-256 comparison failed:" && hash[3] == "Attempting to boot anyway...", "\(hash)")
        let digests = hash[1...2].compactMap { $0.split(separator: ": ").last }
        #expect(digests[0].dropLast(2) == digests[1].dropLast(2) && digests[0] != digests[1])
        #expect(hash[4].hasPrefix("entry 0x"))
        // Without a digest the ROM takes what follows for it.
        let bare = try lines {
            $0[23] = 0
            $0.removeLast(32)
        }.dropFirst(5).drop { $0.hasPrefix("load:") }.map(\.self)
        try #require(bare.count > 3, "\(bare)")
        #expect(bare.first == "SHA-256 comparison failed:" && bare[3] == "Attempting to boot anyway...", "\(bare)")
        #expect(bare[2] == "Expected: " + String(repeating: "f", count: 64))
        #expect(bare[1].count == 12 + 64 && bare[1] != hash[1])
        #expect(try lines { $0[2] = 4 }[4] == "mode:FAST_RD, clock div:1")
        #expect(try lines { $0.removeLast($0.count - 24) }[4...5] == ["mode:DIO, clock div:1", "ets_loader.c 78 "])
    }

    /// The lines after the ROM's, without their times, up to the reset.
    private func refusal(_ flash: NORFlash, key: HostProgramKey? = FlashContents.key) -> [String] {
        let board = boot(flash, key: key)
        #expect(board.applications.isEmpty)
        return board.console.split(separator: "\r\n").drop { !$0.hasPrefix("entry") }.dropFirst()
            .prefix { !$0.hasPrefix("ets") }
            .map { String($0.drop { $0 != ")" }.dropFirst(2)) }
    }

    private static func word(_ bytes: inout [UInt8], _ offset: Int, _ value: UInt32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    }

    @Test func partitionTables() throws {
        func lines(_ change: (inout [UInt8]) -> Void) throws -> [String] {
            var table = try PartitionTable.arduino4MB.bytes()
            change(&table)
            return refusal(try FlashContents.bootable(table: table))
        }
        let end = ["boot: Failed to verify partition table", "boot: load partition table error!"]
        let erased = try lines { $0 = [] }
        #expect(erased == ["flash_parts: partition 0 invalid magic number 0xffff"] + end)
        let broken = try lines { $0[64] = 0 }
        #expect(broken == ["flash_parts: partition 2 invalid magic number 0x5000"] + end)
        let changed = try lines { $0[44] = 0 }
        #expect(changed == ["flash_parts: Incorrect MD5 checksum"] + end)
        let large = try lines { Self.word(&$0, 40, 0x400000) }
        #expect(
            large == [
                "flash_parts: partition 1 invalid - offset 0xe000 size 0x400000 exceeds flash chip size 0x400000"
            ] + end)
        let endless = try lines { table in
            for row in stride(from: 0, to: table.count, by: 32) {
                table.replaceSubrange(row..<row + 32, with: table[..<32])
            }
        }
        #expect(endless == ["flash_parts: partition table has no terminating entry, not valid"] + end)
    }

    @Test func applicationImages() throws {
        let good = try FlashContents.app()
        func line(_ change: (inout [UInt8]) -> Void) throws -> String {
            var image = good
            change(&image)
            let lines = refusal(try FlashContents.bootable(app: image))
            #expect(
                lines.dropFirst() == [
                    "boot: OTA app partition slot 0 is not bootable",
                    "esp_image: image at 0x150000 has invalid magic byte (nothing flashed here?)",
                    "boot: OTA app partition slot 1 is not bootable",
                    "boot: No bootable app partitions in the partition table",
                ])
            return lines.first ?? ""
        }
        #expect(try line { $0 = [] } == "esp_image: image at 0x10000 has invalid magic byte (nothing flashed here?)")
        #expect(try line { $0[12] = 5 } == "boot_comm: mismatch chip ID, expected 0, found 5")
        #expect(
            try line {
                $0[15] = 0x2D; $0[16] = 1
            }
                == "boot_comm: chip revision check failed. Required >= v3.1, found v3.0.")
        #expect(try line { $0[1] = 17 } == "esp_image: image at 0x10000 segment count 17 exceeds max 16")
        #expect(try line { Self.word(&$0, 28, 301) } == "esp_image: invalid segment length 0x12d")
        #expect(
            try line { Self.word(&$0, 28, 16) }
                == "esp_image: Segment 0: length 0x10 is too short for app description")
        #expect(
            try line { Self.word(&$0, 24, 0x3F40_0024) }
                == "esp_image: Segment 0 load address 0x3f400024, doesn't match data 0x00010020")
        #expect(
            try line { Self.word(&$0, 24, 0x6000_0000) }
                == "esp_image: Segment 0 0x60000000-0x6000012c invalid: bad load address range")
        #expect(
            try line { Self.word(&$0, 28, 0xF0_0000) } == "esp_image: bootloader_mmap(0x10020, 0xf00000) failed")
        #expect(try line { $0[200] ^= 1 }.hasPrefix("esp_image: Checksum failed. Calculated 0x"))
        #expect(try line { $0[4] ^= 1 } == "esp_image: Image hash failed - image is corrupt")
        #expect(try line { $0 = Array($0.prefix(150)) }.hasPrefix("esp_image: "), "as after a loss of power")
    }

    @Test func anImageLargerThanItsPartitionIsRefused() throws {
        let table = PartitionTable([
            Partition(name: "app", kind: .app, subtype: 0x00, offset: 0x10000, size: 0x100)
        ])
        let lines = refusal(try FlashContents.bootable(table: table.bytes()))
        #expect(
            lines == [
                "esp_image: Image length \(try FlashContents.app().count) doesn't fit in partition length 256",
                "boot: Factory app partition is not bootable",
                "boot: No bootable app partitions in the partition table",
            ])
    }

    @Test func nativeCodeOfOtherUsersIsNeverExecuted() throws {
        let foreign = HostProgramKey([UInt8](repeating: 8, count: HostProgramKey.length))
        #expect(
            refusal(try FlashContents.bootable(app: FlashContents.app(sealedWith: foreign))) == [
                "espbench: image at 0x10000 carries native code that this user's espbench did not build: not executed"
            ])
        #expect(
            refusal(try FlashContents.bootable(), key: nil) == [
                "espbench: image at 0x10000 carries native code, and this board has no key to run any"
            ])
        #expect(
            refusal(try FlashContents.bootable(app: FlashContents.app(sealedWith: nil))) == [
                "espbench: image at 0x10000 has no program for a virtual board; build it with espbench build"
            ])
    }

    @Test func randomFlashContentsNeverTrap() throws {
        var random = SeededRandom(seed: 3)
        let app = try FlashContents.app()
        let table = try PartitionTable.arduino4MB.bytes()
        let bootloader = try FlashContents.bootloader()
        for _ in 0..<150 {
            func damaged(_ bytes: [UInt8]) -> [UInt8] {
                var result = bytes
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    result[Int.random(in: 0..<min(400, result.count), using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                return result
            }
            let flash = try FlashContents.bootable(
                bootloader: damaged(bootloader), table: damaged(table), app: damaged(app))
            #expect(!boot(flash).console.isEmpty)
        }
    }
}
