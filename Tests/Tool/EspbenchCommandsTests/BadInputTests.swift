import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import MonotonicTime
import Testing

/// The tool's errors for faulty images, flash files and serial lines; nothing is compiled here.
@Suite("Bad input", .ownThreads)
struct BadInputTests {
    /// An application; with `program` one with native code, sealed with another user's key.
    private static func application(chip: Chip = .esp32, program: String? = nil) throws -> [UInt8] {
        let description = AppDescription(
            version: "1", projectName: "foreign", time: "00:00:00", date: "Jan 01 2026", idfVersion: "v5.5",
            elfHash: [1, 2, 3, 4])
        var builder = ImageBuilder(for: chip)
        builder.add(
            description.bytes[...] + [UInt8](repeating: 0x5A, count: 1000), at: chip.memory.flashData.lowerBound + 0x20)
        if let program, let key = HostProgramKey([UInt8](repeating: 7, count: HostProgramKey.length)) {
            let host = HostProgram(abi: "test", layoutVersion: 1, program: Array(program.utf8)[...])
            builder.addMapped(host.seal(key: key, description: description)[...])
        }
        return try builder.build()
    }

    /// A whole flash that boots `application`.
    private static func flash(_ application: [UInt8]) throws -> [UInt8] {
        var flash = [UInt8](repeating: 0xFF, count: 0x1_0000)
        let bootloader = try VirtualBootloader.image(
            for: .esp32, description: BootloaderDescription(version: 1, idfVersion: "v5.5", dateTime: "now"))
        let table = try PartitionTable.arduino4MB.bytes()
        flash.replaceSubrange(0x1000..<0x1000 + bootloader.count, with: bootloader)
        flash.replaceSubrange(0x8000..<0x8000 + table.count, with: table)
        return flash + application
    }

    private func write(_ bytes: [UInt8], to folder: URL) throws {
        try Data(bytes).write(to: folder.appending(path: "image.bin"))
    }

    /// Standard output up to and including `text`.
    private func wait(for text: String, from tool: EspbenchProcess) -> String {
        var output = ""
        while !output.contains(text) {
            guard let data = (tool.process.standardOutput as? Pipe)?.fileHandleForReading.availableData, !data.isEmpty
            else { break }
            output += String(decoding: data, as: UTF8.self)
        }
        return output
    }

    enum Damage: CaseIterable { case truncated, tooLarge, otherChip, oneBit }

    @Test("a damaged image is refused, and the flash is not changed", arguments: Damage.allCases)
    func image(damage: Damage) throws {
        try withTemporaryFolder { folder in
            let arguments = ["flash", "--image", "image.bin", "--flash-file", "board.flash"]
            try write(try Self.application(), to: folder)
            let good = try EspbenchProcess(arguments, folder: folder).run()
            #expect(good.code == 0, "\(good.errors)")
            let before = try Data(contentsOf: folder.appending(path: "board.flash"))

            var bytes = try Self.application(chip: damage == .otherChip ? .esp32c3 : .esp32)
            let (message, hint): (String, String)
            switch damage {
            case .truncated:
                bytes.removeLast(200)
                (message, hint) = ("error: application at 0x10000: segment 0: expected ", "Build the image again")
            case .tooLarge:
                bytes += [UInt8](repeating: 0, count: 4 << 20)
                message = "error: application at 0x10000: expected an end within the flash of 4194304 bytes, got "
                hint = "Choose a smaller partition table"
            case .otherChip:
                message =
                    "error: application at 0x10000: image header: expected chip id 0 (ESP32), got 5 (ESP32-C3)"
                hint = "Build for the chip the board has"
            case .oneBit:
                bytes[500] ^= 1
                (message, hint) = (
                    "error: application at 0x10000: image checksum: expected 0x", "Build the image again"
                )
            }
            try write(bytes, to: folder)
            let bad = try EspbenchProcess(arguments, folder: folder).run()
            let isBroken = damage == .truncated || damage == .oneBit
            #expect(bad.code == (isBroken ? ExitReason.badInput : .refused).rawValue)
            #expect(bad.errors.contains(message), "\(bad.errors)")
            #expect(bad.errors.contains("\nhint: \(hint)"), "\(bad.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "board.flash")) == before)
        }
    }

    @Test("native code that another user's espbench built is never executed")
    func foreignCode() throws {
        try withTemporaryFolder { folder in
            let trace = folder.appending(path: "executed").path
            let application = try Self.application(program: "#!/bin/sh\n: > '\(trace)'\n")
            try write(try Self.flash(application), to: folder)
            let flashed = try EspbenchProcess(["flash", "--image", "image.bin"], folder: folder).run()
            #expect(flashed.code == 0, "\(flashed.errors)")
            let monitor = EspbenchProcess(["monitor"], folder: folder)
            try monitor.process.run()
            let output = wait(for: "not executed", from: monitor)
            #expect(
                output.contains("image at 0x10000 carries native code that this user's espbench did not build"),
                "\(output)")
            monitor.process.terminate()
            monitor.process.waitUntilExit()
            #expect(!FileManager.default.fileExists(atPath: trace))
        }
    }

    @Test("a flash file that another process uses is not changed")
    func flashFileInUse() throws {
        try withTemporaryFolder { folder in
            let holder = EspbenchProcess(["monitor"], folder: folder)
            try holder.process.run()
            // An erased board reports that when it boots; by then the file is locked.
            #expect(wait(for: "invalid header: 0xffffffff", from: holder).contains("POWERON_RESET"))
            try write(try Self.application(), to: folder)
            let result = try EspbenchProcess(["flash", "--image", "image.bin"], folder: folder).run()
            holder.process.terminate()
            holder.process.waitUntilExit()
            #expect(result.code == ExitReason.flashFailed.rawValue)
            #expect(result.errors.contains("board.flash: the flash file is in use by another espbench process\n"))
            #expect(result.errors.contains("\nhint: Another espbench uses this board's flash"))
        }
    }

    @Test(
        "an invalid flash file is named in the error", arguments: ["/dev/null/board.flash", "image.bin"])
    func flashFile(path: String) throws {
        try withTemporaryFolder { folder in
            try write([1, 2, 3], to: folder)
            let result = try EspbenchProcess(["monitor", "--flash-file", path], folder: folder).run()
            #expect(result.code == ExitReason.flashFailed.rawValue)
            #expect(result.errors.hasPrefix("error: "))
            #expect(result.errors.contains(path == "image.bin" ? "got 3" : "/dev/null could not be created: "))
            #expect(!result.errors.contains("NSCocoaErrorDomain"), "\(result.errors)")
        }
    }

    @Test("noise on the serial line is shown without control characters, and later lines are complete")
    func noise() throws {
        try withTemporaryFolder { folder in
            let keyboard = try PseudoTerminal()
            let board = try PseudoTerminal()
            defer {
                keyboard.closeBoth()
                board.closeBoth()
            }
            let tool = EspbenchProcess(
                ["monitor", "--port", board.path], folder: folder,
                input: FileHandle(fileDescriptor: keyboard.terminal))
            try tool.process.run()
            #expect(tool.waitForNote("Ctrl-] leaves").contains("monitoring"))
            var random = SeededRandom(seed: 4)
            board.type((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) } + Array("\r\nready\r\n".utf8))
            let output = wait(for: "ready\n", from: tool)
            #expect(output.contains("] ready\n"))
            let controls = output.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0) ~= $0.value
            }
            #expect(controls.isEmpty)
            keyboard.type([0x1D])
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)
        }
    }
}
