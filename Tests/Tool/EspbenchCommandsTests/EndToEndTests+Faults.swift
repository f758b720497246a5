import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import MonotonicTime
import Testing

/// Runs that end early: interrupted, or without space for their files.
extension EndToEndTests {
    private static let suite = """
        suite: Long
        sketch: Calculator
        uuids: {service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079}
        cases:
          - name: boots
            steps: [expect: {console: BLE Service is advertising}]
          - name: idles for round {n}
            each: {n: 0...65535}
            steps: [advance: 1 s]
          - name: never comes
            steps: [reset]

        """

    /// The run of ``suite`` that these signals have ended in its second case; its report has all that ran.
    func interrupted(
        _ arguments: [String], by signals: Int32..., in folder: URL, shell: String? = nil
    ) throws -> EspbenchProcess {
        try write(Self.suite, to: folder)
        let run = tool(["test", "s.yaml"] + arguments, folder, shell: shell)
        try run.process.run()
        var output = run.waitForOutput("✓ boots")
        for signal in signals { kill(run.process.processIdentifier, signal) }
        output += run.waitForOutput("\u{0}")
        run.process.waitUntilExit()
        #expect(output.contains("skipped: the run was interrupted"), "\(output)")
        #expect(!output.contains("never comes"))
        let summary = try #require(output.firstMatch(of: #/\n([\d,]+) passed, ([\d,]+) skipped in 1 suite · /#))
        let counts = [summary.1, summary.2].compactMap { Int($0.filter(\.isNumber)) }
        #expect(counts.reduce(0, +) == 1 + 65536)
        return run
    }

