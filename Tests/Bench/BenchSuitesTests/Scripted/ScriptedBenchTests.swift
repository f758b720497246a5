import BLECentral
import Bench
import BenchExecutor
import BenchModel
import BenchSuites
import Foundation
import Testing

@Suite("A bench that is not virtual")
struct ScriptedBenchTests {
    /// Of larger matrices, which would take minutes of real time, only single instances run.
    private static let maximumInstances = 100
    private static let chosen = [
        "adds 200 and 100", "subtracts 9 from 2", "multiplies 16 and 17", "ignores operation 255, and says so",
    ]

    private static func calculator() throws -> BenchSuites.Suite {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Firmware/Calculator/Suites/calculator.yaml").standardized
        return try Suite(yaml: String(contentsOf: file, encoding: .utf8), file: file.path)
    }

    /// Runs `suite` in real time: all cases, or the instances with these names.
    private func run(
        _ suite: BenchSuites.Suite, lacking: Set<BenchAbility> = [], caseNames: [String?] = [nil]
    ) throws -> [CaseResult] {
        let executor = BenchExecutor(pace: .real)
        let scripted = ScriptedBench(executor, lacking: lacking)
        defer { scripted.stop() }
        return try executor.run {
            let session = BenchSession(on: scripted.bench)
            await session.start()
            var results: [CaseResult] = []
            for name in caseNames {
                let options = RunOptions(
                    run: RunInformation(seed: 0, bench: scripted.bench.name),
                    selection: name.map { CaseSelection(name: $0) } ?? .everything)
                results += await SuiteRunner(suite, in: session, options: options).run().cases
            }
            return results
        }
    }

    @Test("runs the calculator's suite with real threads in real time, and skips unsupported cases")
    func calculator() throws {
        var suite = try Self.calculator()
        suite.cases.removeAll { $0.matrix.count > Self.maximumInstances }
        let results = try run(suite)
        #expect(results.count == suite.cases.count)
        for result in results {
            #expect(result.counts.failed == 0, "\(result.name): \(result.failures)")
            if let reason = result.skipReason {
                #expect(reason == "needs: air control", "\(result.name)")
                #expect(result.counts.passed == 0)
            } else {
                #expect(result.counts.skipped == 0)
            }
        }
        let passed = results.filter { $0.counts.passed > 0 }
        let skipped = results.filter { $0.counts.skipped > 0 }
        #expect(passed.count > skipped.count && !skipped.isEmpty)
        #expect(passed.count + skipped.count == results.count)
        #expect(passed.reduce(0) { $0 + $1.counts.passed } > 100)
    }

    @Test("runs single instances of the large matrices")
    func instances() throws {
        let results = try run(try Self.calculator(), caseNames: Self.chosen)
        #expect(results.map(\.counts.passed) == Self.chosen.map { _ in 1 }, "\(results.flatMap(\.failures))")
    }

    @Test("skips more on a bench with fewer abilities")
    func hidden() throws {
        var suite = try Self.calculator()
        let needy = [
            "is there again after a reset, and its clients notice", "is gone without power, and there again with it",
        ]
        suite.cases.removeAll { !needy.contains($0.name.source) }
        let results = try run(suite, lacking: [.central(.disconnectReason)])
        #expect(results.map(\.name) == needy)
        let reason = "needs: a central with reasons of disconnections"
        #expect(results.allSatisfy { $0.skipReason == reason && $0.counts.skipped == 1 })
    }
}
