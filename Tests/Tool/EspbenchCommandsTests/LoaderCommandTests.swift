import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import Testing

/// The commands on a board's loader, with the real program against a served virtual board.
@Suite("commands on a board", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct LoaderCommandTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The digest of 4096 bytes of FF.
    private static let erasedSector = "6ae59e64850377ee5470c854761551ea"

    /// Runs `body` with the address of a served board's port.
    func withBoard(
        _ folder: URL, _ options: [String] = ["Tests/Board/Sketches/BootButton"], _ body: (String) throws -> Void
    ) throws {
        let words = options.map { $0.contains("/") ? Self.root.appending(path: $0).path : $0 }
        let served = EspbenchProcess(["serve", "--socket", "0"] + words, folder: folder, input: .nullDevice)
        try served.process.run()
        defer {
            served.process.terminate()
            served.process.waitUntilExit()
        }
        let line = served.waitForData(lines: 1)
        let address = try #require(line.split(separator: " ").first.map(String.init), "\(line)")
        try body(address)
    }

    func run(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        try EspbenchProcess(arguments, folder: folder, input: .nullDevice).run()
    }

    @Test("write, read, compare, digest and erase what they say")
    func session() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder) { port in
                let data = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
                try data.write(to: folder.appending(path: "data.bin"))
                let written = try run(["flash", "0x300000=data.bin", "--port", port, "--json"], folder)
                #expect(written.code == 0, "\(written.output)\(written.errors)")
                let result = try #require(written.output.split(separator: "\n").last)
                #expect(result.contains(#""ok":true"#) && result.contains(#""total":50000"#), "\(result)")
                let again = try run(["flash", "0x300000", "data.bin", "--port", port], folder)
                #expect(
                    again.errors.contains("verified 50000 bytes: all were in the flash already\n"), "\(again.errors)")

                let read = try run(["read", "0x300000", "50000", "-o", "back.bin", "--port", port], folder)
                #expect(read.code == 0, "\(read.errors)")
                #expect(try Data(contentsOf: folder.appending(path: "back.bin")) == data)
                let range = try run(["read", "0x300000-0x30c350", "range.bin", "--port", port], folder)
                #expect(range.code == 0, "\(range.errors)")
                #expect(try Data(contentsOf: folder.appending(path: "range.bin")) == data)
                let backwards = try run(["read", "0x30c350-0x300000", "range.bin", "--port", port], folder)
                #expect(backwards.code == 64)
                #expect(backwards.errors.contains("hint: Ranges: nvs, 0x9000 0x5000"), "\(backwards.errors)")
                #expect(try run(["verify", "0x300000=data.bin", "--port", port], folder).code == 0)

                let table = try run(["partitions", "--port", port, "--to", "csv", "-o", "table.csv"], folder)
                #expect(table.code == 0, "\(table.errors)")
                let csv = try String(contentsOf: folder.appending(path: "table.csv"), encoding: .utf8)
                #expect(csv == PartitionTable.arduino4MB.csv)

                let erased = try run(["erase", "0x300000", "0x1000", "--port", port], folder)
                #expect(erased.code == 0, "\(erased.errors)")
                let differs = try run(["verify", "0x300000=data.bin", "--port", port], folder)
                #expect(differs.code == ExitReason.mismatch.rawValue)
                #expect(
                    differs.errors.contains("the flash differs from data.bin at 0x300000-0x301000\n"),
                    "\(differs.errors)")
                let digest = try run(["md5", "0x300000", "0x1000", "--port", port], folder)
                #expect(digest.output == "\(Self.erasedSector)  \(port)\n", "\(digest.output)")
                let facts = try run(["info", "--port", port, "--json"], folder)
                #expect(facts.output.contains(#""chip":"ESP32""#), "\(facts.output)")
            }
        }
    }

    @Test("write the flash to its end when the reader of their JSON leaves")
    func closedPipe() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder) { port in
                let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
                try data.write(to: folder.appending(path: "data.bin"))
                let cut = try EspbenchProcess(
                    ["flash", "--raw", "0x300000=data.bin", "--port", port, "--json"], folder: folder,
                    input: .nullDevice, shell: #"{ "$@"; echo "exit $?" >&2; } | head -n 6"#
                ).run()
                #expect(cut.output.split(separator: "\n").count == 6, "\(cut.output)")
                // 128 + SIGPIPE, after the work.
                #expect(cut.errors == "exit 141\n", "\(cut.errors)")
                let same = try run(["verify", "0x300000=data.bin", "--port", port], folder)
                #expect(same.code == 0, "\(same.errors)")
            }
        }
    }

    @Test("print no controls of names in partition tables, and refuse endless ones soon")
    func strangeTables() throws {
        try withTemporaryFolder { folder in
            let (escape, override) = ("\u{1B}[31m", "\u{202E}")
            let table = "n\(escape)x,data,nvs,0x9000,20K\na\(override)b,app,factory,,1M\n"
            try Data(table.utf8).write(to: folder.appending(path: "t.csv"))
            let shown = try run(["partitions", "t.csv"], folder)
            #expect(shown.code == 0, "\(shown.errors)")
            #expect(shown.output.contains("n?[31mx") && shown.output.contains("a?b"), "\(shown.output)")
            try Data((table + "n\(escape)x,data,nvs,,4K\n").utf8).write(to: folder.appending(path: "t.csv"))
            let twice = try run(["partitions", "t.csv"], folder)
            #expect(twice.code == ExitReason.badInput.rawValue)
            #expect(twice.errors.contains("partition n?[31mx: expected a unique name"), "\(twice.errors)")
            try Data(repeating: UInt8(ascii: ","), count: 300_000).write(to: folder.appending(path: "t.csv"))
            let long = try run(["partitions", "t.csv"], folder)
            #expect(long.code == ExitReason.badInput.rawValue)
            #expect(long.errors.contains("expected at most 262144 bytes of text (CSV), got 300000"), "\(long.errors)")
        }
    }

    @Test("refuse what cannot be meant, before anything is changed, each with an exit code of its own")
    func refusals() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder) { port in
                var builder = ImageBuilder(for: .esp32c3)
                builder.addMapped([UInt8](repeating: 7, count: 300)[...])
                let foreign = try builder.build()
                builder = ImageBuilder(for: .esp32)
                builder.addMapped([UInt8](repeating: 7, count: 300)[...])
                let good = try builder.build()
                var broken = good
                broken[60] ^= 1
                for (name, bytes) in [
                    ("foreign", foreign), ("good", good), ("broken", broken), ("short", Array(good.dropLast(40))),
                    ("empty", []), ("text", Array("hello".utf8)),
                    ("overlap.csv", Array("a,app,factory,0x10000,1M\nb,data,nvs,0x20000,0x6000\n".utf8)),
                ] {
                    try Data(bytes).write(to: folder.appending(path: name))
                }
                let before = try run(["md5", "--port", port], folder)
                #expect(before.code == 0, "\(before.errors)")
                for (arguments, status, text) in [
                    (["0x10000=foreign"], ExitReason.refused, "expected chip id 0 (ESP32), got 5 (ESP32-C3)"),
                    (["0x10000=broken"], .badInput, "image checksum"), (["0x10000=short"], .badInput, "expected"),
                    (["0x10000=empty"], .badInput, "got an empty file"), (["0x10000=none"], .badInput, "No such file"),
                    (["nvs=none"], .badInput, "none could not be read: No such file"),
                    (["nvs="], .usage, "expected an address or a partition, a = and a file, such as 0x10000=app.bin"),
                    (["0x10000=text", "0x10000=good"], .badInput, "expected to begin in a sector after"),
                    (
                        ["0x3ff000=good", "0x400000=text"], .refused,
                        "expected an end within the flash of 4194304 bytes"
                    ),
                    (["0x10001=text"], .refused, "a multiple of 0x1000"),
                    (["0x10000=good", "--partitions", "overlap.csv"], .badInput, "expected to begin after a"),
                    (["0x10000=good", "--encrypt"], .refused, "does not write encrypted data"),
                    (["0x10000=good", "--stub", "text"], .badInput, "stub text: expected a JSON object"),
                    (["0x10000=good", "--flash-mode", "fast"], .usage, "expected keep, qio, qout, dio, dout"),
                ] {
                    let result = try run(["flash", "--port", port] + arguments, folder)
                    #expect(result.code == status.rawValue, "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
                    // That of an option's value is the parser's.
                    #expect(result.errors.lowercased().contains("error: "), "\(arguments): \(result.errors)")
                }
                #expect(try run(["erase", "--port", port], folder).code == ExitReason.usage.rawValue)
                let after = try run(["md5", "--port", port], folder)
                #expect(after.output == before.output)
            }
        }
    }

    /// An image for RAM with a text and some code.
    private func greeter(_ chip: Chip, _ text: UInt32, _ code: UInt32) throws -> Data {
        var builder = ImageBuilder(for: chip, entryPoint: code)
        builder.add((Array("Good morning!\n".utf8) + [0, 0])[...], at: text)
        builder.add([UInt8](repeating: 0x36, count: 16)[...], at: code)
        return Data(try builder.build())
    }

    @Test(
        "load a program into RAM, whose output is then on the console; those of another chip or for flash are refused")
    func loadRAM() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder, ["--chip", "esp32"]) { port in
                try greeter(.esp32, 0x3FFC_0000, 0x4008_C000).write(to: folder.appending(path: "greeter"))
                try greeter(.esp32c3, 0x3FC9_0000, 0x4038_0000).write(to: folder.appending(path: "foreign"))
                var builder = ImageBuilder(for: .esp32)
                builder.addMapped([UInt8](repeating: 7, count: 300)[...])
                try Data(try builder.build()).write(to: folder.appending(path: "mapped"))
                for (file, status, text) in [
                    ("foreign", ExitReason.refused, "expected one for the ESP32, got one for ESP32-C3"),
                    ("mapped", .refused, "expected segments in RAM, got"), ("none", .badInput, "No such file"),
                ] {
                    let result = try run(["load-ram", file, "--port", port], folder)
                    #expect(result.code == status.rawValue, "\(file): \(result.errors)")
                    #expect(result.errors.contains(text), "\(file): \(result.errors)")
                }
                let result = try run(["load-ram", "greeter", "--port", port], folder)
                #expect(result.code == 0, "\(result.errors)")
                #expect(result.errors.contains("started at 0x4008c000\n"), "\(result.errors)")
                // Prints at once, and not again while the monitor waits for more.
                let console = try EspbenchProcess(
                    ["load-ram", "greeter", "--port", port, "--monitor"], folder: folder, shell: #"echo | "$@""#
                ).run()
                #expect(console.code == 0, "\(console.output)\(console.errors)")
                #expect(console.output.contains("Good morning!"), "\(console.output)")
            }
        }
    }

    @Test("say that secure download mode forbids what needs to read, and refuse the stub of another chip")
    func lockedBoard() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder, ["--chip", "esp32c3", "--secure-download"]) { port in
                for arguments in [
                    ["erase", "nvs"], ["erase", "--yes"], ["md5"], ["md5", "0x8000", "0x1000"],
                    ["md5", "0x8000", "all"],
                    ["read", "nvs", "-o", "nvs.bin"], ["partitions"],
                ] {
                    let result = try run(arguments + ["--port", port], folder)
                    #expect(result.code == ExitReason.refused.rawValue, "\(arguments): \(result.errors)")
                    #expect(
                        result.errors.contains("the chip is in secure download mode"),
                        "\(arguments): \(result.errors)")
                }
                #expect(try run(["erase", "0x9000", "0x1000", "--port", port], folder).code == 0)
            }
            try withBoard(folder, ["--chip", "esp32"]) { port in
                let json = #"{"entry": 1077411840, "text": "AAAAAA==", "text_start": 1077411840}"#
                try Data(json.utf8).write(to: folder.appending(path: "stub.json"))
                let foreign = try run(["md5", "0", "0x1000", "--stub", "stub.json", "--port", port], folder)
                #expect(foreign.code == ExitReason.refused.rawValue)
                #expect(foreign.errors.contains("hint: Give the stub of the board's chip"), "\(foreign.errors)")
                let beyond = try run(["read", "0x3ff000", "0x2000", "-o", "x", "--port", port], folder)
                #expect(beyond.errors.contains("hint: Give a range within the flash"), "\(beyond.errors)")
            }
        }
    }

    @Test("take what the command line says, and say what it lacks")
    func commandLines() throws {
        try withTemporaryFolder { folder in
            for (name, text) in [
                ("table.csv", "nvs,data,nvs,0x9000,20K\napp,app,factory,,1M\n"),
                ("overlap.csv", "a,app,factory,0x10000,1M\nb,data,nvs,0x20000,0x6000\n"),
                ("large.csv", "app,app,factory,0x10000,15M\n"), ("data", "data"),
            ] {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            try withBoard(folder) { port in
                // A table's text is written as the chip reads it, wherever it goes.
                let table = try run(["flash", "0x8000=table.csv", "--port", port], folder)
                #expect(table.code == 0, "\(table.errors)")
                let shown = try run(["partitions", "--port", port], folder)
                #expect(shown.output.contains("app   app   factory  0x10000  0x110000  1M\n"), "\(shown.errors)")
                let named = try run(["flash", "nvs=data", "--port", port], folder)
                #expect(named.code == 0, "\(named.errors)")
                let same = try run(["verify", "0x9000=data", "--port", port], folder)
                #expect(same.code == 0, "\(same.errors)")
                let raw = try run(["flash", "0x300000=table.csv", "--raw", "--port", port], folder)
                #expect(raw.code == 0, "\(raw.errors)")
                #expect(!raw.errors.contains("does not start"), "data is no application: \(raw.errors)")
                let back = try run(["read", "0x300000", "3", "-o", "-", "--port", port], folder)
                #expect(back.output == "nvs", "\(back.errors)")

                for (arguments, status, text) in [
                    (["flash", "0x8000=overlap.csv"], ExitReason.badInput, "expected to begin after a"),
                    (["flash", "0x8000=large.csv"], .badInput, "expected an end within the flash of 0x400000 bytes"),
                    (["flash", "table.csv", "--raw"], .usage, "--raw: expected an address"),
                    (["flash", "--raw", "0xffffffffffffffff=data"], .usage, "got '0xffffffffffffffff=…'"),
                    (["flash", "0x100000000", "data"], .usage, "expected an address, got '0x100000000'"),
                    (["flash", "0x300000=data", "--flash-size", "16MB"], .refused, "at most the 4 MB"),
                    (["flash", "0x300000=data", "--flash-size", "3MB"], .usage, "--flash-size: expected keep, detect"),
                    (["flash", "0x300000=data", "--before", "x"], .usage, "Expected default-reset"),
                    (["erase", "0x100", "0x100"], .refused, "multiples of 0x1000"),
                    (["read"], .usage, "expected a file for what is read: -o FILE\nhint: espbench read nvs"),
                    (["read", "0", "0x1000"], .usage, "expected a file for what is read"),
                    (
                        ["read", "-o", "x", "--port", "socket://127.0.0.1:1"], .usage,
                        "--port: expected one board, got 2"
                    ),
                    (["partitions", "--port", "socket://127.0.0.1:1"], .usage, "--port: expected one board, got 2"),
                    (["monitor", "--elf", "data"], .badInput, "cannot be used for backtraces"),
                    (["monitor", "--elf", "none"], .badInput, "none could not be read"),
                ] {
                    let result = try run(arguments + ["--port", port], folder)
                    #expect(result.code == status.rawValue, "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
                    #expect(!result.errors.contains("erasing 256 bytes"), "\(result.errors)")
                }
                let two = try run(
                    ["md5", "0", "0x1000", "--port", port, "--port", "socket://127.0.0.1:1"], folder)
                #expect(two.code == ExitReason.portFailed.rawValue)
                #expect(two.output.hasSuffix("  \(port)\n"))
                #expect(
                    two.errors.contains("error: 1 of 2 boards failed: socket://127.0.0.1:1\n"), "\(two.errors)")
                let info = try run(["info", "--port", port], folder)
                for line in [
                    "secure boot       off (ABS_DONE_0 0, ABS_DONE_1 0)\n",
                    "flash encryption  off (FLASH_CRYPT_CNT 0)\n",
                    "JTAG              enabled\n", "download mode     enabled\n",
                    "coding scheme     none (CODING_SCHEME 0)\n",
                ] {
                    #expect(info.output.contains(line), "\(info.output)")
                }
            }
            for (path, text) in [("/dev/null", "got another kind of file"), (folder.path, "got a folder")] {
                let result = try run(["info", "--port", path], folder)
                #expect(result.code == ExitReason.portFailed.rawValue)
                #expect(result.errors.contains("\(path): expected a serial port, \(text)\n"), "\(result.errors)")
            }
        }
    }

    @Test("of images need no board")
    func images() throws {
        try withTemporaryFolder { folder in
            var builder = ImageBuilder(for: .esp32c3)
            builder.addMapped([UInt8](repeating: 7, count: 300)[...])
            let image = try builder.build()
            try Data(image).write(to: folder.appending(path: "app.bin"))
            let shown = try run(["image", "info", "app.bin"], folder)
            #expect(shown.code == 0, "\(shown.errors)")
            #expect(shown.output.contains("for the ESP32-C3, \(image.count) bytes\n"), "\(shown.output)")
            var broken = image
            broken[60] ^= 1
            try Data(broken).write(to: folder.appending(path: "broken.bin"))
            let wrong = try run(["image", "info", "broken.bin"], folder)
            #expect(wrong.code == ExitReason.badInput.rawValue)
            #expect(wrong.output.contains("checksum     WRONG\n"), "\(wrong.output)")
            let merged = try run(
                ["image", "merge", "-o", "all.bin", "0x10000=app.bin", "--pad-to-size", "1MB"], folder)
            #expect(merged.code == 0, "\(merged.errors)")
            let all = try Data(contentsOf: folder.appending(path: "all.bin"))
            #expect(all.count == 1 << 20)
            #expect(Array(all[0x1_0000..<(0x1_0000 + image.count)]) == image)
            try Data("nvs,data,nvs,0x9000,20K\napp,app,factory,,1M\n".utf8).write(to: folder.appending(path: "t.csv"))
            let table = try run(["partitions", "t.csv", "-o", "t.bin"], folder)
            #expect(table.code == 0, "\(table.errors)")
            let text = try run(["partitions", "t.bin"], folder)
            #expect(text.output.contains("app   app   factory  0x10000  0x110000  1M\n"), "\(text.output)")
            let information = try run(["image", "info", "t.bin"], folder)
            #expect(information.code == 0, "\(information.errors)")
            #expect(information.output.contains("t.bin: a partition table\n"), "\(information.output)")
            let flash = try run(["image", "merge", "-o", "flash.bin", "t.csv", "0x10000=app.bin"], folder)
            #expect(flash.code == 0, "\(flash.errors)")
            let whole = try run(["image", "info", "flash.bin"], folder)
            #expect(whole.code == 0, "\(whole.errors)")
            #expect(whole.output.contains("  app   app   factory  0x10000  0x110000  1M\n"), "\(whole.output)")
            #expect(whole.output.contains("flash.bin at 0x10000: an image"), "\(whole.output)")
            let json = try run(["image", "info", "--json", "flash.bin"], folder)
            #expect(json.output.split(separator: "\n").count == 2, "\(json.output)")
            try Data([0x7F, 0x45, 0x4C, 0x46, 1, 1, 1]).write(to: folder.appending(path: "app.elf"))
            let elf = try run(["image", "info", "app.elf"], folder)
            #expect(elf.code == ExitReason.badInput.rawValue)
            #expect(elf.errors.contains("hint: 'espbench image make --chip CHIP FILE'"), "\(elf.errors)")
            #expect(try run(["help", "image", "info"], folder).output.hasPrefix("OVERVIEW: Show what an image"))
            let small = try run(["partitions", "t.csv", "--flash-size", "1MB"], folder)
            #expect(small.code == ExitReason.badInput.rawValue)
            #expect(small.errors.contains("expected an end within the flash of 0x100000 bytes"), "\(small.errors)")
        }
    }

    @Test("of merged images show all their parts, wherever the file begins")
    func mergedImages() throws {
        try withTemporaryFolder { folder in
            var builder = ImageBuilder(for: .esp32)
            builder.addMapped([UInt8](repeating: 7, count: 300)[...])
            // Absent, as in old images.
            builder.maximumRevision = 0
            var loader = ImageBuilder(for: .esp32, entryPoint: 0x4008_0000)
            loader.add([UInt8](repeating: 1, count: 64)[...], at: 0x4008_0000)
            try Data(try builder.build()).write(to: folder.appending(path: "app.bin"))
            try Data(try loader.build()).write(to: folder.appending(path: "boot.bin"))
            try Data("nvs,data,nvs,0x9000,12K\na,app,ota_0,0x10000,64K\nb,app,ota_1,0x20000,64K\n".utf8)
                .write(to: folder.appending(path: "t.csv"))
            let table = try run(["partitions", "t.csv", "-o", "t.bin"], folder)
            #expect(table.code == 0, "\(table.errors)")
            let images = ["0x1000=boot.bin", "0x10000=app.bin", "0x20000=app.bin"]
            for (start, tables, places) in [
                ("0", ["0x8000=t.bin"], ["0x8000: a partition", "0x1000: an", "0x10000: an", "0x20000: an"]),
                ("0x1000", ["0x8000=t.bin"], ["0x7000: a partition", "0xf000: an", "0x1f000: an"]),
                ("0", ["0xa000=t.bin"], ["0xa000: a partition", "0x1000: an", "0x10000: an", "0x20000: an"]),
                ("0", [], ["0x1000: an", "0x10000: an", "0x20000: an"]),
            ] {
                let merged = try run(
                    ["image", "merge", "-o", "all.bin", "--target-offset", start] + images + tables, folder)
                #expect(merged.code == 0, "\(merged.errors)")
                let shown = try run(["image", "info", "all.bin"], folder)
                #expect(shown.code == 0, "\(shown.errors)")
                for place in places { #expect(shown.output.contains("all.bin at \(place)"), "\(shown.output)") }
                let count = shown.output.split(separator: "\n").count { $0.hasPrefix("all.bin") }
                #expect(count == places.count + (start == "0" ? 0 : 1), "\(shown.output)")
                #expect(!shown.output.contains("revision"), "\(shown.output)")
            }
        }
    }
}
