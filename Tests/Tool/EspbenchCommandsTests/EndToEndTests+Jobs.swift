import BenchModel
import CommandSupport
import EspbenchCommands
import Foundation
import MonotonicTime
import Testing

/// Runs with several cases at a time.
extension EndToEndTests {
    /// Cases that pass, fail, and are skipped after failures.
    private static let sums = """
        \(head("Sums"))
        cases:
          - name: "{a} and {b}"
            each: {a: 0...7, b: 0...7}
            steps:
              - write: {to: input, bytes: [a, b, 0], response: false}
              - expect: {notification: output, bytes: [a + b + (a == 3 && b == 4)]}
          - name: connects again {n}
            each: {n: 0...11}
            steps:
              - disconnect
              - connect: {advertising: service, as: second}
              - read: {from: output, bytes: [1], on: second}
          - name: connects
            steps:
              - read: {from: output, bytes: [0]}

        """

    /// The firmware ends in each of these.
    private var crashes: String {
        """
        suite: Crashes
        sketch: \(sketch("AbortInCallback"))
        before: [connect: {advertising: A000}]
        cases:
          - name: first
            steps: [write: {to: A001, bytes: [1]}]
          - name: second
            steps: [write: {to: A001, bytes: [1]}]

        """
    }

    @Test("several jobs, or one processor, give the same report, results, timeline and packets as one job")
    func jobs() throws {
        try withTemporaryFolder { folder in
            try write(Self.sums, to: folder)
            try Data(crashes.utf8).write(to: folder.appending(path: "c.yaml"))
            var expected: [String]?
            for (jobs, shell) in [("1", nil), ("2", nil), ("4", nil), ("2", "taskset -c 0 \"$@\"")] {
                let suites = ["test", "s.yaml", "c.yaml", "--jobs", jobs]
                let files = ["--timeline", "t.jsonl", "--btsnoop", "air.btsnoop"]
                let report = try tool(suites + files, folder, shell: shell).run()
                #expect(report.code == ExitReason.panic.rawValue, "\(report.errors)")
                #expect(report.output.contains("64 passed, 13 failed, 2 skipped in 2 suites"), "\(report.output)")
                let json = try tool(suites + ["--json", "--instances"], folder, shell: shell).run()
                let results = [
                    report.output.replacing(#/of bench time in .*/#, with: ""),
                    json.output.replacing(#/"wallTime":\d+|"id":"[^"]*"|"started":\d+,"bench"/#, with: ""),
                    try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8),
                    try Data(contentsOf: folder.appending(path: "air.btsnoop")).base64EncodedString(),
                ]
                if expected == nil {
                    #expect(results.allSatisfy { $0.count > 1000 })
                    expected = results
                } else {
                    for (result, expected) in zip(results, expected ?? []) { #expect(result == expected) }
                }
            }
        }
    }

    @Test("a case that runs alone does what it does among the others")
    func caseAlone() throws {
        try withTemporaryFolder { folder in
            try write(Self.sums, to: folder)
            _ = try tool(["test", "s.yaml", "--timeline", "all.jsonl"], folder).run()
            _ = try tool(["test", "s.yaml", "--timeline", "one.jsonl", "--case", "connects again 5"], folder).run()
            func events(_ file: String) throws -> [BenchEvent] {
                var reader = TimelineReader()
                let events = try reader.read(Array(try Data(contentsOf: folder.appending(path: file))))
                try reader.finish()
                return events
            }
            let alone = try events("one.jsonl").filter { $0.caseNumber == 1 }
            let all = try events("all.jsonl")
            let begin = try #require(
                all.firstIndex { ($0.payload as? CaseBegan)?.name == "connects again 5" })
            let number = all[begin].caseNumber
            let among = all.filter { $0.caseNumber == number }
            #expect(alone.count > 100)
            #expect(alone.map(\.source) == among.map(\.source))
            #expect(alone.map(\.payload.text) == among.map(\.payload.text))
            let first = try #require(alone.first?.time)
            #expect(alone.map { first.duration(to: $0.time) } == among.map { among[0].time.duration(to: $0.time) })
        }
    }

    @Test("Ctrl-C with several jobs ends all of them, with the results so far")
    func interruptedJobs() throws {
        try withTemporaryFolder { folder in
            let run = try interrupted(["--jobs", "3"], by: SIGINT, in: folder)
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
        }
    }

    @Test("a number of jobs that cannot be is refused", arguments: ["0", "-1", "many", "257"])
    func wrongJobs(number: String) throws {
        try withTemporaryFolder { folder in
            let result = try tool(["test", "--jobs=\(number)"], folder).run()
            #expect(result.code == ExitReason.usage.rawValue)
            #expect(result.errors.contains("--jobs"), "\(result.errors)")
        }
    }
}
