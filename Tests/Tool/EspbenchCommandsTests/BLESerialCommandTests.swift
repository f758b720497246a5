import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// `espbench ble-serial` with Bumble as the board, and pyserial at the pseudo-terminal.
@Suite("Serial over BLE with Bumble's peripheral", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct BLESerialCommandTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let python = folder.appending(path: "../../../.venv/bin/python").standardized.path

    private struct Board {
        let folder: URL
        let program: ForeignProgram
        let central: String

        func tool(_ arguments: [String], input: FileHandle = .nullDevice) -> EspbenchProcess {
            EspbenchProcess(["ble-serial"] + arguments + ["--central", central], folder: folder, input: input)
        }

        /// Runs with `bytes` as the input.
        func run(_ bytes: [UInt8], _ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
            let input = folder.appending(path: "input")
            try Data(bytes).write(to: input)
            return try tool(arguments, input: try FileHandle(forReadingFrom: input)).run()
        }
    }

    private func withBoard(_ body: (Board) throws -> Void) throws {
        try withTemporaryFolder { folder in
            // The script ends with its standard input.
            let input = Pipe()
            let program = ForeignProgram(
                Self.python, [Self.folder.appending(path: "Bumble/peer.py").path], folder: folder,
                input: input.fileHandleForReading)
            try program.start()
            defer { program.end() }
            let text = program.waitForOutput("\n")
            let port = try #require(text.firstMatch(of: #/port (\d+)/#)?.1, "\(text)")
            try body(Board(folder: folder, program: program, central: "h4:127.0.0.1:\(port)"))
            try input.fileHandleForWriting.close()
        }
    }

    @Test("the input of a program is sent as it is, and what comes back is all there")
    func pipe() throws {
        try withBoard { board in
            // With the monitor's keys in it, and more than one chunk.
            let bytes = [UInt8](0...0x7F) + Array("Größe €\r\n".utf8) + [UInt8](repeating: 0x55, count: 1000)
            let echo = try board.run(bytes, "--name", "Bumble Peer")
            #expect(echo.code == 0, "\(echo)")
            #expect(Array(echo.output.utf8) == bytes)
            #expect(
                echo.errors.hasPrefix(
                    "--- searching\n--- connected to Bumble Peer (F0:F1:F2:F3:F4:01), HM-10, 244 bytes at a time\n"),
                "\(echo.errors)")
            // A device that is found by its name only: FFE0 is not in the advertisement.
            let nobody = try board.run(bytes)
            #expect(nobody.code == ExitReason.noPeer.rawValue && nobody.output.isEmpty, "\(nobody)")
            for (ending, expected) in [("cr", "A\rB"), ("crlf", "A\r\nB"), ("lf", "A\nB"), ("none", "AB")] {
                let result = try board.run(
                    Array("A\nB".utf8), "--peer", "F0:F1:F2:F3:F4:01", "--eol", ending)
                #expect(result.code == 0 && result.output == expected, "\(ending): \(result)")
            }
        }
    }

    @Test("a lost connection is made again, or ends it")
    func loss() throws {
        try withBoard { board in
            let keys = Pipe()
            let tool = board.tool(["--name", "Bumble Peer"], input: keys.fileHandleForReading)
            try tool.process.run()
            keys.fileHandleForWriting.write(Data("one".utf8))
            #expect(tool.waitForOutput("one") == "one")
            keys.fileHandleForWriting.write(Data("bye".utf8))
            let notes = tool.waitForNote("connected to Bumble Peer") + tool.waitForNote("connected to Bumble Peer")
            #expect(notes.contains("--- disconnected\n--- connecting again, try 1\n"), "\(notes)")
            keys.fileHandleForWriting.write(Data("two".utf8))
            #expect(tool.waitForOutput("two").contains("two"))
            try keys.fileHandleForWriting.close()
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)

            let once = try board.run(Array("bye".utf8), "--name", "Bumble Peer", "--no-reconnect", "--timeout", "60s")
            #expect(once.code == ExitReason.linkFailed.rawValue && once.errors.contains("hint: "), "\(once)")
        }
    }

    /// Opens the terminal again and again; the last one leaves without reading.
    private static let script = """
        import serial, sys
        for count in (1, 100, 5000):
            with serial.Serial(sys.argv[1], 57600, timeout=30) as port:
                data = bytes(i * 7 % 251 for i in range(count))
                port.write(data)
                assert port.read(count) == data, count
        with serial.Serial(sys.argv[1]) as port:
            port.write(bytes(3000))
        with serial.Serial(sys.argv[1], timeout=5) as port:
            port.read(100000)
            port.write(b"end")
            assert port.read(3) == b"end"
        print("passed")
        """

    @Test("pyserial talks to the board through a pseudo-terminal, which is removed at the end")
    func pseudoTerminal() throws {
        try withBoard { board in
            let link = board.folder.appending(path: "hm10").path
            let tool = board.tool(["--name", "Bumble Peer", "--pty-link", link])
            try tool.process.run()
            #expect(tool.waitForOutput("\n") == link + "\n")
            let pyserial = ForeignProgram(Self.python, ["-c", Self.script, link], folder: board.folder)
            try pyserial.start()
            #expect(pyserial.waitForOutput("passed").contains("passed"))
            pyserial.end()
            tool.process.interrupt()
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)
            #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
        }
    }

    @Test(
        "mistakes are refused",
        arguments: [
            ["--baud", "0"], ["--window", "0"], ["--tries", "-1"], ["--tries", "1", "--no-reconnect"], ["--name", ""],
            ["--name", "a", "--peer", "b"], ["--pty", "--until", "x"], ["--pty-link", ""], ["--eol", "x"],
        ])
    func mistakes(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["ble-serial"] + arguments, folder: folder, input: .nullDevice).run()
            #expect(result.code == 64 && result.output.isEmpty, "\(result)")
        }
    }
}
