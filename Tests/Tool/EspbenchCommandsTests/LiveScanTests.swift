import EspbenchCommands
import Foundation
import Testing

/// `espbench scan` on a terminal, with a peer of Bumble whose name spoils terminals.
@Suite("A scan on a terminal", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct LiveScanTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// Runs `body` with a central's address.
    private func withPeer(_ body: (_ folder: URL, _ central: String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let input = Pipe()
            let program = ForeignProgram(
                Self.folder.appending(path: "../../../.venv/bin/python").standardized.path,
                [Self.folder.appending(path: "Bumble/peer.py").path, "hostile"], folder: folder,
                input: input.fileHandleForReading)
            try program.start()
            defer { program.end() }
            let text = program.waitForOutput("\n")
            let port = try #require(text.firstMatch(of: #/port (\d+)/#)?.1, "\(text)")
            try body(folder, "h4:127.0.0.1:\(port)")
        }
    }

    /// A scan whose controlling terminal is `terminal`.
    private func scan(
        _ arguments: [String], _ terminal: PseudoTerminal, _ folder: URL, type: String
    ) -> EspbenchProcess {
        let ends = FileHandle(fileDescriptor: terminal.terminal)
        let tool = EspbenchProcess(
            ["scan"] + arguments, folder: folder, input: ends, shell: "exec setsid --ctty --wait \"$@\"")
        tool.process.standardOutput = ends
        tool.process.standardError = ends
        tool.process.environment?["TERM"] = type
        tool.process.environment?["NO_COLOR"] = "1"
        terminal.watch(tool.process)
        return tool
    }

    /// What the peer's name looks like.
    private static let name = #"\x1b[2J\r\n\u{202e}灯"#

    @Test("is a table that follows the window's size, and ends at Ctrl-C")
    func table() throws {
        try withPeer { folder, central in
            let terminal = try PseudoTerminal()
            defer { terminal.closeBoth() }
            terminal.resize(columns: 30, lines: 10)
            let tool = scan(["--timeout", "0s", "--central", central], terminal, folder, type: "xterm-256color")
            try tool.process.run()
            let narrow = terminal.read(until: "F0:F1:F2:F3:F4:01  ")
            #expect(narrow.contains("PEER") && !narrow.contains("ADVERTISES"), "\(narrow)")
            terminal.resize(columns: 120, lines: 10)
            let wide = terminal.read(until: "180F Battery")
            #expect(wide.contains("\u{1B}[H\u{1B}[2JPEER") && wide.contains("ADVERTISES"), "\(wide)")
            #expect(wide.contains(Self.name), "\(wide)")
            // In its place again.
            #expect(terminal.read(until: "\r\u{1B}[2APEER").contains("\r\u{1B}[2APEER"))
            // Ctrl-C, as the terminal's line discipline has it.
            terminal.type([3])
            tool.process.waitUntilExit()
            #expect(tool.process.terminationReason == .exit && tool.process.terminationStatus == 0)
            #expect(terminal.isCooked)
            // No colours.
            #expect(!(narrow + wide).contains(#/\e\[[0-9;]*m/#))
        }
    }

    @Test("is lines on a terminal that can do no more")
    func dumb() throws {
        try withPeer { folder, central in
            let terminal = try PseudoTerminal()
            defer { terminal.closeBoth() }
            let tool = scan(["--timeout", "0s", "--central", central], terminal, folder, type: "dumb")
            try tool.process.run()
            let text = terminal.read(until: "180F Battery")
            #expect(text.contains("F0:F1:F2:F3:F4:01  ") && text.contains(Self.name), "\(text)")
            #expect(!text.contains("\u{1B}"), "\(text)")
            terminal.type([3])
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)
        }
    }
}
