import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import Testing

/// What `flash`, `verify` and `image merge` take as files; nothing is built, and no board is needed.
@Suite("Files for a flash", .ownThreads)
struct FlashFilesTests {
    private func run(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        try EspbenchProcess(arguments, folder: folder, input: .nullDevice).run()
    }

    private func write(_ text: String, _ name: String, _ folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private static let hex = ":020000040001F9\n:020000000102FB\n:00000001FF\n"

    @Test("in Intel HEX are decoded, at the address that they say")
    func intelHex() throws {
        try withTemporaryFolder { folder in
            try write(Self.hex, "data.hex", folder)
            let merge = ["image", "merge", "--chip", "esp32", "-o", "all.bin"]
            for words in [["data.hex"], ["0x10000=data.hex"], ["0x10000", "data.hex"]] {
                let merged = try run(merge + words, folder)
                #expect(merged.code == 0, "\(merged.errors)")
                let all = try [UInt8](Data(contentsOf: folder.appending(path: "all.bin")))
                #expect(all.count == 0x1_0002 && all.suffix(2) == [1, 2])
            }
            let raw = try run(merge + ["--raw", "0=data.hex"], folder)
            #expect(raw.code == 0, "\(raw.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "all.bin")) == Data(Self.hex.utf8))
            let flashed = try run(["flash", "data.hex", "--flash-file", "board.flash"], folder)
            #expect(flashed.code == 0, "\(flashed.errors)")
            let flash = try Data(contentsOf: folder.appending(path: "board.flash"))
            #expect(flash[0x1_0000..<0x1_0003].elementsEqual([1, 2, 0xFF]))

            let other = try run(merge + ["0x20000=data.hex"], folder)
            #expect(other.code == ExitReason.usage.rawValue)
            #expect(
                other.errors.contains("the Intel HEX file says, 0x10000, or none, got 0x20000\nhint: "),
                "\(other.errors)")
            try write(":020000000102FC\n", "bad.hex", folder)
            let bad = try run(["flash", "bad.hex"], folder)
            #expect(bad.code == ExitReason.badInput.rawValue)
            #expect(bad.errors.contains("bad.hex: Intel HEX, line 1: expected checksum 0xfb"), "\(bad.errors)")
        }
    }

