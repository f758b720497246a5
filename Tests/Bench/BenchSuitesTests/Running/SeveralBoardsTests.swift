import Bench
import BenchModel
import BenchSuites
import Console
import Testing

@Suite("Running suites with several boards")
struct SeveralBoardsTests {
    private static let head = """
        suite: Fake
        boards: {server: Calculator, client: Remote}
        defaults: {board: client}
        uuids: {service: EBC0, input: C1AB, output: "6439"}
        cases:

        """

    private func run(_ cases: String, boards: [String] = ["server", "client"]) throws -> FakeRun {
        try runFake("", yaml: Self.head + cases, boards: boards)
    }

    @Test("switches all on for each case, and asks the board that a step names")
    func boards() throws {
        let run = try run(
            """
              - name: x
                steps:
                  - expect: {console: client is on}
                  - expect: {console: BLE Service is advertising, board: server}
                  - console: hello
                  - expect: {console: typed hello}
                  - console: {type: hello, board: server}
                  - reset: client
                  - expect: {console: client is reset}
                  - button: {press: 1 s, pin: 27, board: client}
                  - expect: {console: pin 27 high}
                  - reboot: {nvs: erased}
                  - expect: {console: erased}
                  - fault: {drop: response, board: client}
                  - fault: none
                  - radio: {loss: 3, board: client}
            """)
        #expect(run.failure == nil)
        // What the client is asked it repeats on its console.
        let faults = run.calls.filter { $0.hasPrefix("fault drop") }
        #expect(faults.count == 1 && faults.first?.hasSuffix(" 1 of board 1") == true, "\(run.calls)")
        #expect(
            run.calls.filter { !$0.hasPrefix("fault drop") } == [
                "power off", "power on", "type hello", "faults cleared", "air 3 -1 of board 1",
            ], "\(run.calls)")
        #expect(run.timeline.contains(#""source":"client","kind":"console","case":1,"text":"client is on""#))
        #expect(run.timeline.contains(#""source":"server","kind":"power""#))
        #expect(!run.timeline.contains(#""source":"board""#) && !run.timeline.contains(#""source":"console""#))
    }

    @Test("expects each board's lines and servos of that board alone")
    func lines() throws {
        let run = try run(
            """
              - name: line
                steps: [expect: {console: client is on, board: server, within: 1 ms}]
              - name: servo
                steps:
                  - console: servo 90
                  - expect: {servo: 90}
                  - expect: {servo: 90, board: server, within: 1 ms}
              - name: prompt
                steps: [console: prompt, expect: {prompt: "> "}, expect: {prompt: "> ", board: server, within: 1 ms}]
              - name: order
                steps:
                  - expect: {console: BLE Service is advertising, board: server}
                  - expect: {console: client is on}
              - name: nothing of one
                before: [expect: {console: client is on}]
                steps:
                  - expect: {nothing: 50 ms, board: client}
                  - expect: {nothing: 50 ms}
            """)
        let failures = run.result.failures.map(\.failure)
        #expect(run.result.cases.map(\.counts.failed) == [1, 1, 1, 0, 1])
        #expect(failures[0].expected == "the console line 'client is on' of 'server' within 1 ms")
        #expect(failures[1].expected.hasPrefix("the servo of 'server' at 90°") && failures[1].got == "no servo moved")
        #expect(failures[2].expected.hasPrefix("the prompt '> ' on the console of 'server'"))
        #expect(failures[3].got.hasPrefix("the console line 'BLE Service is advertising'"))
        #expect(failures[3].position.line == 23)
    }

    @Test("forgets what a board did when that starts again, and nothing of the others")
    func restart() throws {
        let run = try run(
            """
              - name: keeps
                steps: [advance: 50 ms, reset: client, expect: {console: BLE Service is advertising, board: server}]
              - name: forgets
                steps: [advance: 50 ms, reset: client, expect: {console: client is on, within: 5 ms}]
              - name: passes
                steps:
                  - advance: 50 ms
                  - power: {switch: off, board: client}
                  - expect: {console: BLE Service is advertising, board: server}
                  - power: {switch: on, board: client}
                  - expect: {console: client is on}
            """)
        #expect(run.result.cases.map(\.counts.failed) == [0, 1, 0], "\(run.result.failures)")
        #expect(run.failure?.got.hasPrefix("no such line among 1; the nearest is 'client is reset'") == true)
    }

    @Test("fails a case when any board crashes, and names the board", arguments: ["panic", "hang"])
    func crash(how: String) throws {
        let run = try run(
            """
              - {name: crashes, steps: [console: \(how), advance: 1 s]}
              - {name: goes on, steps: [expect: {console: client is on}]}
            """)
        #expect(run.result.cases.map(\.counts.failed) == [1, 0])
        let failure = try #require(run.failure)
        #expect(failure.board == "client" && failure.cause == (how == "panic" ? .panic : .watchdog))
        #expect(
            failure.got.hasPrefix(how == "panic" ? "a panic of 'client': Guru" : "a watchdog reset of 'client': Task"))
    }

    @Test("looks up where a board crashed in that board's program")
    func symbols() throws {
        var options = RunOptions()
        options.symbols["fake.yaml"] = [Program(name: "server"), Program(name: "client")]
        let run = try runFake(
            "", options: options,
            yaml: Self.head + "  - {name: crashes, steps: [console: panic, advance: 1 s]}\n",
            boards: ["server", "client"])
        #expect(run.failure?.crash.map(\.function) == ["client"])
    }

    /// A program with one function, which has its name.
    private struct Program: AddressResolver {
        let name: String

        func frames(at addresses: [CodeAddress]) -> [[CodeFrame]] {
            addresses.map { [CodeFrame(address: $0.value, function: name, file: "S.ino", line: 3)] }
        }
    }

    @Test("knows the bonds of each board, also with another board")
    func bonds() throws {
        let run = try run(
            """
              - name: x
                before: [scan: {advertising: service}]
                steps:
                  - expect: {bonds: [first], of: client}
                  - expect: {bonds: 0, of: server}
                  - forget: {on: client, of: first}
                  - expect: {bonds: [], of: client}
                  - expect: {bonds: 1, of: client, within: 1 ms}
            """)
        #expect(run.failure?.expected == "'client' to have 1 bond within 1 ms" && run.failure?.position.line == 13)
    }

    @Test("skips all cases where there are fewer boards, which fails with --require-all")
    func tooFew() throws {
        let cases = "  - {name: x, steps: [advance: 1 s]}\n  - {name: y, steps: [reset: client]}\n"
        let skipped = try run(cases, boards: [BenchBoard.onlyName])
        #expect(skipped.result.cases.map(\.skipReason) == ["needs: 2 boards on one air", "needs: 2 boards on one air"])
        #expect(skipped.calls.isEmpty)
        let failed = try runFake("", options: RunOptions(requiresAll: true), yaml: Self.head + cases)
        #expect(failed.result.counts.failed == 2 && failed.failure?.cause == .benchFault)
    }

    @Test("has the boards in its result")
    func result() throws {
        let run = try run("  - {name: x, steps: [advance: 1 s]}\n")
        #expect(run.result.boards.map(\.name) == ["server", "client"] && run.result.sketch == "Calculator, Remote")
    }
}
