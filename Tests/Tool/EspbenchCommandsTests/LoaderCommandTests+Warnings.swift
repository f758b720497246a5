import CommandSupport
import ESPChips
import ESPImage
import Foundation
import Testing

/// Warnings for programs, and the bounds of addresses.
extension LoaderCommandTests {
    @Test("warn in their JSON, too, and say there whether the board starts")
    func warningsInJSON() throws {
        try withTemporaryFolder { folder in
            var loader = ImageBuilder(for: .esp32, entryPoint: 0x4008_0000)
            loader.add([UInt8](repeating: 1, count: 64)[...], at: 0x4008_0000)
            try Data(try loader.build()).write(to: folder.appending(path: "boot.bin"))
            try Data([1, 2, 3, 4]).write(to: folder.appending(path: "data.bin"))
            try withBoard(folder, ["--chip", "esp32"]) { port in
                let misplaced = try run(["flash", "0=boot.bin", "--port", port, "--json"], folder)
                #expect(misplaced.code == 0, "the write succeeded: \(misplaced.output)\(misplaced.errors)")
                let lines = misplaced.output.split(separator: "\n")
                let warnings = lines.filter { $0.contains(#""event":"warning""#) }
                #expect(warnings.count == 2, "\(misplaced.output)")
                #expect(
                    warnings.first?.contains(
                        "boot.bin at 0x0: this is a bootloader; the ROM of the ESP32 looks for it at 0x1000") == true,
                    "\(misplaced.output)")
                #expect(warnings.last?.contains("there is no bootloader in its flash") == true, "\(misplaced.output)")
                let result = try #require(lines.last)
                #expect(result.contains(#""event":"result""#) && result.contains(#""ok":true"#), "\(result)")
                #expect(result.contains(#""boots":false"#), "\(result)")
                // Of data nobody expects that they start.
                let data = try run(["flash", "0x300000=data.bin", "--port", port, "--json"], folder)
                #expect(data.code == 0, "\(data.output)\(data.errors)")
                #expect(!data.output.contains(#""boots""#), "\(data.output)")
                #expect(!data.output.contains(#""event":"warning""#), "\(data.output)")
            }
            try withBoard(folder) { port in
                let sketch = Self.root.appending(path: "Tests/Board/Sketches/BootButton").path
                let good = try run(["flash", sketch, "--port", port, "--json"], folder)
                #expect(good.code == 0, "\(good.output)\(good.errors)")
                #expect(good.output.split(separator: "\n").last?.contains(#""boots":true"#) == true, "\(good.output)")
                #expect(!good.output.contains(#""event":"warning""#), "\(good.output)")
            }
        }
    }

    @Test("merge nothing beyond the largest flash, whose file would be large or wrong")
    func beyondTheLargestFlash() throws {
        try withTemporaryFolder { folder in
            try Data(repeating: 7, count: 0x200).write(to: folder.appending(path: "m.bin"))
            for (options, address, end) in [
                (["--raw", "-o", "x.bin"], "0xfffff000", "0xfffff200"), (["-o", "x.bin"], "0xfffff000", "0xfffff200"),
                (["-o", "x.hex"], "0xffffff00", "0x100000100"), (["-o", "x.hex"], "0x8000000", "0x8000200"),
            ] {
                let words = ["image", "merge", "--chip", "esp32"] + options + ["0x1000", "m.bin", address, "m.bin"]
                let refused = try run(words, folder)
                #expect(refused.code == ExitReason.refused.rawValue, "\(words): \(refused.errors)")
                #expect(
                    refused.errors.contains(
                        "m.bin: expected an end within the largest flash of 0x8000000 bytes, got \(end)\n"),
                    "\(words): \(refused.errors)")
                #expect(
                    !FileManager.default.fileExists(atPath: folder.appending(path: options[options.count - 1]).path))
            }
        }
    }
}