    @Test(
        "Ctrl-C ends the run with the results so far, exit code 7, and complete files",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruptedRun(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let run = try interrupted(["--timeline", "t.jsonl"], by: signal, in: folder)
            #expect(run.process.terminationReason == .exit)
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
            let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal] ?? ""
            #expect(run.waitForNote("\u{0}").contains("error: interrupted by \(name) before all cases had run"))
            let timeline = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
            #expect(timeline.hasSuffix("}\n"))
            // The next case may not have begun.
            #expect(timeline.contains(#""name":"boots""#))
        }
    }

    /// Long enough for `millis()` to wrap, which takes minutes.
    @Test("Ctrl-C ends a step of months at once")
    func longStep() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite.replacing("advance: 1 s", with: "advance: 100000 min"), to: folder)
            let run = tool(["test", "s.yaml", "--timeline", "t.jsonl"], folder)
            try run.process.run()
            _ = run.waitForOutput("✓ boots")
            usleep(300_000)
            let start = ContinuousClock.now
            kill(run.process.processIdentifier, SIGINT)
            #expect(run.waitForOutput("\u{0}").contains("skipped: the run was interrupted"))
            run.process.waitUntilExit()
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
            #expect(ContinuousClock.now - start < .seconds(8))
        }
    }

    /// timeout(1) signals its child, and then its group.
    @Test("signals that come at once are one, and nothing is lost")
    func repeatedSignals() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            let files = ["--json", "--junit", "d.xml", "--timeline", "t.jsonl"]
            let run = tool(["test", "s.yaml"] + files, folder)
            try run.process.run()
            try waitForRounds(in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == [".local", "s.yaml", "t.jsonl"])
            for number in 0..<20 {
                kill(run.process.processIdentifier, number % 2 == 0 ? SIGTERM : SIGINT)
                usleep(2_000)
            }
            let output = run.waitForOutput("\u{0}")
            run.process.waitUntilExit()
            #expect(run.process.terminationReason == .exit)
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
            let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
            #expect(object?["outcome"] as? String == "interrupted")
            let report = try String(contentsOf: folder.appending(path: "d.xml"), encoding: .utf8)
            #expect(report.hasSuffix("</testsuites>\n") && report.contains("interrupted by SIGTERM"))
        }
    }

    /// One that is pending when the program starts: timeout(1) with a short time.
    @Test("a signal before the command line is read ends a run with its results", .enabled(if: Self.hasBlockSignal))
    func earlySignal() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            let shell = "exec env --block-signal=TERM sh -c 'kill -TERM $$; exec \"$0\" \"$@\"' \"$@\""
            let run = tool(["test", "s.yaml", "--json", "--junit", "d.xml"], folder, shell: shell)
            let result = try run.run()
            #expect(run.process.terminationReason == .exit)
            #expect(result.code == ExitReason.interrupted.rawValue)
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(object?["outcome"] as? String == "interrupted")
            let report = try String(contentsOf: folder.appending(path: "d.xml"), encoding: .utf8)
            #expect(report.hasSuffix("</testsuites>\n") && report.contains("interrupted by SIGTERM"))
        }
    }

    /// Of coreutils 8.31.
    private static var hasBlockSignal: Bool {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: "/usr/bin/env")
        #else
            false
        #endif
    }

    private func waitForRounds(in folder: URL) throws {
        let timeline = folder.appending(path: "t.jsonl")
        while (try? String(contentsOf: timeline, encoding: .utf8))?.contains("idles for round 1\"") != true {
            usleep(20_000)
        }
    }

    @Test("a run that cannot end is aborted by a later signal, and what is known is written")
    func abortedRun() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            // Nobody empties this pipe: the run waits for it for ever.
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            let run = tool(["test", "s.yaml", "--json", "--junit", "d.xml", "--timeline", "pipe"], folder)
            try run.process.run()
            var filled: Int32 = 0
            while filled < 65536 {
                usleep(20_000)
                _ = ioctl(reader, UInt(FIONREAD), &filled)
            }
            kill(run.process.processIdentifier, SIGTERM)
            usleep(1_200_000)
            #expect(run.process.isRunning)
            kill(run.process.processIdentifier, SIGTERM)
            let output = run.waitForOutput("\u{0}")
            run.process.waitUntilExit()
            #expect(run.process.terminationReason == .exit)
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
            #expect(run.waitForNote("\u{0}").contains("error: the command was aborted: a second signal"))
            let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
            #expect(object?["outcome"] as? String == "interrupted")
            #expect(object?["passed"] as? Int == 1)
            let report = try String(contentsOf: folder.appending(path: "d.xml"), encoding: .utf8)
            #expect(report.hasSuffix("</testsuites>\n") && report.contains("name=\"boots\""))
        }
    }

    @Test("an expression that takes for ever in a line is a mistake of the suite, told with the line")
    func endlessExpression() throws {
        try withTemporaryFolder { folder in
            try write(
                """
                suite: Endless
                sketch: Calculator
                cases:
                  - {name: waits, steps: [expect: {console: '/(.+)+(.+)+[^ -~]$/'}]}
                  - {name: waits again, steps: [expect: {console: '/(.+)+(.+)+[^ -~]$/'}]}

                """, to: folder)
            let start = ContinuousClock.now
            let run = try tool(["test", "s.yaml"], folder).run()
            #expect(run.code == ExitReason.nothingRan.rawValue)
            #expect(run.output.contains("s.yaml:4:27"), "\(run.output)")
            #expect(run.output.contains("got       a search without end in the line '"), "\(run.output)")
            #expect(run.output.contains("2 failed in 1 suite"), "\(run.output)")
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }

    @Test("a run that nohup starts goes on without its terminal")
    func hangup() throws {
        try withTemporaryFolder { folder in
            let run = try interrupted([], by: SIGHUP, SIGTERM, in: folder, shell: #"trap '' HUP; exec "$@""#)
            #expect(run.waitForNote("\u{0}").contains("error: interrupted by SIGTERM before all cases had run"))
        }
    }

    @Test("an interrupted run prints one JSON object")
    func interruptedJSON() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            let run = tool(["test", "s.yaml", "--json", "--timeline", "t.jsonl"], folder)
            try run.process.run()
            try waitForRounds(in: folder)
            kill(run.process.processIdentifier, SIGINT)
            let object = try JSONSerialization.jsonObject(with: Data(run.waitForOutput("\u{0}").utf8)) as? [String: Any]
            run.process.waitUntilExit()
            #expect(object?["outcome"] as? String == "interrupted")
            #expect(object?["exitCode"] as? Int == Int(ExitReason.interrupted.rawValue))
            #expect(object?["passed"] as? Int ?? 0 >= 1)
            #expect(object?["failed"] as? Int == 0)
        }
    }

    @Test("a sketch that does not build, and an unknown case name, give JSON objects, too")
    func otherJSON() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite.replacing("Calculator", with: sketch("DoesNotCompile")), to: folder)
            let refused = try tool(["test", "s.yaml", "--json"], folder).run()
            #expect(refused.code == ExitReason.buildFailed.rawValue)
            let build = try JSONSerialization.jsonObject(with: Data(refused.output.utf8)) as? [String: Any]
            #expect(build?["outcome"] as? String == "buildFailed")
            let message = (build?["error"] as? [String: Any])?["message"] as? String
            #expect(message?.contains("DoesNotCompile.ino:5:") == true)

            try write(Self.suite, to: folder)
            let unknown = try tool(["test", "s.yaml", "--json", "--case", "nobody"], folder).run()
            #expect(unknown.code == ExitReason.nothingRan.rawValue)
            let none = try JSONSerialization.jsonObject(with: Data(unknown.output.utf8)) as? [String: Any]
            #expect(none?["outcome"] as? String == "nothingRan")
            let error = none?["error"] as? [String: String]
            #expect(error?["message"] == "no case in s.yaml matches 'nobody'")
        }
    }

    @Test("files without space are reported by option and path, and the run prints its summary")
    func fullDisk() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            for option in ["--timeline", "--btsnoop", "--junit"] {
                let result = try tool(["test", "s.yaml", "--case", "boots", option, "/dev/full"], folder).run()
                #expect(result.code == ExitReason.benchFault.rawValue)
                #expect(result.output.contains("\n1 passed in 1 suite · "))
                let reason = "No space left on device"
                #expect(result.errors.contains("error: \(option) /dev/full could not be written: \(reason)\n"))
                guard option != "--junit" else { continue }
                #expect(result.errors.hasSuffix("error: \(option) /dev/full is incomplete: \(reason)\n"))
            }
        }
    }

    @Test("a run whose results cannot be printed ends at once, with the summary on standard error")
    func lostOutput() throws {
        try withTemporaryFolder { folder in
            try write(Self.suite, to: folder)
            let result = try tool(["test", "s.yaml"], folder, shell: #"exec "$@" > /dev/full"#).run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(result.errors.contains(" skipped in 1 suite · "), "\(result.errors)")
            #expect(result.errors.hasSuffix("error: standard output could not be written: No space left on device\n"))
        }
    }

    /// An incompressible application of a megabyte, which takes half a minute to write.
    private func writeLargeImage(to file: URL) throws {
        var random = SeededRandom(seed: 1)
        let description = AppDescription(
            version: "1", projectName: "large", time: "", date: "", idfVersion: "v5.5", elfHash: [])
        var builder = ImageBuilder(for: .esp32)
        builder.addMapped(description.bytes[...] + random.bytes(1 << 20))
        try Data(try builder.build()).write(to: file)
    }

    @Test("Ctrl-C while flashing reports the flash's content, and flashing again repairs it")
    func interruptedFlash() throws {
        try withTemporaryFolder { folder in
            let served = tool(["serve", sketch("Console"), "--rfc2217", "0"], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let port = try #require(served.waitForData(lines: 1).split(separator: " ").first.map(String.init))
            // On a terminal the progress bar shows when the flash is being written.
            let terminal = try PseudoTerminal()
            defer { terminal.closeBoth() }
            try writeLargeImage(to: folder.appending(path: "image.bin"))
            let flash = tool(["flash", "--image", "image.bin", "--port", port], folder, inProject: false)
            flash.process.standardError = FileHandle(fileDescriptor: terminal.terminal)
            try flash.process.run()
            #expect(terminal.read(until: " 1 %").contains("flashing application"))
            kill(flash.process.processIdentifier, SIGINT)
            let errors = terminal.read(until: "hint: Flash it again.")
            flash.process.waitUntilExit()
            #expect(flash.process.terminationReason == .exit)
            #expect(flash.process.terminationStatus == ExitReason.interrupted.rawValue)
            #expect(
                errors.contains(
                    #/error: interrupted by SIGINT after \d+ of \d+ bytes: the flash is incomplete at application, and the board may not start until it is flashed again/#
                ), "\(errors)")
            let again = try tool(["flash", "Calculator", "--port", port], folder).run()
            #expect(again.code == 0, "\(again.errors)")
        }
    }
}
