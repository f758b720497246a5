import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import TCP
import Testing

/// The tool's errors when there is no space or no folder for its files; nothing is compiled here.
@Suite("Faults of the machine", .ownThreads, .timeLimit(.minutes(10)))
struct MachineFaultTests {
    private static let lost = "error: standard output could not be written: No space left on device\n"

    @Test(
        "standard output that cannot be written is an error of every command",
        arguments: [["help"], ["--version"], ["help", "test"], ["flash", "--help"], []])
    func output(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let full = try EspbenchProcess(arguments, folder: folder, shell: #"exec "$@" > /dev/full"#).run()
            #expect(full.code == ExitReason.benchFault.rawValue)
            #expect(full.errors == Self.lost)
            let closed = try EspbenchProcess(arguments, folder: folder, shell: #"exec "$@" >&-"#).run()
            #expect(closed.code == ExitReason.benchFault.rawValue)
            #expect(closed.errors == "error: standard output could not be written: Bad file descriptor\n")
        }
    }

    @Test(
        "a monitor and a server end when their output cannot be written",
        arguments: [["monitor"], ["serve", "--h4", "0"]])
    func lostOutput(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(arguments, folder: folder, shell: #"exec "$@" > /dev/full"#).run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(result.errors.hasSuffix(Self.lost), "\(result.errors)")
        }
    }

    @Test("the flash file never gets the descriptor of a closed standard output")
    func closedOutput() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(
                ["monitor", "--flash-file", "board.flash"], folder: folder, shell: #"exec "$@" >&-"#
            ).run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            let flash = try Data(contentsOf: folder.appending(path: "board.flash"))
            #expect(flash == Data(repeating: 0xFF, count: 4 << 20))
        }
    }

    @Test("the monitor does not end without input", arguments: ["< /dev/null", "<&-"])
    func noInput(redirection: String) throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["monitor"], folder: folder, shell: #"exec "$@" "# + redirection)
            try tool.process.run()
            #expect(tool.waitForOutput("POWERON_RESET").contains("POWERON_RESET"))
            // A monitor ends one second after an input with bytes.
            usleep(1_500_000)
            tool.process.terminate()
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == ExitReason.interrupted.rawValue)
        }
    }

    @Test("a server whose address nobody reads ends by SIGPIPE, and without a timeline with 8")
    func unreadAddress() throws {
        try withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "t.jsonl"))
            let unread = try EspbenchProcess(
                ["live", "--timeline", "t.jsonl"], folder: folder,
                shell: #"{ sleep 0.3; "$@"; echo "exit $?" >&2; } | true"#
            ).run()
            #expect(unread.errors == "exit 141\n")
            let missing = try EspbenchProcess(["live", "--timeline", "nowhere"], folder: folder).run()
            #expect(missing.code == ExitReason.badInput.rawValue)
            #expect(missing.errors.hasPrefix("error: nowhere could not be read: No such file or directory\n"))
        }
    }

    @Test("a flash file without space is not left incomplete")
    func flashFile() throws {
        try withTemporaryFolder { folder in
            let arguments = ["monitor", "--flash-file", "board.flash"]
            let file = folder.appending(path: "board.flash")
            let message =
                "error: board.flash: writing the new flash file of 4194304 bytes failed: File too large\n"
                + "hint: The flash of a virtual board takes 4 MB; --flash-file selects another place.\n"
            let new = try EspbenchProcess(arguments, folder: folder, shell: #"ulimit -f 100; exec "$@""#).run()
            #expect(new.code == ExitReason.flashFailed.rawValue)
            #expect(new.errors == message)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            // The user's empty file stays empty.
            try Data().write(to: file)
            let empty = try EspbenchProcess(arguments, folder: folder, shell: #"ulimit -f 100; exec "$@""#).run()
            #expect(empty.errors == message)
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test("an image without space is not left incomplete, and no results are spoken of")
    func mergedImage() throws {
        try withTemporaryFolder { folder in
            try Data(count: 200_000).write(to: folder.appending(path: "data"))
            let merge = ["image", "merge", "--chip", "esp32", "--output", "flash.bin", "0x10000=data"]
            let result = try EspbenchProcess(merge, folder: folder, shell: #"ulimit -f 100; exec "$@""#).run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(
                result.errors.hasSuffix(
                    "error: --output flash.bin could not be written: File too large\n"
                        + "hint: Free some space, or choose another file.\n"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "flash.bin").path))
        }
    }

    @Test("a full disk is reported", .enabled(if: getuid() == 0, "only root may mount a small file system"))
    func fullDisk() throws {
        try withTemporaryFolder { folder in
            // In a separate namespace, so that the mount ends with the process.
            let mount = #"mkdir small && mount -t tmpfs -o size=1m none small && "$@"; code=$?; ls small; exit $code"#
            let result = try EspbenchProcess(
                [
                    "-m", "/bin/sh", "-c", mount, "sh", EspbenchProcess.executable.path, "monitor", "--flash-file",
                    "small/board.flash",
                ],
                folder: folder, shell: #"shift; exec unshare "$@""#
            ).run()
            #expect(result.code == ExitReason.flashFailed.rawValue)
            #expect(
                result.errors.contains(
                    "error: small/board.flash: writing the new flash file of 4194304 bytes failed: No space left on device\n"
                ),
                "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test("a flash file that cannot be written is named with the system's reason")
    func sparseFlashFile() throws {
        try withTemporaryFolder { folder in
            let flash = folder.appending(path: "board.flash")
            try Data().write(to: flash)
            #expect(truncate(flash.path, 4 << 20) == 0)
            let description = AppDescription(
                version: "1", projectName: "x", time: "", date: "", idfVersion: "v5.5", elfHash: [])
            var builder = ImageBuilder(for: .esp32)
            builder.addMapped(description.bytes[...])
            try Data(try builder.build()).write(to: folder.appending(path: "image.bin"))
            let result = try EspbenchProcess(
                ["flash", "--image", "image.bin", "--flash-file", "board.flash"], folder: folder,
                shell: #"ulimit -f 100; exec "$@""#
            ).run()
            #expect(result.code == ExitReason.flashFailed.rawValue)
            #expect(
                result.errors.contains("error: board.flash: writing 4096 bytes at 65536 failed: File too large\n"),
                "\(result.errors)")
        }
    }

    @Test(
        "a home folder that cannot be written is named with the system's reason",
        arguments: [["monitor"], ["serve", "X"]])
    func home(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "X"), withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "X/X.ino"))
            let tool = EspbenchProcess(arguments, folder: folder)
            tool.process.environment?["HOME"] = "/dev/null"
            let result = try tool.run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(
                result.errors.hasPrefix(
                    "error: the folder /dev/null/.local/state/espbench could not be created: Not a directory\nhint: "),
                "\(result.errors)")
        }
    }

    @Test("a capture without space is reported at once and at the end, and keeps complete packets")
    func capture() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(
                ["serve", "--h4", "0", "--btsnoop", "air.btsnoop"], folder: folder, shell: #"ulimit -f 1; exec "$@""#)
            try tool.process.run()
            let line = tool.waitForData(lines: 1)
            let match = try #require(line.firstMatch(of: #/127\.0\.0\.1:(\d+)/#), "\(line)")
            let port = try #require(UInt16(match.1))
            let host = try TCPSocket.connect(host: "127.0.0.1", port: port, name: "host", milliseconds: 5000)
            let resets = (0..<20).flatMap { _ in [0x01, 0x03, 0x0C, 0x00] as [UInt8] }
            #expect(write(host, resets, resets.count) == resets.count)
            // The server still runs.
            #expect(
                tool.waitForNote("File too large\n").hasSuffix(
                    "error: --btsnoop air.btsnoop could not be written: File too large\n"))
            close(host)
            tool.process.terminate()
            #expect(
                tool.waitForNote("is incomplete: File too large\n").hasSuffix(
                    "error: --btsnoop air.btsnoop is incomplete: File too large\n"))
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == ExitReason.benchFault.rawValue)
            // Each record has its length in its first four bytes.
            let capture = [UInt8](try Data(contentsOf: folder.appending(path: "air.btsnoop")))
            var end = 16
            while end + 24 <= capture.count { end += 24 + capture[end..<end + 4].reduce(0) { $0 << 8 | Int($1) } }
            #expect(end == capture.count)
            #expect(capture.count > 400)
        }
    }

    @Test("a suite that cannot be read is named with the system's reason, also in JSON")
    func suite() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["test", "--json", "/dev/null"], folder: folder).run()
            #expect(result.code == ExitReason.nothingRan.rawValue)
            let message =
                "the suite /dev/null could not be read: expected a file, got a device, a pipe or a socket"
            #expect(result.errors.hasPrefix("error: \(message)\n"))
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(object?["outcome"] as? String == "nothingRan")
            #expect((object?["error"] as? [String: Any])?["message"] as? String == message)
        }
    }
}
