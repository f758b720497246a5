import BenchRuns
import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Suites on a bench of kind `hardware`, whose board is a served virtual one: only its entry differs from hardware.
@Suite("Benches on hardware", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct HardwareBenchTests {
    private func withBench(
        _ sketch: String, _ settings: [String] = [], showsConsole: Bool = false, _ body: (ServedBench) throws -> Void
    ) throws {
        try withBench(serving: showsConsole ? [sketch, "--console"] : [sketch], settings, body)
    }

    private func withBench(
        chip: String, _ settings: [String], _ body: (ServedBench) throws -> Void
    ) throws {
        try withBench(serving: ["--chip", chip], settings, body)
    }

    private func withBench(
        serving served: [String], _ settings: [String], _ body: (ServedBench) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let bench = try ServedBench(served, in: folder, settings: settings)
            defer { bench.end() }
            try body(bench)
        }
    }

    /// Runs a suite on the virtual bench and on the served board, and compares them.
    private func compare(_ suite: String, _ cases: [String], _ bench: ServedBench) throws {
        let selection = [ServedBench.suite(suite), "--sample", "3"] + cases.flatMap { ["--case", $0] }
        let virtual = try bench.test(selection + ["--bench", "virtual"], to: "virtual.json")
        #expect(virtual.code == 0, "\(virtual.errors)")
        let desk = try bench.test(selection + ["--bench", "desk"], to: "desk.json")
        #expect(desk.code == 0, "\(desk.errors)\(desk.output)")
        #expect(desk.output.contains(#""bench":"desk","hardware":{"board":"rfc2217://127.0.0.1:"#), "\(desk.output)")
        let comparison = try bench.run(["compare", "--all", "virtual.json", "desk.json"])
        #expect(comparison.code == 0, "\(comparison.output)")
        #expect(comparison.output.contains("  = \(cases[0])"), "\(comparison.output)")
        #expect(comparison.output.contains("needs: "), "\(comparison.output)")
    }

    @Test("run the calculator's suite with the verdicts of the virtual bench")
    func calculator() throws {
        try withBench("Calculator", ["time factor: 3", "target: virtual"]) { bench in
            try compare(
                "Calculator/Suites/calculator.yaml",
                [
                    "tells of a request from connection to disconnection, in this order",
                    "answers the reference trace*",
                    "is there again after a reset*", "serves two clients apart", "multiplies {a} and {b}",
                    "is heard as far as its signal carries*", "is gone without power*",
                ], bench)
        }
    }

    @Test("skip suites with several boards, and build nothing for them")
    func severalBoards() throws {
        try withBench("Calculator") { bench in
            let suite = """
                suite: Two
                boards: {server: Calculator, client: DoesNotCompile}
                cases: [{name: x, steps: [advance: 1 s]}, {name: y, steps: [reset: client]}]

                """
            try Data(suite.utf8).write(to: bench.folder.appending(path: "two.yaml"))
            let run = try bench.run(["test", "two.yaml", "--bench", "desk"])
            #expect(run.code == 0, "\(run.errors)\(run.output)")
            #expect(run.output.contains("needs: 2 boards on one air"), "\(run.output)")
            #expect(run.output.contains("2 skipped"), "\(run.output)")
            let all = try bench.run(["test", "two.yaml", "--bench", "desk", "--require-all"])
            #expect(all.output.contains("2 failed"), "\(all.output)")
        }
    }

    @Test("run the lock's suite with the verdicts of the virtual bench, on a board that has another sketch at first")
    func lock() throws {
        try withBench("Calculator", ["time factor: 3", "retries: 1"]) { bench in
            try compare(
                "ServoLock/Suites/lock.yaml",
                [
                    "serves the original's app, line by line", "keeps its state over a reset, and does not move",
                    "sweeps to 90°*", "opens its window for one device",
                ], bench)
        }
    }

    private func write(_ suite: String, _ bench: ServedBench) throws {
        try Data(suite.utf8).write(to: bench.folder.appending(path: "s.yaml"))
    }

    private static let starts = """
        suite: Starts
        sketch: Settings
        cases:
          - {name: first, steps: [expect: {console: "starts 1 number 0 text ''", within: 5 s}]}
          - {name: second, steps: [expect: {console: "starts 1 number 0 text ''", within: 5 s}]}

        """

    @Test("erase the NVS for each case, so that nothing is left of the one before")
    func fresh() throws {
        try withBench("Calculator") { bench in
            try write(Self.starts, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("2 passed in 1 suite"))
            #expect(result.output.hasPrefix("bench desk  board rfc2217://127.0.0.1:"))
            #expect(result.output.contains(", time factor 1, no retries\n"))
        }
    }

    @Test("only reset the board where the bench says so, and show a case that passes at a retry as such")
    func retry() throws {
        try withBench("Calculator", ["fresh: reset", "retries: 1"]) { bench in
            try write(
                """
                suite: Starts
                sketch: Settings
                cases:
                  - {name: twice, steps: [expect: {console: "starts 2 number 0 text ''", within: 3 s}]}

                """, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk", "--junit", "j.xml"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("✓ twice  passed, 1 retry"), "\(result.output)")
            #expect(result.output.contains("run 1 failed  s.yaml:4: expected the console line 'starts 2"))
            #expect(result.output.contains("1 passed (1 only when run again) in 1 suite"))
            let report = try String(contentsOf: bench.folder.appending(path: "j.xml"), encoding: .utf8)
            #expect(report.contains("<flakyFailure "), "\(report)")
            #expect(report.contains(#"<property name="retries" value="1"/>"#))
        }
    }

    @Test("fail what is in progress when the console tells of a crash, and do not run it again")
    func panic() throws {
        try withBench("Calculator", ["retries: 3"]) { bench in
            try write(
                """
                suite: Aborts
                sketch: AbortInCallback
                before: [connect: {advertising: A000}]
                cases:
                  - name: writes
                    steps:
                      - write: {to: A001, bytes: [1]}
                      - expect: {console: never, within: 60 s}
                  - name: advertises again
                    steps: [discover: {A000: {A001: [write]}}]

                """, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == ExitReason.panic.rawValue, "\(result.output)\(result.errors)")
            #expect(result.output.contains("cause     firmware panic"), "\(result.output)")
            #expect(result.output.contains("abort() was called"), "\(result.output)")
            #expect(result.output.contains("AbortInCallback.ino:5"), "\(result.output)")
            #expect(result.output.contains("✓ advertises again"), "\(result.output)")
            #expect(!result.output.contains("run again"), "\(result.output)")
        }
    }

    @Test("tell when the board's port is lost in a case")
    func portLost() throws {
        try withBench("Calculator", showsConsole: true) { bench in
            try write(
                """
                suite: Lost
                sketch: Settings
                cases:
                  - {name: before, steps: [expect: {console: begin 1, within: 5 s}]}
                  - name: lost
                    steps:
                      - expect: {console: begin 1, within: 5 s}
                      - console: p7
                      - expect: {console: never, within: 60 s}
                  - {name: after, steps: [expect: {console: begin 1, within: 5 s}]}

                """, bench)
            let run = EspbenchProcess(
                ["test"] + bench.project + ["s.yaml", "--bench", "desk", "--timeline", "t.jsonl"],
                folder: bench.folder)
            try run.process.run()
            // What the second case sends when it has seen the board's start: it waits for the rest of its time.
            #expect(bench.served.waitForOutput("put 50 in").contains("put 50 in"))
            bench.end()
            let rest = run.waitForOutput("of bench time")
            run.process.waitUntilExit()
            #expect(run.process.terminationStatus == ExitReason.benchFault.rawValue, "\(rest)")
            #expect(rest.contains("fault of the bench"), "\(rest)")
            #expect(rest.contains(#/the board's port was lost: rfc2217:\/\/127\.0\.0\.1:\d+: /#), "\(rest)")
            #expect(rest.contains("✓ before") && rest.contains("✗ lost") && rest.contains("✗ after"), "\(rest)")
            // Reset, where the program is just ending.
            #expect(rest.contains(#/Connection (refused|reset by peer)/#), "\(rest)")
        }
    }

    @Test("switch the board's supply by the commands of the bench, which must succeed")
    func power() throws {
        let on = "test -e on || { touch on; printf p > keys; }"
        let off = "if test -e on; then rm on; printf p > keys; fi"
        try withBench("Calculator", [#"power: {on: "\#(on)", off: "\#(off)"}"#]) { bench in
            try Data().write(to: bench.folder.appending(path: "on"))
            try bench.relayKeys(from: "keys")
            try write(
                Self.starts + """
                      - name: third
                        steps:
                          - expect: {console: begin 1, within: 5 s}
                          - power: off
                          - expect: {nothing: 500 ms, of: console}
                          - power: on
                          - expect: {console: "starts 2 number 0 text ''", within: 5 s}
                      - name: fourth
                        steps:
                          - expect: {console: begin 1, within: 5 s}
                          - reboot: {nvs: erased}
                          - expect: {console: "starts 1 number 0 text ''", within: 5 s}

                    """, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("4 passed in 1 suite"), "\(result.output)")
            #expect(!FileManager.default.fileExists(atPath: bench.folder.appending(path: "on").path))
        }
        try withBench("Calculator", [#"power: {on: "echo the hub is gone >&2; exit 3", off: "true"}"#]) { bench in
            try write(Self.starts, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(
                result.errors.contains("switching the board's supply on by 'echo the hub is gone >&2; exit 3'"),
                "\(result.errors)")
            #expect(result.errors.contains("the hub is gone"), "\(result.errors)")
            #expect(result.errors.contains("error: espbench.yaml:7:12: the bench's power: "), "\(result.errors)")
            #expect(result.errors.contains("hint: Run the command by hand"), "\(result.errors)")
        }
        try withBench("Calculator", [#"power: {on: "true", off: "sleep 1000", within: 500 ms}"#]) { bench in
            try write(Self.starts, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == ExitReason.benchFault.rawValue, "\(result.errors)")
            #expect(
                result.errors.contains(
                    "off by 'sleep 1000': expected the command to end within 500 ms; it did not end"),
                "\(result.errors)")
        }
    }

    @Test("give the centrals of a case an adapter each, and skip cases with more centrals than adapters")
    func adapters() throws {
        try withBench(serving: ["Calculator", "--h4", "0"], ["target: virtual"]) { bench in
            let file = bench.folder.appending(path: "espbench.yaml")
            let yaml = try String(contentsOf: file, encoding: .utf8)
            let adapters = "central: [\(bench.radios.map { "h4:\($0)" }.joined(separator: ", "))]"
            try Data(yaml.replacing(#/central: .*/#, with: adapters).utf8).write(to: file)
            try write(
                """
                suite: Adapters
                sketch: Calculator
                uuids: {service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079}
                before: [connect: {advertising: service}]
                cases:
                  - {name: two, steps: [connect: {advertising: service, as: second}]}
                  - {name: two others, steps: [connect: {advertising: service, as: third}]}
                  - name: three
                    steps: [connect: {advertising: service, as: second}, connect: {advertising: service, as: third}]

                """, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("✓ two ") && result.output.contains("✓ two others"), "\(result.output)")
            #expect(result.output.contains("needs: 3 centrals at a time"), "\(result.output)")
            #expect(result.output.contains("central h4:\(bench.radios[0]), h4:\(bench.radios[1])"), "\(result.output)")
        }
    }

    @Test("say which part of the bench is not there, or is another one")
    func missingParts() throws {
        try withBench("Calculator", ["target: virtual"]) { bench in
            let file = bench.folder.appending(path: "espbench.yaml")
            let yaml = try String(contentsOf: file, encoding: .utf8)
            func run(_ replaced: Regex<Substring>, _ text: String) throws -> (code: Int32, errors: String) {
                try Data(yaml.replacing(replaced, with: text).utf8).write(to: file)
                try write(Self.starts, bench)
                let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
                return (result.code, result.errors)
            }
            let central = try run(#/central: .*/#, "central: h4:127.0.0.1:1")
            #expect(central.code == ExitReason.noCentral.rawValue)
            #expect(
                central.errors.contains("espbench.yaml:6:14: the bench's central: h4:127.0.0.1:1: connecting failed"),
                "\(central.errors)")
            #expect(central.errors.contains("hint: Is the controller plugged in"), "\(central.errors)")
            // Something that is no board answers nothing, or closes the connection.
            let board = try run(#/board: .*/#, "board: rfc2217://\(bench.radios[0])")
            #expect(board.code == ExitReason.portFailed.rawValue)
            #expect(board.errors.contains("espbench.yaml:5:12: the bench's board: rfc2217://"), "\(board.errors)")
        }
    }

    @Test("refuse an image for another chip than the board's")
    func wrongChip() throws {
        try withBench(chip: "esp32c3", ["target: virtual"]) { bench in
            try write(Self.starts, bench)
            let result = try bench.run(["test", "s.yaml", "--bench", "desk"])
            #expect(result.code == ExitReason.refused.rawValue, "\(result.errors)")
            #expect(result.errors.contains("espbench.yaml:5:12: the bench's board: "), "\(result.errors)")
            #expect(result.errors.contains("hint: "), "\(result.errors)")
        }
    }

    @Test("refuse what they cannot be, with the place in espbench.yaml or the next step")
    func refusals() throws {
        try withTemporaryFolder { folder in
            let root = ServedBench.suite("Calculator")
            func run(_ board: String, _ more: String = "", _ arguments: [String] = []) throws -> (Int32, String) {
                let yaml = """
                    sketches: [\(root)]
                    benches:
                      desk:
                        kind: hardware
                        board: \(board)
                        central: h4:127.0.0.1:1
                    \(more)
                    """
                try Data(yaml.utf8).write(to: folder.appending(path: "espbench.yaml"))
                let result = try EspbenchProcess(
                    ["test", ServedBench.suite("Calculator/Suites/calculator.yaml"), "--project", folder.path]
                        + ["--bench", "desk", "--case", "reads 00*"] + arguments, folder: folder
                ).run()
                return (result.code, result.errors)
            }
            let address = try run("usb")
            #expect(address.0 == ExitReason.nothingRan.rawValue)
            #expect(address.1.contains("espbench.yaml:5:12: board: expected "), "\(address.1)")
            #expect(address.1.contains("hint: 'espbench help project' describes"), "\(address.1)")
            let target = try run("rfc2217://127.0.0.1:1", "    target: esp33")
            #expect(target.1.contains("espbench.yaml:7:13: target: expected virtual, auto"), "\(target.1)")
            let jobs = try run("rfc2217://127.0.0.1:1", "    target: virtual", ["--jobs", "2"])
            #expect(jobs.0 == ExitReason.usage.rawValue)
            #expect(jobs.1.contains("--jobs 2: the bench 'desk' runs 1 at a time"), "\(jobs.1)")
            let port = try run("rfc2217://127.0.0.1:1")
            #expect(port.0 == ExitReason.portFailed.rawValue, "\(port.1)")
            #expect(
                port.1.contains("error: espbench.yaml:5:12: the bench's board: rfc2217://127.0.0.1:1: "), "\(port.1)")
            #expect(port.1.contains("hint: Is the board plugged in"), "\(port.1)")
        }
    }
}
