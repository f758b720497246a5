import ArgumentParser
internal import BenchReports
import CommandSupport
import Foundation

/// `espbench compare`.
struct Compare: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two runs of suites, case by case.",
        discussion: """
            A and B are files with the output of 'test --json', e.g. from the virtual bench and from a board:

              espbench test --sample 5 --json > virtual.json
              espbench test --sample 5 --json --bench desk > desk.json
              espbench compare virtual.json desk.json

            Shows the cases that differ in verdict or cause of failure, that only one run has, or that one run \
            skipped. The exit code is 0 when nothing differs, else 11; a case skipped because a bench lacks an ability \
            does not count.
            """)

    @Flag(help: "Show also the cases that are the same.")
    var all = false

    @Flag(help: "Print the comparison as one JSON object.")
    var json = false

    @Argument(
        help: ArgumentHelp("The first run; - is standard input.", valueName: "A"),
        completion: .file(extensions: ["json"]))
    var first: String

    @Argument(
        help: ArgumentHelp("The second run; - is standard input.", valueName: "B"),
        completion: .file(extensions: ["json"]))
    var second: String

    func validate() throws {
        if first == "-", second == "-" {
            throw ValidationError("Standard input can be one of the runs, got it for both.")
        }
    }

    var unusedOptions: [UnusedOptions] {
        json ? [UnusedOptions(["--all"], "--json has every case")] : []
    }

    func run() throws {
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            let (a, b) = (try Self.source(first), try Self.source(second))
            let comparison = RunComparison(a.report, b.report)
            if json {
                output.data(comparison.json(a, b))
            } else {
                output.data(comparison.text(a, b, showsSame: all, output.dataStyle))
            }
            return comparison.isSame ? .passed : .mismatch
        }
    }

    private static func source(_ path: String) throws(CommandFailure) -> RunComparison.Source {
        let bytes = path == "-" ? Array(FileHandle.standardInput.readDataToEndOfFile()) : try InputFile.read(path)
        do throws(RunReportError) {
            return RunComparison.Source(file: path, report: try RunReport(json: Data(bytes)))
        } catch {
            throw CommandFailure(.badInput, "\(path): \(error)", code: "compare.noReport")
        }
    }
}