    @Test("are written as their names say, or not at all")
    func forms() throws {
        try withTemporaryFolder { folder in
            try write("hello", "data.bin", folder)
            try write("UF2\n", "data.uf2", folder)
            try Data([0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E]).write(to: folder.appending(path: "data.uf2"))
            let words = ["image", "merge", "--chip", "esp32", "0x10000=data.bin", "0x20000=data.bin", "-o"]
            for (name, options) in [("all.hex", []), ("all.txt", ["--format", "hex"])] {
                let merged = try run(words + [name] + options, folder)
                #expect(merged.code == 0, "\(merged.errors)")
                let hex = try IntelHex([UInt8](Data(contentsOf: folder.appending(path: name))))
                #expect(hex.blocks.map(\.address) == [0x1_0000, 0x2_0000])
                #expect(hex.blocks.map(\.bytes) == [Array("hello".utf8), Array("hello".utf8)])
            }
            for (arguments, status, text) in [
                (words + ["x.hex", "--format", "raw"], ExitReason.usage, "got that of Intel HEX"),
                (words + ["x.uf2"], .usage, "got that of UF2, which espbench does not write"),
                (
                    ["image", "make", "--chip", "esp32", "data.bin", "-o", "x.hex"], .usage,
                    "since an image has no address"
                ),
                (["partitions", "t.csv", "-o", "x.hex"], .usage, "got that of Intel HEX"),
                (["flash", "0x10000=data.uf2"], .badInput, "got a UF2 file"),
                (["flash", "data.uf2"], .badInput, "got a UF2 file"),
                (
                    ["image", "merge", "--raw", "--flash-mode", "dio", "0=data.bin", "-o", "x.bin"], .usage,
                    "--raw takes the files as they are"
                ),
            ] {
                try write("app,app,factory,0x10000,64K\n", "t.csv", folder)
                let result = try run(arguments, folder)
                #expect(result.code == status.rawValue, "\(arguments): \(result.errors)")
                #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
            }
            for name in ["x.hex", "x.uf2", "x.bin"] {
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: name).path))
            }
        }
    }

    @Test("with an application that is larger than its partition are refused with both sizes")
    func tooLarge() throws {
        try withTemporaryFolder { folder in
            var builder = ImageBuilder(for: .esp32)
            builder.addMapped([UInt8](repeating: 7, count: 0x1_0000)[...])
            let image = try builder.build()
            try Data(image).write(to: folder.appending(path: "app.bin"))
            try write("app,app,factory,0x10000,64K\n", "small.csv", folder)
            try write("app,app,factory,0x10000,128K\n", "large.csv", folder)
            let text = "expected at most 65536 bytes, the size of partition app at 0x10000, got \(image.count)\nhint: "
            for words in [["small.csv", "app.bin"], ["0x10000=app.bin", "--partitions", "small.csv"]] {
                for command in [["image", "merge", "-o", "all.bin"], ["flash", "--flash-file", "board.flash"]] {
                    let refused = try run(command + words, folder)
                    #expect(refused.code == ExitReason.refused.rawValue)
                    #expect(refused.errors.contains(text), "\(refused.errors)")
                }
            }
            let fits = try run(["image", "merge", "-o", "all.bin", "large.csv", "app.bin"], folder)
            #expect(fits.code == 0, "\(fits.errors)")
        }
    }

    @Test("with a partition table that the flash or ESP-IDF does not take are refused, as text and in binary form")
    func tables() throws {
        try withTemporaryFolder { folder in
            try write("app,app,factory,0x10000,1M\nlast,data,spiffs,0x200000,14M\n", "large.csv", folder)
            try write("a,data,ota,0x9000,8K\nb,data,ota,,8K\n", "twice.csv", folder)
            let binary = try run(["partitions", "large.csv", "-o", "large.bin"], folder)
            #expect(binary.code == 0, "\(binary.errors)")
            let merged = try run(["image", "merge", "--chip", "esp32", "large.bin", "-o", "all.bin"], folder)
            #expect(merged.code == 0, "\(merged.errors)")
            let end = "expected an end within the flash of 0x400000 bytes, got 0x1000000"
            let one = "expected one partition of type data and subtype ota, got 2"
            for (arguments, text) in [
                (["flash", "large.bin"], end), (["flash", "0x8000=large.bin"], end), (["flash", "large.csv"], end),
                (["flash", "all.bin"], end), (["flash", "0=all.bin"], end), (["partitions", "twice.csv"], one),
                (["image", "merge", "--chip", "esp32", "twice.csv", "-o", "x.bin"], one),
            ] {
                let refused = try run(
                    arguments + (arguments[0] == "flash" ? ["--flash-file", "board.flash"] : []), folder)
                #expect(refused.code == ExitReason.badInput.rawValue, "\(arguments): \(refused.errors)")
                #expect(refused.errors.contains(text), "\(arguments): \(refused.errors)")
            }
            let raw = try run(["flash", "--raw", "0=all.bin", "--flash-file", "board.flash"], folder)
            #expect(raw.code == 0, "\(raw.errors)")
        }
    }

    @Test("at addresses where nobody looks for them, or that erase settings, are warned of")
    func warnings() throws {
        try withTemporaryFolder { folder in
            try write("n,data,nvs,0x9000,20K\no,data,ota,0xe000,8K\na,app,ota_0,0x10000,1M\n", "t.csv", folder)
            var builder = ImageBuilder(for: .esp32c3)
            let description = [UInt8(0x50), 0, 0, 0] + [UInt8](repeating: 0, count: 76)
            builder.add(description[...], at: 0x3FCD_6000)
            let bootloader = try builder.build()
            builder = ImageBuilder(for: .esp32c3)
            let application = AppDescription(
                version: "1", projectName: "p", time: "", date: "", idfVersion: "",
                elfHash: [UInt8](repeating: 0, count: 32))
            builder.addMapped(application.bytes[...])
            for (name, bytes) in [("boot.bin", bootloader), ("app.bin", try builder.build())] {
                try Data(bytes).write(to: folder.appending(path: name))
            }
            let merge = ["image", "merge", "-o", "all.bin"]
            for (words, warning) in [
                (
                    ["0x1000=boot.bin"],
                    "boot.bin at 0x1000: this is a bootloader; the ROM of the ESP32-C3 looks for it at 0x0"
                ),
                (
                    ["0x0=app.bin"],
                    "app.bin at 0x0: this is an application; bootloaders look for it at 0x10000 or later"
                ),
                (
                    ["t.csv", "0x20000=app.bin"],
                    "this is an application; the partition table has places for applications at 0x10000"
                ),
                (["0=boot.bin", "t.csv", "app.bin"], "all.bin erases the partition n, with the settings and bonds"),
            ] {
                let merged = try run(merge + words, folder)
                #expect(merged.code == 0, "\(merged.errors)")
                #expect(merged.errors.contains("warning: ") && merged.errors.contains(warning), "\(merged.errors)")
            }
            let hex = try run(["image", "merge", "-o", "all.hex", "0=boot.bin", "t.csv", "app.bin"], folder)
            #expect(hex.code == 0 && !hex.errors.contains("warning"), "\(hex.errors)")
            let flashed = try run(["flash", "all.bin", "--force", "--flash-file", "board.flash"], folder)
            #expect(flashed.code == 0, "\(flashed.errors)")
            #expect(flashed.errors.contains("erases the partition n"), "\(flashed.errors)")
        }
    }

    @Test("go to partitions by name, of a table among the files, and fit them")
    func partitions() throws {
        try withTemporaryFolder { folder in
            try write("app,app,factory,0x10000,64K\nstorage,data,spiffs,0x20000,4K\n", "t.csv", folder)
            try write("hello", "rnd.bin", folder)
            try Data(count: 5000).write(to: folder.appending(path: "long.bin"))
            let merge = ["image", "merge", "--chip", "esp32", "-o", "all.bin"]
            for words in [["storage=rnd.bin", "t.csv"], ["storage", "rnd.bin", "--partitions", "t.csv"]] {
                let merged = try run(merge + words, folder)
                #expect(merged.code == 0, "\(merged.errors)")
                let all = try Data(contentsOf: folder.appending(path: "all.bin"))
                #expect(all.count == 0x2_0005 && all.suffix(5) == Data("hello".utf8))
            }
            for (words, status, text) in [
                (
                    ["storage=long.bin", "t.csv"], ExitReason.refused,
                    "at most 4096 bytes, the size of partition storage, got 5000"
                ),
                (["none=rnd.bin", "t.csv"], .badInput, "no partition 'none', expected one of: app, storage\nhint"),
                (["storage=rnd.bin"], .usage, "expected --port or --partitions for the place of partition 'storage'"),
            ] {
                let result = try run(merge + words, folder)
                #expect(result.code == status.rawValue, "\(words): \(result.errors)")
                #expect(result.errors.contains(text), "\(words): \(result.errors)")
            }
        }
    }

    @Test("and options that contradict each other are refused")
    func contradictions() throws {
        try withTemporaryFolder { folder in
            try write("app,app,factory,0x10000,64K\n", "a.csv", folder)
            for (arguments, status, text) in [
                (
                    ["flash", "a.csv", "--partitions", "a.csv"], ExitReason.usage,
                    "expected one partition table, got a.csv and --partitions a.csv"
                ),
                (["erase", "nvs", "phy_init"], .usage, "expected one range, got 'nvs phy_init'\nhint: Give one range"),
                (["md5", "factory", "nvs"], .usage, "expected one range, got 'factory nvs'"),
                (["read", "factory", "nvs", "-o", "x"], .usage, "expected one range, got 'factory nvs'"),
            ] {
                let result = try run(
                    arguments + (arguments[0] == "flash" ? [] : ["--port", "socket://127.0.0.1:1"]), folder)
                #expect(result.code == status.rawValue, "\(arguments): \(result.errors)")
                #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
            }
            try Data([0x7F, 0x45, 0x4C, 0x46, 1, 1, 1]).write(to: folder.appending(path: "ram.elf"))
            let elf = try run(["load-ram", "ram.elf", "--port", "socket://127.0.0.1:1"], folder)
            #expect(elf.code == ExitReason.badInput.rawValue)
            #expect(elf.errors.contains("got an ELF file\nhint: 'espbench image make"), "\(elf.errors)")
        }
    }
}
