import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Suites with several boards on one air.
extension EndToEndTests {
    /// Two calculators that a central uses, and a sketch that crashes.
    private var threeBoards: String {
        """
        suite: Three
        boards: {left: Calculator, right: Calculator, faulty: \(sketch("AbortInCallback"))}
        uuids:
          service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079
          input: C1AB2C55-7914-4140-B85B-879C5E252FE5
          output: 643954A4-A6CC-455C-825C-499190CE7DB0
        before:
          - connect: {advertising: service, board: left}
          - connect: {advertising: service, board: right, as: second}
        cases:
          - name: "both calculate {a}"
            each: {a: 0...3}
            steps:
              - write: {to: input, bytes: [a, 1, 0]}
              - write: {to: input, bytes: [a, 2, 0], on: second}
              - expect: {console: "Sending response:   {a + 2:02x}", board: right}
              - expect: {console: "Sending response:   {a + 1:02x}", board: left}
          - name: one after the other
            before: []
            steps:
              - connect: {advertising: service, board: left}
              - disconnect
              - connect: {advertising: service, board: right}
              - expect: {console: BLE Client Connected, board: right}
          - name: one is off
            steps:
              - power: {switch: off, board: right}
              - expect: {disconnect: 0x08, within: 30 s, on: second}
              - read: {from: output, bytes: [0]}
          - name: one loses what it is sent
            steps:
              - fault: {drop: write request, from: central, board: right}
              - write: {to: input, bytes: [1, 1, 0]}
              - write: {to: input, bytes: [1, 1, 0], on: second}
              - expect: {error: timeout}
          - name: one is cut off at a request
            steps:
              - power: {cut: {pdu: write request, nth: 2}, board: right}
              - write: {to: input, bytes: [1, 1, 0]}
              - write: {to: input, bytes: [1, 2, 0]}
              - expect: {console: "Sending response:   03", board: left}
              - write: {to: input, bytes: [1, 1, 0], on: second}
              - expect: {console: "Sending response:   02", board: right}
              - write: {to: input, bytes: [1, 2, 0], on: second}
              - expect: {error: disconnected}
              - expect: {power: off, board: right}
              - read: {from: output, bytes: [3]}
          - name: one crashes
            steps:
              - connect: {advertising: A000, as: third}
              - write: {to: A001, bytes: [1], response: true, on: third}

        """
    }

    @Test("run on boards of their own with the same timeline for the same seed, and say which board crashed")
    func severalBoards() throws {
        try withTemporaryFolder { folder in
            try write(threeBoards, to: folder)
            var expected: [String]?
            for jobs in ["1", "2"] {
                let arguments = ["test", "s.yaml", "--jobs", jobs, "--timeline", "t.jsonl", "--junit", "j.xml"]
                let report = try tool(arguments, folder).run()
                #expect(report.code == ExitReason.panic.rawValue, "\(report.errors)\(report.output)")
                #expect(report.output.contains("a panic of 'faulty': abort() was called"), "\(report.output)")
                let timeline = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
                for board in ["left", "right", "faulty"] {
                    #expect(timeline.contains(#""source":"\#(board)","kind":"console""#))
                    #expect(timeline.contains(#""board":"\#(board)"}"#), "its controller")
                }
                #expect(!timeline.contains(#""source":"board""#) && !timeline.contains(#""source":"console""#))
                let junit = try String(contentsOf: folder.appending(path: "j.xml"), encoding: .utf8)
                #expect(junit.contains(#"<property name="board faulty" value="AbortInCallback"/>"#))
                #expect(junit.contains("faulty: ready\n"))
                let results = [report.output.replacing(#/of bench time in .*/#, with: ""), timeline]
                if let expected { #expect(results == expected) }
                expected = expected ?? results
            }
            #expect(expected?[0].contains("1 failed") == true, "\(expected?[0] ?? "")")
            let shown = try tool(["show", "t.jsonl", "--kind", "panic"], folder, inProject: false).run()
            #expect(shown.output.contains("faulty"), "\(shown.output)\(shown.errors)")
        }
    }

    @Test("are listed with their boards, and have them in JSON")
    func listedBoards() throws {
        try withTemporaryFolder { folder in
            try write(threeBoards, to: folder)
            let list = try tool(["test", "s.yaml", "--list", "--json"], folder).run()
            #expect(list.output.contains(#""boards":[{"name":"left","sketch":"Calculator"}"#), "\(list.output)")
            let json = try tool(["test", "s.yaml", "--json", "--case", "one crashes"], folder).run()
            #expect(
                json.output.contains(
                    #"{"name":"faulty","sketch":"AbortInCallback","nimble":"NimBLE-Arduino 2.5.1 (built-in)"}"#),
                "\(json.output)")
            #expect(json.output.contains(#""board":"faulty","crash":["#), "\(json.output)")
        }
    }

    @Test("say of each sketch that is not found where it is named")
    func missingSketches() throws {
        try withTemporaryFolder { folder in
            let suite = "suite: S\nboards: {a: Calculator, b: Nowhere, c: Neither}\n"
            try write(suite + "cases: [{name: x, steps: [advance: 1 s]}]\n", to: folder)
            let run = try tool(["test", "s.yaml"], folder).run()
            #expect(run.code == ExitReason.buildFailed.rawValue)
            #expect(run.errors.contains("s.yaml:2:28: no sketch 'Nowhere'"), "\(run.errors)")
            #expect(run.errors.contains("s.yaml:2:40: no sketch 'Neither'"), "\(run.errors)")
        }
    }

    static let library = ProcessInfo.processInfo.environment["ESPBENCH_NIMBLE"]

    @Test(
        "a client's board uses a server's, with the NimBLE-Arduino library",
        .enabled(if: library != nil, "needs the NimBLE-Arduino library: ESPBENCH_NIMBLE names its folder"))
    func clientAndServer() throws {
        try withTemporaryFolder { folder in
            let suite = sketch("CalculatorClient") + "/Suites/client.yaml"
            let run = tool(["test", suite, "--nimble", "library"], folder)
            run.process.environment?["ESPBENCH_NIMBLE"] = Self.library
            let report = try run.run()
            #expect(report.code == 0, "\(report.errors)\(report.output)")
            #expect(report.output.contains("7 passed"), "\(report.output)")
        }
    }

    /// What sanitizers find in the library at each start is known, and nothing else is found.
    @Test(
        "our sketches pass with sanitizers and the NimBLE-Arduino library",
        .enabled(if: library != nil, "needs the NimBLE-Arduino library: ESPBENCH_NIMBLE names its folder"),
        arguments: [("Calculator", "answers *"), ("ServoLock", "keeps its owner *")])
    func sanitizedLibrary(name: String, cases: String) throws {
        try withTemporaryFolder { folder in
            let run = tool(["test", name, "--nimble", "library", "--sanitize", "--case", cases], folder)
            run.process.environment?["ESPBENCH_NIMBLE"] = Self.library
            let report = try run.run()
            #expect(report.code == 0, "\(report.errors)\(report.output)")
            #expect(report.output.contains("(library) · with sanitizers"), "\(report.output)")
        }
    }
}
