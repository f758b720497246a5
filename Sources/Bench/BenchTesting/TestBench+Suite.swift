public import BenchModel
import BenchProject
import BenchSuites
import Foundation
public import Testing

extension TestBench {
    /// Runs a suite of cases in YAML (`Firmware/SUITES.md`) on this bench, whatever sketch it names: so one suite can
    /// test a sketch and a peripheral in Swift that replaces the sketch.
    ///
    /// The suite's key `sketch` is ignored. Each failed case becomes an issue of the test, with the last events. A case
    /// that needs an ability the bench lacks is skipped, which the result reports.
    ///
    /// - Parameter file: a YAML file: absolute, or relative to the folder of the test's file or one above it.
    /// - Throws: ``TestFailure`` with every fault of the file.
    @discardableResult
    public func runSuite(
        _ file: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SuiteResult {
        let (suite, path) = try suite(file, sourceLocation)
        var options = RunOptions(run: RunInformation(seed: seed, bench: session.bench.name))
        options.pictures = PictureFolder(failures: .newFolder(below: TestEnvironment.temporaryFolder), suite: path)
        let result = try await call(sourceLocation) { session in
            let result = await SuiteRunner(suite, in: session, options: options).run()
            // A crash in the last case is a failure of that case, not of this call.
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

    private func suite(_ file: String, _ sourceLocation: SourceLocation) throws -> (Suite, path: String) {
        do {
            let url = try TestEnvironment.file(file, testFile: sourceLocation.filePath)
            return (try Suite(yaml: try String(contentsOf: url, encoding: .utf8), file: file), url.path)
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
