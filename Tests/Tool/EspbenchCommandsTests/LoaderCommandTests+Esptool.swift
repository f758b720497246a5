import CommandSupport
import ESPChips
import ESPImage
import Foundation
import Testing

/// Options that esptool has, too.
extension LoaderCommandTests {
    @Test("refuse a board with another chip than --chip says, and take the options of esptool")
    func esptoolOptions() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder, ["--chip", "esp32c3"]) { port in
                let data = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 / 7) })
                try data.write(to: folder.appending(path: "data.bin"))
                for verb in [["write_flash", "0x300000", "data.bin"], ["flash-id"], ["read_mac"]] {
                    let refused = try run(["-p", port, "--chip", "esp32"] + verb, folder)
                    #expect(refused.code == ExitReason.refused.rawValue)
                    #expect(
                        refused.errors.contains(
                            "--chip esp32: expected a board with the ESP32, got the ESP32-C3\nhint"),
                        "\(refused.errors)")
                }
                let esp8266 = try run(["-p", port, "-c", "esp8266", "chip_id"], folder)
                #expect(esp8266.code == ExitReason.usage.rawValue)
                #expect(esp8266.errors.contains("expected one of"), "\(esp8266.errors)")
                let words = [
                    "-p", port, "-c", "esp32c3", "-t", "write_flash", "-p", "-z", "-s", "0x300000", "data.bin",
                ]
                let written = try run(words, folder)
                #expect(written.code == 0, "\(written.errors)")
                #expect(written.errors.contains("--trace has no effect: "), "\(written.errors)")
                #expect(written.errors.contains("--skip-flashed has no effect: "), "\(written.errors)")
                let quiet = try run(["flash", "0x300000=data.bin", "--no-skip", "--port", port, "--json"], folder)
                #expect(quiet.output.contains(#""event":"progress""#), "\(quiet.output)")
                let none = try run(
                    ["flash", "0x300000=data.bin", "--no-skip", "--port", port, "--json", "--no-progress"], folder)
                #expect(!none.output.contains(#""event":"progress""#), "\(none.output)")
                #expect(none.output.contains(#""ok":true"#), "\(none.output)")
            }
        }
    }

    @Test(
        "write to the end of a served flash of 16 MB, whose size esptool detects, too",
        arguments: ["2MB", "16MB", "32MB"])
    func flashSizes(size: String) throws {
        try withTemporaryFolder { folder in
            try withBoard(folder, ["--chip", "esp32s3", "--flash-size", size]) { port in
                let megabytes = try #require(Int(size.dropLast(2)))
                try Data([1, 2, 3, 4]).write(to: folder.appending(path: "data.bin"))
                let last = (megabytes << 20) - 4096
                let written = try run(["flash", "\(last)=data.bin", "--port", port], folder)
                #expect(written.code == 0, "\(written.errors)")
                #expect(written.errors.contains("with \(megabytes) MB of flash"), "\(written.errors)")
                let beyond = try run(["flash", "\(megabytes << 20)=data.bin", "--port", port], folder)
                #expect(beyond.code == ExitReason.refused.rawValue, "\(beyond.errors)")
                guard size == "16MB" else { return }
                let theirs = try ForeignProgram(module: "esptool", ["--port", port, "flash-id"], folder: folder).run()
                #expect(theirs.output.contains("Detected flash size: \(size)"), "\(theirs.output)")
            }
        }
    }

    @Test("print the bytes that differ, read Intel HEX, and write with --force what they refuse otherwise")
    func differences() throws {
        try withTemporaryFolder { folder in
            try withBoard(folder, ["--chip", "esp32c3"]) { port in
                var data = [UInt8]((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
                try Data(data).write(to: folder.appending(path: "data.bin"))
                #expect(try run(["flash", "0x300000=data.bin", "--port", port], folder).code == 0)
                data[0x1012] = 0xAB
                try Data(data).write(to: folder.appending(path: "other.bin"))
                let verified = try run(["-p", port, "verify-flash", "--diff", "0x300000", "other.bin"], folder)
                #expect(verified.code == ExitReason.mismatch.rawValue)
                #expect(
                    verified.output
                        == "0x00301010  flash 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f"
                        + "  file 10 11 ab 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n")
                let read = try run(["read", "0x300000", "5000", "-o", "back.hex", "--port", port], folder)
                #expect(read.code == 0, "\(read.errors)")
                let hex = try [UInt8](Data(contentsOf: folder.appending(path: "back.hex")))
                data[0x1012] = 0x12
                let blocks = try IntelHex(hex).blocks
                #expect(blocks.map(\.address) == [0x30_0000] && blocks.map(\.bytes) == [data])

                var builder = ImageBuilder(for: .esp32)
                builder.addMapped([UInt8](repeating: 7, count: 300)[...])
                try Data(try builder.build()).write(to: folder.appending(path: "foreign"))
                let words = ["flash", "0x10000=foreign", "--port", port]
                #expect(try run(words, folder).code == ExitReason.refused.rawValue)
                let forced = try run(words + ["--force"], folder)
                #expect(forced.code == 0, "\(forced.errors)")
            }
        }
    }
}
