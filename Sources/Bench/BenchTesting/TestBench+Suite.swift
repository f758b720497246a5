public import BenchModel
import BenchSuites
public import Testing

extension TestBench {
    /// Runs a suite of cases in YAML (`Firmware/SUITES.md`) on this bench, whatever sketch it is written for: so one
    /// suite can be run against a sketch and against a peripheral in Swift that takes its place.
    ///
    /// The suite's `sketch` is not looked at. Each case that fails becomes an issue of the test, with what happened before it. A case that needs what the bench
    /// lacks is skipped; the result says so.
    ///
    /// - Parameter file: a YAML file: absolute, or as seen from the folder of the test's file or one above it.
    /// - Throws: ``TestFailure`` with every fault of the file.
    @discardableResult
    public func runSuite(
        _ file: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SuiteResult {
        let suite = try suite(file, sourceLocation)
        let options = RunOptions(run: RunInformation(seed: seed, bench: session.bench.name))
        let result = try await call(sourceLocation) { session in
            let result = await SuiteRunner(suite, in: session, options: options).run()
            // A crash in the last case is that case's failure, and not this call's.
            await session.beginCase()
            return result
        }
        for failed in result.failures { record(failed, of: file, sourceLocation) }
        if result.counts.skipped == result.counts.total {
            let reason = result.cases.compactMap(\.skipReason).first ?? "there is none"
            throw failure("a case of '\(file)' that runs on this bench", got: reason, sourceLocation)
        }
        return result
    }

    private func suite(_ file: String, _ sourceLocation: SourceLocation) throws -> Suite {
        do {
            return try Suite(
                yaml: try TestEnvironment.contents(of: file, testFile: sourceLocation.filePath), file: file)
        } catch {
            throw TestFailure(
                BenchFailure(.benchFault, expected: "the suite '\(file)'", got: "\(error)"), session, sourceLocation)
        }
    }

    private func record(_ failed: InstanceFailure, of file: String, _ sourceLocation: SourceLocation) {
        let failure = failed.failure
        let text = """
            \(failed.name)
            \(file):\(failure.position.line):\(failure.position.column): \(failure.step)
            expected \(failure.expected)
                 got \(failure.got)
            \(Timeline.text(failure.context.suffix(TestFailure.shownEvents)))
            """
        Issue.record("\(text)", sourceLocation: sourceLocation)
        Timeline.attach(failure.context, sourceLocation)
    }
}
