import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// `espbench monitor` as a process, on a pseudo-terminal in the board's place.
@Suite("espbench monitor", .ownThreads)
struct MonitorTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL
    private static let log = "I (10) wifi: hello\r\n\u{1B}[0;33mW (12) app: warn\u{1B}[0m\r\nplain\r\n"

    /// Runs a monitor of `board` until it ends: `talk` plays the board once the monitor runs.
    private func monitor(
        _ arguments: [String], in folder: URL, talk: (PseudoTerminal, EspbenchProcess) -> Void
    ) throws -> (code: Int32, output: String, notes: String) {
        let board = try PseudoTerminal()
        defer { board.closeBoth() }
        let tool = EspbenchProcess(
            ["monitor", "--port", board.path] + arguments, folder: folder, input: FileHandle.nullDevice)
        try tool.process.run()
        var notes = tool.waitForNote("shows the keys\n")
        talk(board, tool)
        let output = tool.waitForOutput("\u{0}")
        notes += tool.waitForNote("\u{0}")
        tool.process.waitUntilExit()
        return (tool.process.terminationStatus, output, notes)
    }

    private func texts(_ output: String) -> [Substring] {
        output.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("[") ? $0.dropFirst(12) : $0
        }
    }

    @Test("ends with 0 at --until, also at a prompt without line end, and not at the end of input")
    func until() throws {
        try withTemporaryFolder { folder in
            let line = try monitor(["--until", "^re.dy$"], in: folder) { board, _ in
                board.type(Array((Self.log + "ready\r\nlater\r\n").utf8))
            }
            #expect(line.code == 0)
            #expect(texts(line.output) == ["I (10) wifi: hello", "W (12) app: warn", "plain", "ready", ""])
            let prompt = try monitor(["--until", "login: $"], in: folder) { board, _ in
                board.type(Array("login: ".utf8))
            }
            #expect(prompt.code == 0)
            #expect(texts(prompt.output) == ["login: ", ""])
        }
    }

    @Test("ends with 12 when --until was not seen in time, with 0 after a --timeout alone, with 13 at --fail-on")
    func conditions() throws {
        try withTemporaryFolder { folder in
            let late = try monitor(["--until", "never", "--timeout", "300ms"], in: folder) { _, _ in }
            #expect(late.code == ExitReason.timedOut.rawValue)
            #expect(late.notes.contains("error: --until 'never' was not seen within 0.3 seconds\n"))
            #expect(try monitor(["--timeout", "10ms"], in: folder) { _, _ in }.code == 0)
            let failed = try monitor(["--fail-on", "panic", "--until", "panic"], in: folder) { board, _ in
                board.type(Array("a panic\n".utf8))
            }
            #expect(failed.code == ExitReason.failOn.rawValue)
            #expect(failed.notes.contains("error: --fail-on 'panic' was seen: a panic\n"))
            #expect(texts(failed.output) == ["a panic", ""])
        }
    }

    @Test("shows a line in which an expression takes for ever, gives it up, and keeps its time")
    func endlessSearch() throws {
        try withTemporaryFolder { folder in
            let line = String(repeating: "a", count: 40) + "!"
            let result = try monitor(
                ["--until", "(a+)+$", "--timestamps", "none", "--log", "m.log", "--timeout", "3s"], in: folder
            ) { board, _ in board.type(Array("\(line)\r\nlater\r\n".utf8)) }
            #expect(result.code == ExitReason.timedOut.rawValue)
            let shown = [line, "--- the search for '(a+)+$' takes too long, and was given up in this line", "later"]
            #expect(result.output.split(separator: "\n").map(String.init) == shown)
            let log = try String(contentsOf: folder.appending(path: "m.log"), encoding: .utf8)
            #expect(log.contains(" \(line)\n"))
        }
    }

    @Test("sends lines with their ending, after a prompt if asked to")
    func send() throws {
        try withTemporaryFolder { folder in
            let result = try monitor(
                ["--send", "ls", "--send", "x", "--eol", "crlf", "--send-after", "> $", "--until", "done"], in: folder
            ) { board, _ in
                board.type(Array("boot\r\n> ".utf8))
                #expect(board.read(until: "x\r\n") == "ls\r\nx\r\n")
                board.type(Array("\r\ndone\r\n".utf8))
            }
            #expect(result.code == 0)
        }
    }

    @Test("filters, colours on demand, and prints JSON")
    func forms() throws {
        try withTemporaryFolder { folder in
            func output(_ arguments: [String]) throws -> [Substring] {
                let result = try monitor(arguments + ["--until", "^end"], in: folder) { board, _ in
                    board.type(Array((Self.log + "end\n").utf8))
                }
                #expect(result.code == 0)
                return texts(result.output)
            }
            #expect(try output(["--filter", "wifi:W app:W *:N"]) == ["W (12) app: warn", ""])
            #expect(
                try output(["--color", "always", "--timestamps", "none"]) == [
                    "\u{1B}[32mI (10) wifi: hello\u{1B}[0m", "\u{1B}[0;33mW (12) app: warn\u{1B}[0m", "plain", "end",
                    "",
                ])
            let json = try output(["--json"]).dropLast().map { line in
                try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable])
            }
            #expect(json.map { $0["event"] as? String } == ["line", "line", "line", "line", "end"])
            #expect(json[1]["level"] as? String == "W")
            #expect(json[1]["tag"] as? String == "app")
            #expect(json[1]["text"] as? String == "W (12) app: warn")
            #expect(json[4]["exit"] as? Int == 0)
        }
    }

    @Test("keeps every line in a rotated log, whole, also those that the filter hides")
    func logRotation() throws {
        try withTemporaryFolder { folder in
            let lines = (0..<400).map { "I (\($0)) count: line \($0)" }
            let result = try monitor(
                ["--log", "m.log", "--log-size", "2K", "--log-keep", "40", "--filter", "*:N", "--timestamps", "none"]
                    + ["--until", "line 399"], in: folder
            ) { board, _ in
                // In pieces that end in the middle of lines.
                let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
                for start in stride(from: 0, to: bytes.count, by: 61) {
                    board.type(Array(bytes[start..<min(start + 61, bytes.count)]))
                }
            }
            #expect(result.code == 0)
            #expect(result.output.isEmpty)
            var logged: [Substring] = []
            for number in (0...40).reversed() {
                let file = folder.appending(path: number == 0 ? "m.log" : "m.log.\(number)")
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                #expect(text.utf8.count <= 2048)
                #expect(text.hasSuffix("\n"))
                let lines = text.split(separator: "\n")
                #expect(lines.first?.contains("is monitored from 20") == true)
                logged += lines.dropFirst()
            }
            #expect(logged.last?.hasPrefix("--- the monitor ended at") == true)
            let stamp = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} /#
            #expect(logged.dropLast().allSatisfy { $0.prefixMatch(of: stamp) != nil })
            #expect(logged.dropLast().map { $0.trimmingPrefix(stamp) } == lines.map { $0[...] })
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "m.log.41").path))
        }
    }

    @Test("puts each line that is longer than a log file into one of its own, below the heading")
    func longLinesOfALog() throws {
        try withTemporaryFolder { folder in
            let result = try monitor(
                ["--log", "m.log", "--log-size", "16", "--until", "third"], in: folder
            ) { board, _ in board.type(Array("the first line\r\nthe second line\r\nthe third line\r\n".utf8)) }
            #expect(result.code == 0)
            let second = try String(contentsOf: folder.appending(path: "m.log.2"), encoding: .utf8)
            let lines = second.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.contains("is monitored from 20") == true)
            #expect(lines.last?.hasSuffix("the second line") == true)
        }
    }

    @Test("hints at a wrong rate, and keeps bytes apart from their escapes in JSON")
    func garbage() throws {
        try withTemporaryFolder { folder in
            let garbled = (0..<300).map { UInt8(truncatingIfNeeded: 128 + $0 * 37) | ($0 % 3 == 0 ? 0x80 : 0) }
            let result = try monitor(["--json", "--baud", "9600", "--until", "end"], in: folder) { board, _ in
                board.type(Array("a\u{1}\n".utf8) + Array("a\\x01\n".utf8) + garbled + Array("\nend\n".utf8))
            }
            #expect(result.code == 0, "\(result)")
            #expect(result.output.contains(#""text":"a\\x01","bytes":"6101"}"#), "\(result.output)")
            #expect(result.output.contains(#""text":"a\\x01"}"#), "\(result.output)")
            let hint = "does the board send at another rate than 9600? Try --baud"
            #expect(result.output.components(separatedBy: hint).count == 2, "\(result.output)")
        }
    }

    @Test("decodes a core dump, hides its lines, and stores it")
    func coreDump() throws {
        try withTemporaryFolder { folder in
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
            let script = root.appending(path: "Tests/Board/FirmwareBuildTests/CoreDump/make.py").path
            let maker = ForeignProgram(
                root.appending(path: ".venv/bin/python").path, [script, "xtensa", "sha"], folder: folder)
            try maker.start()
            let dump = maker.waitForOutput("CORE DUMP END =================\n")
            let result = try monitor(["--timestamps", "none", "--until", "^Rebooting"], in: folder) { board, _ in
                board.type(Array((dump + "Rebooting...\n").utf8))
            }
            #expect(result.code == 0, "\(result)")
            let file = try #require(result.output.firstMatch(of: #/stored in (espbench-core-\S+\.b64): /#)?.1)
            let begin =
                "================= CORE DUMP START =================\n================= CORE DUMP END =================\n"
            #expect(result.output.hasPrefix(begin + "--- stored in "), "\(result.output)")
            #expect(
                result.output.contains(
                    """
                     PROGRAM.elf
                    --- core dump of the ESP32 with 2 tasks: assert failed: it
                    --- loopTask (0x3ffb9000), crashed:
                    --- 0x400d1010
                    --- 0x400d1810
                    --- 0x400d2010
                    --- idle (0x3ffb8000):

                    """), "\(result.output)")
            let stored = try String(contentsOf: folder.appending(path: String(file)), encoding: .utf8)
            #expect(stored == dump.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n") + "\n")
        }
    }

    @Test("completes its log when a signal ends it, with 7", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let result = try monitor(["--log", "m.log", "--timeout", "60s"], in: folder) { board, tool in
                board.type(Array("one\r\nincompl".utf8))
                _ = tool.waitForOutput("incompl")
                kill(tool.process.processIdentifier, signal)
            }
            #expect(result.code == ExitReason.interrupted.rawValue)
            let log = try String(contentsOf: folder.appending(path: "m.log"), encoding: .utf8).split(separator: "\n")
            #expect(log.count == 4)
            #expect(log[1].wholeMatch(of: #/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} one/#) != nil, "\(log)")
            #expect(log[2].hasSuffix(" incompl"))
            #expect(log[3].hasPrefix("--- the monitor ended at"))
        }
    }

    @Test("fails with 9 when the port is lost and --no-reconnect is given, and when it cannot be opened")
    func lostPort() throws {
        try withTemporaryFolder { folder in
            let result = try monitor(["--no-reconnect", "--timeout", "60s"], in: folder) { board, tool in
                board.type(Array("last\r\n".utf8))
                _ = tool.waitForOutput("last\n")
                board.unplug()
            }
            #expect(result.code == ExitReason.portFailed.rawValue)
            #expect(result.notes.contains("error: /dev/pts/"))
        }
    }

    @Test(
        "refuses options that cannot be used, before anything is opened",
        arguments: [
            (["--until", "(a"], "is not a regular expression"), (["--filter", "a:X"], "expected a level of"),
            (["--log-size", "1X"], "Expected a size of 1 to 1073741824 bytes, K, M or G"),
            (["--timeout", "5"], "Expected a time with a unit"),
            (["--log-size", "1M"], "--log-size needs --log."), (["--send-after", "x"], "--send-after needs --send."),
            (["--json", "--view", "hex"], "--json shows lines"),
            (["--baud", "0"], "expected a number of 1 to 9223372036854775807"),
            (["--log", "l", "--log-size", "1073741825"], "Expected a size of 1 to 1073741824 bytes"),
            (["--log", ""], "--log expects the path of a file, got an empty text."),
            (["--log", "l", "--log-keep", "1001"], "expected a number of 0 to 1000"),
        ])
    func usage(arguments: [String], message: String) throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(
                ["monitor", "--port", "/dev/nowhere"] + arguments, folder: folder, input: FileHandle.nullDevice
            ).run()
            #expect(result.code == ExitReason.usage.rawValue)
            #expect(result.errors.contains(message), "\(result.errors)")
        }
    }

    @Test("has keys for pause, filter, log and line ending, and sends Ctrl-S and Ctrl-Q")
    func keys() throws {
        try withTemporaryFolder { folder in
            let (board, keyboard) = (try PseudoTerminal(), try PseudoTerminal())
            defer {
                board.closeBoth()
                keyboard.closeBoth()
            }
            let tool = EspbenchProcess(
                ["monitor", "--port", board.path, "--timestamps", "none"], folder: folder,
                input: FileHandle(fileDescriptor: keyboard.terminal))
            try tool.process.run()
            _ = tool.waitForNote("shows the keys\n")
            keyboard.type([0x14] + Array("p".utf8))
            #expect(tool.waitForOutput("shows it\n") == "--- the output is held; Ctrl-T p shows it\n")
            board.type(Array("held\n".utf8))
            keyboard.type([0x14] + Array("e".utf8))
            #expect(tool.waitForOutput("cr\n") == "--- Enter sends cr\n", "the line is held")
            keyboard.type(Array("a\n".utf8))
            #expect(board.read(until: "\r") == "a\r")
            keyboard.type([0x13, 0x11] + Array("\n".utf8))
            #expect(board.read(until: "\r") == "\u{13}\u{11}\r")
            keyboard.type([0x14] + Array("p".utf8))
            #expect(tool.waitForOutput("held\n") == "held\n")
            keyboard.type([0x14] + Array("fwifi:W\n".utf8))
            #expect(tool.waitForOutput("filter: wifi:W\n").hasSuffix("filter: wifi:W\n"))
            board.type(Array("hidden\nW (1) wifi: shown\n".utf8))
            #expect(tool.waitForOutput("shown\n") == "W (1) wifi: shown\n")
            keyboard.type([0x14] + Array("l".utf8))
            let note = tool.waitForOutput(".log\n")
            let name = try #require(note.firstMatch(of: #/logging to (espbench-\d{8}-\d{6}\.log)\n/#)).1
            board.type(Array("logged\nW (2) wifi: seen\n".utf8))
            #expect(tool.waitForOutput("seen\n") == "W (2) wifi: seen\n")
            keyboard.type([0x14] + Array("r".utf8))
            #expect(tool.waitForOutput("through it\n").contains("not sent: /dev/pts/"))
            keyboard.type([0x1D])
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)
            #expect(keyboard.isCooked)
            let log = try String(contentsOf: folder.appending(path: String(name)), encoding: .utf8)
            #expect(log.contains(#/\n20\S+ \S+ logged\n20\S+ \S+ W \(2\) wifi: seen\n/#), "\(log)")
        }
    }

    @Test("gives the terminal back when the shell stops it, and takes it again in the foreground")
    func stops() throws {
        try withTemporaryFolder { folder in
            let (board, terminal) = (try PseudoTerminal(), try PseudoTerminal())
            defer {
                board.closeBoth()
                terminal.closeBoth()
            }
            // A shell with job control, as in a user's terminal.
            let shell = Process()
            let end = FileHandle(fileDescriptor: terminal.terminal)
            shell.executableURL = URL(filePath: "/usr/bin/setsid")
            shell.arguments = ["-c", "-w", "/bin/bash", "--norc", "--noediting", "-i"]
            shell.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "PS1": "ready> "]
            shell.currentDirectoryURL = folder
            (shell.standardInput, shell.standardOutput, shell.standardError) = (end, end, end)
            try shell.run()
            _ = terminal.read(until: "ready> ")
            terminal.type(Array("\(EspbenchProcess.executable.path) monitor --port \(board.path)\n".utf8))
            _ = terminal.read(until: "shows the keys\r\n")
            board.type(Array("one\n".utf8))
            _ = terminal.read(until: "one\r\n")
            #expect(!terminal.isCooked)
            terminal.type([0x1A])
            _ = terminal.read(until: "ready> ")
            #expect(terminal.isCooked)
            board.type(Array("two\n".utf8))
            terminal.type(Array("fg\n".utf8))
            _ = terminal.read(until: "two\r\n")
            #expect(!terminal.isCooked)
            terminal.type(Array("typed\n".utf8))
            #expect(board.read(until: "\n") == "typed\n")
            terminal.type([0x1D])
            _ = terminal.read(until: "ready> ")
            #expect(terminal.isCooked)
            terminal.type(Array("exit $?\n".utf8))
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0)
        }
    }

    @Test("connects again when a server is restarted, with marks in output and log")
    func reconnects() throws {
        try withTemporaryFolder { folder in
            func serve(_ port: String) throws -> (EspbenchProcess, String) {
                let sketch = Self.root.appending(path: "Tests/Board/Sketches/BootButton").path
                let served = EspbenchProcess(
                    ["serve", "--project", Self.root.path, sketch, "--socket", port], folder: folder,
                    input: FileHandle.nullDevice)
                served.process.environment?["ESPBENCH_HOST_CORE"] = Self.root.appending(path: "Firmware/Host").path
                try served.process.run()
                let offer = served.waitForOutput("\n")
                return (served, String(try #require(offer.firstMatch(of: #/socket://[0-9.:]+/#)).0))
            }
            let (first, address) = try serve("0")
            let port = try #require(address.split(separator: ":").last.map(String.init))
            let tool = EspbenchProcess(
                ["monitor", "--port", address, "--log", "m.log", "--timeout", "300s"], folder: folder,
                input: FileHandle.nullDevice)
            try tool.process.run()
            _ = tool.waitForNote("shows the keys\n")
            #expect(tool.waitForOutput("\n").contains("ets Jul 29 2019"))
            first.process.terminate()
            first.process.waitUntilExit()
            #expect(tool.waitForOutput("Ctrl-] leaves\n").contains("--- disconnected at 20"))
            let (second, again) = try serve(port)
            #expect(again == address)
            // What the restarted board prints follows the mark, maybe in the same piece of output.
            let mark = tool.waitForOutput("ets Jul")
            #expect(mark.contains("--- connected again at 20"))
            tool.process.interrupt()
            tool.process.waitUntilExit()
            second.process.terminate()
            second.process.waitUntilExit()
            let log = try String(contentsOf: folder.appending(path: "m.log"), encoding: .utf8)
            #expect(log.contains("--- disconnected at") && log.contains("--- connected again at"))
        }
    }
}
