import ESPChips
import ESPImage
import EspbenchCommands
import Foundation
import Testing

/// The commands on a board's loader, with the real program against a served virtual board.
@Suite("commands on a board", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct LoaderCommandTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The digest of 4096 bytes of FF.
    private static let erasedSector = "6ae59e64850377ee5470c854761551ea"

    /// Runs `body` with the address of a served board's port.
    private func withBoard(_ folder: URL, _ body: (String) throws -> Void) throws {
        let sketch = Self.root.appending(path: "Tests/Board/Sketches/BootButton").path
        let served = EspbenchProcess(["serve", "--socket", "0", sketch], folder: folder, input: .nullDevice)
        try served.process.run()
        defer {
            served.process.terminate()
            served.process.waitUntilExit()
        }
        let line = served.waitForData(lines: 1)
        let address = try #require(line.split(separator: " ").first.map(String.init), "\(line)")
        try body(address)
    }

    private func run(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
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
                    (["0x10000=text", "0x10000=good"], .badInput, "expected to begin in a sector after"),
                    (["0x3ff000=good", "0x400000=text"], .refused, "expected to end in a flash of 4194304 bytes"),
                    (["0x10001=text"], .refused, "a multiple of 0x1000"),
                    (["0x10000=good", "--partitions", "overlap.csv"], .badInput, "expected to begin after a"),
                    (["0x10000=good", "--encrypt"], .refused, "does not write encrypted data"),
                    (["0x10000=good", "--stub", "text"], .badInput, "stub text: expected a JSON object"),
                    (["0x10000=good", "--flash-mode", "fast"], .usage, "expected keep, qio, qout, dio, dout"),
                ] {
                    let result = try run(["flash", "--port", port] + arguments, folder)
                    #expect(result.code == status.rawValue, "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
                    #expect(result.errors.contains("error: "), "\(arguments): \(result.errors)")
                }
                #expect(try run(["erase", "--port", port], folder).code == ExitReason.usage.rawValue)
                let after = try run(["md5", "--port", port], folder)
                #expect(after.output == before.output)
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
            let small = try run(["partitions", "t.csv", "--flash-size", "1MB"], folder)
            #expect(small.code == ExitReason.badInput.rawValue)
            #expect(small.errors.contains("expected to end in a flash of 0x100000 bytes"), "\(small.errors)")
        }
    }
}
