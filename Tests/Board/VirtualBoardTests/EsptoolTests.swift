import Foundation
import MonotonicTime
import SerialNetwork
import SerialPort
import Testing
import VirtualBoard

@Suite(.enabled(if: Esptool.isInstalled, "needs .venv with esptool: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct EsptoolTests {
    @Test func esptoolIdentifiesChipAndFlash() async throws {
        let outcome = try await withServedBoard(.socket) { _, address in
            try await Esptool.run(["--port", address.description, "flash-id"])
        }
        #expect(outcome.status == 0, "\(outcome.output)")
        for line in [
            "Chip type:          ESP32-D0WDQ6-V3 (revision v3.0)", "Crystal frequency:  40MHz",
            "MAC:                02:eb:01:02:03:04", "Manufacturer: ef\nDevice: 4016\nDetected flash size: 4MB",
        ] {
            #expect(outcome.output.contains(line), "\(outcome.output)")
        }
    }

    /// Random bytes, which do not compress, and then bytes that compress well.
    private static func content(_ count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 5)
        return random.bytes(count / 2) + (0..<count - count / 2).map { UInt8(truncatingIfNeeded: $0 >> 9) }
    }

    @Test(arguments: [[], ["--no-stub"]], [["--compress"], ["--no-compress"]])
    func esptoolWritesTheFlash(loader: [String], compression: [String]) async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        let content = Self.content(150_003)
        let path = try files.write("content.bin", content)
        try await withServedBoard(.socket) { board, address in
            let port = ["--port", address.description] + loader
            let write = try await Esptool.run(
                port + ["write-flash", "--flash-size", "keep"] + compression + ["0x10000", path])
            #expect(write.status == 0, "\(write.output)")
            #expect(write.output.contains("Hash of data verified."), "\(write.output)")
            #expect(try await board.flashBytes(0x10000, content.count) == content)
            #expect(try await board.flashBytes(0xF000, 4096) == [UInt8](repeating: 0xFF, count: 4096))
        }
    }

    @Test func esptoolReadsVerifiesAndErases() async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        let content = Self.content(70_000)
        let path = try files.write("content.bin", content)
        let other = try files.write("other.bin", [0] + content.dropFirst())
        let back = try files.write("back.bin", [])
        try await withServedBoard(.socket) { board, address in
            let port = ["--port", address.description]
            let write = try await Esptool.run(port + ["write-flash", "0x20000", path])
            #expect(write.status == 0, "\(write.output)")
            let read = try await Esptool.run(port + ["read-flash", "0x20000", "70000", back])
            #expect(read.status == 0, "\(read.output)")
            #expect(try Data(contentsOf: URL(filePath: back)) == Data(content))
            let verify = try await Esptool.run(port + ["verify-flash", "0x20000", path])
            #expect(verify.status == 0, "\(verify.output)")
            let mismatch = try await Esptool.run(port + ["verify-flash", "0x20000", other])
            #expect(mismatch.status != 0)
            let region = try await Esptool.run(port + ["erase-region", "0x21000", "0x1000"])
            #expect(region.status == 0, "\(region.output)")
            let bytes = try await board.flashBytes(0x20000, content.count)
            #expect(bytes[..<4096] == content[..<4096] && bytes[8192...] == content[8192...])
            #expect(bytes[4096..<8192].allSatisfy { $0 == 0xFF })
            let erase = try await Esptool.run(port + ["erase-flash"])
            #expect(erase.status == 0, "\(erase.output)")
            #expect(try await board.flashBytes(0, 4 << 20).allSatisfy { $0 == 0xFF })
        }
    }

    @Test func anImageThatDoesNotFitIsRefused() async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        let path = try files.write("large.bin", [UInt8](repeating: 1, count: 8192))
        let outcome = try await withServedBoard(.socket) { _, address in
            try await Esptool.run(["--port", address.description, "write-flash", "0x3ff000", path])
        }
        #expect(outcome.status != 0)
        #expect(outcome.output.contains("4194304"), "\(outcome.output)")
    }
}
