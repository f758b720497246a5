import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// The whole tool as its users run it: sketches are compiled, flashed, booted and tested.
@Suite("End to end", .ownThreads, .serialized)
struct EndToEndTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    func tool(
        _ arguments: [String], _ folder: URL, inProject: Bool = true, shell: String? = nil
    ) -> EspbenchProcess {
        let project = inProject ? ["--project", Self.root.path] : []
        return EspbenchProcess(
            Array(arguments.prefix(1)) + project + arguments.dropFirst(), folder: folder, shell: shell)
    }

    func sketch(_ name: String) -> String {
        Self.root.appending(path: "Tests/Board/Sketches/\(name)").path
    }

    /// The first lines of a suite of the calculator, to which every case is connected and subscribed.
    static func head(_ name: String) -> String {
        """
        suite: \(name)
        sketch: Calculator
        uuids:
          service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079
          input: C1AB2C55-7914-4140-B85B-879C5E252FE5
          output: 643954A4-A6CC-455C-825C-499190CE7DB0
        before:
          - connect: {advertising: service}
          - subscribe: output
        """
    }

    private static let calculator = """
        \(head("Short"))
        cases:
          - name: "{a} and {b}"
            each: {a: 0...31, b: 0...31}
            steps:
              - write: {to: input, bytes: [a, b, 0], response: false}
              - expect: {notification: output, bytes: [a + b]}
          - name: again
            steps:
              - disconnect
              - connect: {advertising: service, as: second}
              - read: {from: output, bytes: [0], on: second}

        """

    func write(_ suite: String, to folder: URL) throws {
        try Data(suite.utf8).write(to: folder.appending(path: "s.yaml"))
    }

    @Test("the same suite and seed give the same timeline, also while the machine is busy")
    func determinism() throws {
        try withTemporaryFolder { folder in
            try write(Self.calculator, to: folder)
            let arguments = ["test", "s.yaml", "--seed", "7", "--btsnoop", "air.btsnoop", "--timeline"]
            let first = try tool(arguments + ["1.jsonl"], folder).run()
            let capture = try Data(contentsOf: folder.appending(path: "air.btsnoop"))
            #expect(first.code == 0, "\(first.errors)\(first.output)")
            #expect(first.output.contains("1,025 passed in 1 suite"))

            // Removed when the tests end, also after a failure.
            let loop = "while kill -0 \(ProcessInfo.processInfo.processIdentifier); do :; done"
            let load = try (0..<4).map { _ in
                try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", loop])
            }
            defer { for process in load { kill(process.processIdentifier, SIGKILL) } }
            let second = try tool(arguments + ["2.jsonl"], folder).run()
            #expect(second.code == 0)
            let timelines = try ["1.jsonl", "2.jsonl"].map { try Data(contentsOf: folder.appending(path: $0)) }
            #expect(timelines[0] == timelines[1])
            #expect(timelines[0].count > 100_000)
            #expect(capture.count > 100_000)
            #expect(try Data(contentsOf: folder.appending(path: "air.btsnoop")) == capture)
        }
    }

    @Test("a value that cannot be computed exits with 2, and names the place")
    func faultOfASuite() throws {
        try withTemporaryFolder { folder in
            try write(Self.calculator.replacing("[a, b, 0]", with: "[a / (b - 1), b, 0]"), to: folder)
            let result = try tool(["test", "s.yaml"], folder).run()
            #expect(result.code == ExitReason.nothingRan.rawValue)
            #expect(result.output.contains("division by zero: 0 / 0"))
            #expect(result.output.contains("s.yaml:14"))
        }
    }

    @Test("an unmet expectation exits with 1, and shows what happened")
    func failure() throws {
        try withTemporaryFolder { folder in
            try write(Self.calculator.replacing("[a + b]", with: "[a + b + (a == 3 && b == 4)]"), to: folder)
            let result = try tool(["test", "s.yaml"], folder).run()
            #expect(result.code == ExitReason.testsFailed.rawValue)
            #expect(result.output.contains("expected  a notification of output with 0x08 (8) within 1 s"))
            #expect(result.output.contains("got       0x07 (7), after "))
            #expect(result.output.contains("console  Adding:   03 04"))
            #expect(result.output.contains(" test s.yaml --project \(Self.root.path) --seed 0 --case '3 and 4'"))
            #expect(result.output.contains("1,024 passed, 1 failed in 1 suite"))
        }
    }

    @Test("an unknown case name exits with 2")
    func noSuchCase() throws {
        try withTemporaryFolder { folder in
            try write(Self.calculator, to: folder)
            let result = try tool(["test", "s.yaml", "--case", "40 and 2"], folder).run()
            #expect(result.code == ExitReason.nothingRan.rawValue)
            #expect(result.errors.contains("error: no case in s.yaml matches '40 and 2'"))
        }
    }

    @Test("a sketch that does not compile exits with 3, and shows the compiler's message with the sketch's lines")
    func compilation() throws {
        try withTemporaryFolder { folder in
            let result = try tool(["build", sketch("DoesNotCompile")], folder).run()
            #expect(result.code == ExitReason.buildFailed.rawValue)
            #expect(result.errors.contains("DoesNotCompile.ino:5:"))
            #expect(result.errors.contains("undeclared"))
        }
    }

    @Test(
        "a sketch that crashes or hangs exits with 5",
        arguments: [
            ("CrashInSetup", "expect: {console: ready}", "Guru Meditation Error"),
            ("LoopsForever", "advance: 6 s", "Task watchdog got triggered"),
            ("HangInCallback", "write: {to: A001, bytes: [1]}, advance: 10 s", "Task watchdog got triggered"),
            ("AbortInCallback", "write: {to: A001, bytes: [1]}", "abort() was called"),
        ])
    func crash(name: String, step: String, message: String) throws {
        try withTemporaryFolder { folder in
            let before = step.contains("A001") ? "[connect: {advertising: A000}]" : "[]"
            try write(
                """
                suite: Crash
                sketch: \(sketch(name))
                before: \(before)
                cases:
                  - {name: crash, steps: [\(step)]}

                """, to: folder)
            let result = try tool(["test", "s.yaml"], folder).run()
            #expect(result.code == ExitReason.panic.rawValue, "\(result.errors)\(result.output)")
            #expect(result.output.contains(message))
        }
    }

    @Test(
        "a connection to a board that is not heard says what the board does",
        arguments: [
            ("connect: {advertising: A000, within: 4 s}", "console lines is 'reset reason 1'\n"),
            (
                "expect: {console: reset reason 1}}, {console: r}, {connect: {advertising: A000, within: 1 s}",
                "; the board restarted, reset reason 0xc (SW_CPU_RESET)"
            ),
        ])
    func silence(steps: String, message: String) throws {
        try withTemporaryFolder { folder in
            try write(
                """
                suite: Silence
                sketch: \(sketch("Console"))
                cases:
                  - {name: silence, steps: [{\(steps)}]}

                """, to: folder)
            let result = try tool(["test", "s.yaml"], folder).run()
            #expect(result.code == ExitReason.testsFailed.rawValue, "\(result.errors)\(result.output)")
            #expect(result.output.contains("heard no advertisement; the last of "))
            #expect(result.output.contains(message), "\(result.output)")
        }
    }

    @Test("a served board is flashed and monitored over its ports, and its flash file is locked")
    func serve() throws {
        try withTemporaryFolder { folder in
            let served = tool(["serve", sketch("Console")], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let offers = served.waitForData(lines: 2).split(separator: "\n").map { $0.split(separator: " ") }
            try #require(offers.count == 2)
            #expect(offers.map(\.last) == ["Console", "Console"])
            let ports = offers.map { String($0[0]) }
            #expect(ports[0].hasPrefix("socket://127.0.0.1:"))

            for (port, outcome) in zip(ports, ["wrote and verified ", ": all were in the flash already\n"]) {
                let flashed = try tool(["flash", "Calculator", "--port", port], folder).run()
                #expect(flashed.code == 0, "\(flashed.errors)")
                #expect(flashed.errors.contains("found virtual ESP32 "))
                #expect(flashed.errors.contains(outcome), "\(flashed.errors)")
            }
            // Without a keyboard the monitor would end by itself.
            let keyboard = try PseudoTerminal()
            defer { keyboard.closeBoth() }
            let monitor = tool(["monitor", "--port", ports[1]], folder, inProject: false)
            monitor.process.standardInput = FileHandle(fileDescriptor: keyboard.terminal)
            try monitor.process.run()
            #expect(monitor.waitForNote("Ctrl-] leaves").contains("monitoring \(ports[1])"))
            let again = try tool(["flash", "Calculator", "--port", ports[1]], folder).run()
            #expect(again.code == ExitReason.portFailed.rawValue)
            monitor.process.terminate()
            monitor.process.waitUntilExit()

            let local = try tool(["flash", "Calculator"], folder).run()
            #expect(local.code == ExitReason.flashFailed.rawValue)
            #expect(local.errors.contains("is in use by another espbench process"))

            served.process.terminate()
            served.process.waitUntilExit()
            #expect(served.process.terminationReason == .exit)
            #expect(served.process.terminationStatus == 0)
        }
    }

    @Test("two boards share one air, each with its own flash file and ports")
    func twoBoards() throws {
        try withTemporaryFolder { folder in
            let sketches = [sketch("CrashInSetup"), sketch("CrashInSetup")]
            let served = tool(["serve"] + sketches + ["--rfc2217", "0", "--rfc2217", "0", "--h4", "0"], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let offers = served.waitForData(lines: 3).split(separator: "\n").map { $0.split(separator: " ") }
            #expect(offers.map(\.last) == ["CrashInSetup", "CrashInSetup", "4.2"])
            for offer in offers.prefix(2) {
                let monitor = tool(["monitor", "--port", String(offer[0])], folder, inProject: false)
                try monitor.process.run()
                #expect(monitor.waitForOutput("Guru Meditation Error").contains("Guru Meditation Error"))
                monitor.process.terminate()
                monitor.process.waitUntilExit()
            }
            served.process.terminate()
            served.process.waitUntilExit()
            #expect(served.process.terminationStatus == 0)
            for name in ["board.flash", "board-2.flash"] {
                let path = folder.appending(path: ".local/state/espbench/\(name)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(name)")
            }
        }
    }
}
