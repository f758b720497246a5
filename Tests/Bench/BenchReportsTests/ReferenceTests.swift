import BenchModel
import BenchReports
import Console
import Foundation
import MonotonicTime
import Testing

/// `Sources/Bench/RESULTS.md` describes what is written.
@Suite("The reference of results")
struct ReferenceTests {
    private static let reference = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Bench/RESULTS.md").standardized

    /// The first columns of the tables under the heading `heading`, split at commas, with whether they are optional.
    private static func keys(_ heading: String) throws -> [String: Bool] {
        let text = try String(contentsOf: reference, encoding: .utf8)
        let sections = text.components(separatedBy: "\n### ")
        let section = try #require(sections.first { $0.hasPrefix("\(heading)\n") }, "no section '\(heading)'")
        let table = section.components(separatedBy: "| cause | |")[0]
        var keys: [String: Bool] = [:]
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|")
            for match in cells[0].matches(of: #/`(\w+)`/#) { keys[String(match.1)] = cells[1].contains("optional") }
        }
        return keys
    }

    /// An object with every key there is.
    private static func fullObject() throws -> [String: Any] {
        var suite = SampleResults.suite
        suite.firmware = FirmwareInformation(nimble: "NimBLE-Arduino 2.5.1 (library)", isSanitized: true)
        suite.boards = [BoardInformation(name: "server", sketch: "Calculator", firmware: suite.firmware)]
        suite.cases[1].tags = ["slow"]
        suite.cases[1].sampledFrom = 9
        suite.cases[1].failures[0].failure.crash = [CodeFrame(address: 1)]
        suite.cases[1].failures[0].failure.board = "server"
        suite.cases[1].failures[0].formerFailures = [SampleResults.failure]
        suite.cases[1].retried = suite.cases[1].failures
        suite.cases[1].counts.retried = 1
        suite.cases[1].instances = [
            InstanceResult(
                name: "a", number: 0, verdict: .skipped(reason: "r"), started: .zero, ended: .zero)
        ]
        suite.cases[1].instances[0].formerFailures = [SampleResults.failure]
        var run = SampleResults.run
        run.hardware = RunInformation.Hardware(board: "b", central: "c", timeFactor: 1.5, retries: 1)
        let fault = RunOutcome.Fault(
            message: "m", hint: "h",
            diagnostics: [
                RunOutcome.Diagnostic(file: "f", position: SourcePosition(line: 1, column: 1), message: "m")
            ])
        let bytes = JSONReport(run).bytes(
            [suite], wallTime: .zero, outcome: RunOutcome(name: "interrupted", exitCode: 7, error: fault))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// An object without its optional keys.
    private static func bareObject() throws -> [String: Any] {
        var suite = SampleResults.suite
        suite.cases = [suite.cases[1]]
        suite.cases[0].skipReason = nil
        suite.cases[0].instances = [
            InstanceResult(name: "a", number: 1, verdict: .passed, started: .zero, ended: .zero)
        ]
        let fault = RunOutcome.Fault(
            message: "m", hint: nil,
            diagnostics: [RunOutcome.Diagnostic(file: "f", position: nil, message: "m")])
        let bytes = JSONReport(SampleResults.run).bytes(
            [suite], wallTime: .zero, outcome: RunOutcome(name: "interrupted", exitCode: 7, error: fault))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// The object that is described under `heading`.
    private static func part(_ heading: String, of object: [String: Any]) -> [String: Any]? {
        func last(_ key: String, _ object: [String: Any]?) -> [String: Any]? {
            (object?[key] as? [[String: Any]])?.last
        }
        let suite = last("suites", object)
        let error = object["error"] as? [String: Any]
        return switch heading {
        case "The object": object
        case "`suites`": suite
        case "`cases`": last("cases", suite)
        case "`failures`": last("failures", last("cases", suite))
        case "`instances`": last("instances", last("cases", suite))
        case "`run`": object["run"] as? [String: Any]
        case "`error`": error
        case "`diagnostics`": last("diagnostics", error)
        default: nil
        }
    }

    @Test(
        "names every key of the JSON object and no other",
        arguments: [
            "The object", "`suites`", "`cases`", "`failures`", "`instances`", "`run`", "`error`", "`diagnostics`",
        ])
    func keys(heading: String) throws {
        let described = try Self.keys(heading)
        let full = try #require(Self.part(heading, of: try Self.fullObject()))
        #expect(Set(described.keys) == Set(full.keys))
        let bare = try #require(Self.part(heading, of: try Self.bareObject()))
        let missing = Set(full.keys).subtracting(bare.keys)
        #expect(missing.isSubset(of: described.filter(\.value).keys), "optional: \(missing)")
    }

    @Test("names every cause of a failure")
    func causes() throws {
        let text = try String(contentsOf: Self.reference, encoding: .utf8)
        let table = text.components(separatedBy: "| cause | |\n|---|---|\n").last?.components(separatedBy: "\n\n")[0]
        let names = try #require(table).split(separator: "\n").compactMap { $0.firstMatch(of: #/^\| `(\w+)`/#)?.1 }
        #expect(names.map(String.init) == FailureCause.allCases.map(\.rawValue))
    }
}
