import BenchModel
import BenchRuns
import BenchSuites
import EspbenchCommands
import Foundation
import MonotonicTime
import Testing

@Suite("Failed cases")
struct FailedCasesTests {
    private static let file = "/p/s.yaml"

    private static func suite() throws -> BenchSuites.Suite {
        try Suite(
            yaml: """
                suite: S
                sketch: X
                cases:
                  - {name: "adds {a}", each: {a: 0...9}, steps: [reset]}
                  - {name: reads, steps: [reset]}
                """, file: "s.yaml")
    }

    /// The result of a run in which these instances failed, and others were skipped after them.
    private static func update(
        _ cases: inout FailedCases, _ selection: CaseSelection = .everything, failed: [String: [String]],
        skipped: [String: Int] = [:], notRun: Set<String> = [], seed: UInt64 = 0
    ) throws {
        let suite = try suite()
        let plan = selection.plan(suite, seed: 0)
        let results = plan.cases.compactMap { plan -> CaseResult? in
            let name = suite.cases[plan.index].name.source
            guard !notRun.contains(name) else { return nil }
            var result = CaseResult(name: name, position: SourcePosition(line: 1, column: 1), started: .zero)
            result.failures = failed[name, default: []].map {
                InstanceFailure(
                    name: $0,
                    failure: Failure(
                        cause: .assertion, position: SourcePosition(line: 1, column: 1), step: "", expected: "",
                        got: "", started: .zero, failed: .zero, context: []))
            }
            result.counts.failed = result.failures.count
            result.counts.skipped = skipped[name, default: 0]
            result.counts.passed = plan.instances.count - result.counts.failed - result.counts.skipped
            return result
        }
        cases.update(
            SuiteResult(
                name: "S", file: "s.yaml", sketch: "X", run: RunInformation(seed: seed, bench: "virtual"),
                cases: results, started: .zero, ended: .zero), of: suite, file: file, plan: plan)
    }

    private static func names(_ cases: FailedCases) -> [String] { cases.entries.map(\.name).sorted() }

    @Test("are those of the last run of each")
    func update() throws {
        var cases = FailedCases(project: "/p")
        try Self.update(&cases, failed: ["adds {a}": ["adds 3", "adds 4"], "reads": ["reads"]], seed: 7)
        #expect(Self.names(cases) == ["adds 3", "adds 4", "reads"])
        #expect(cases.entries.allSatisfy { $0.file == Self.file && $0.seed == 7 })
        // A filtered run changes only what it ran.
        try Self.update(&cases, CaseSelection(name: "adds 3"), failed: [:])
        #expect(Self.names(cases) == ["adds 4", "reads"])
        try Self.update(&cases, CaseSelection(name: "adds 5"), failed: ["adds {a}": ["adds 5"]])
        #expect(Self.names(cases) == ["adds 4", "adds 5", "reads"])
        try Self.update(&cases, CaseSelection(name: "adds 5"), failed: ["adds {a}": ["adds 5"]])
        #expect(Self.names(cases) == ["adds 4", "adds 5", "reads"], "each once")
        // The run ended before these.
        try Self.update(&cases, failed: ["adds {a}": ["adds 1"]], skipped: ["adds {a}": 8], notRun: ["reads"])
        #expect(Self.names(cases) == ["adds 1", "adds 4", "adds 5", "reads"])
        try Self.update(&cases, failed: [:])
        #expect(cases.entries.isEmpty)
    }

    @Test("of cases that are no longer in the suite are forgotten when it runs; those of other suites stay")
    func vanished() throws {
        var cases = FailedCases(project: "/p")
        cases.entries = [
            FailedCases.Entry(file: Self.file, caseName: "gone", name: "gone", seed: 0),
            FailedCases.Entry(file: "/p/other.yaml", caseName: "reads", name: "reads", seed: 0),
        ]
        try Self.update(&cases, CaseSelection(name: "adds 1"), failed: [:])
        #expect(cases.entries.map(\.file) == ["/p/other.yaml"])
    }

    @Test("are stored by project, and read again")
    func stored() throws {
        try withTemporaryFolder { folder in
            let file = FailedCasesFile(project: "/a/p", stateFolder: folder.path)
            #expect(file.load() == nil)
            var cases = FailedCases(project: "/a/p")
            try file.save(cases)
            #expect(file.load() == cases)
            try Self.update(&cases, failed: ["reads": ["reads"]])
            try file.save(cases)
            #expect(file.load() == cases)
            #expect(FailedCasesFile(project: "/b/p", stateFolder: folder.path).load() == nil)
        }
    }

    @Test(
        "that cannot be read count as none",
        arguments: [
            "", "{", "[]", "null", #"{"version":2,"project":"/a/p","entries":[]}"#,
            #"{"version":1,"project":"/b/p","entries":[]}"#, #"{"version":1,"project":"/a/p","entries":[{"file":1}]}"#,
        ])
    func corrupt(text: String) throws {
        try withTemporaryFolder { folder in
            let file = FailedCasesFile(project: "/a/p", stateFolder: folder.path)
            try file.save(FailedCases(project: "/a/p"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "last-failed").path)
            let stored = try #require(names.first)
            try Data(text.utf8).write(to: folder.appending(path: "last-failed/\(stored)"))
            #expect(file.load() == nil)
            try file.save(FailedCases(project: "/a/p"))
            #expect(file.load() != nil)
        }
    }
}
