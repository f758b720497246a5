public import BenchModel
import MonotonicTime

/// The text of a run for people: a line per case while it runs, each failure with its details, and at the end the
/// failed cases with the commands that run them again, and a summary.
public struct ConsoleReport: Sendable {
    private let style: TerminalStyle
    private let rerun: RerunCommand
    private let failures: CaseFailures

    /// A report of a run; `rerun` gives the commands that run its cases again.
    public init(
        style: TerminalStyle, rerun: RerunCommand, descriptions: SuiteDescriptions = SuiteDescriptions()
    ) {
        self.style = style
        self.rerun = rerun
        failures = CaseFailures(style: style, descriptions: descriptions)
    }

    /// The heading above a suite's cases.
    public func heading(_ suite: SuiteInformation) -> String {
        var paragraph = Paragraph(suite.name, .strong)
        paragraph.add("  \(suite.file)", .faint)
        return paragraph.text(indent: 0, hanging: 2, style)
    }

    /// A case that has ended, of the suite in `file`, with its failures.
    public func text(_ result: CaseResult, file: String) -> String {
        let counts = result.counts
        var paragraph = Paragraph()
        if counts.failed > 0 {
            // A single instance is shown by its own name only.
            let name = counts.total == 1 ? result.failures.first?.name : nil
            paragraph.add("✗ \(name ?? result.name)", .bad)
            if counts.total > 1 { paragraph.add("  \(counts.failed.grouped) of \(counts.total.of("case")) failed") }
        } else if counts.passed == 0 {
            paragraph.add("-", .notable)
            paragraph.add(" \(result.name)")
        } else {
            paragraph.add("✓", .good)
            paragraph.add(" \(result.name)")
            if counts.total > 1, result.sampledFrom == nil { paragraph.add("  \(counts.total.of("case"))") }
            if counts.retried > 0 { paragraph.add("  \(retries(result))", .notable) }
        }
        if let total = result.sampledFrom {
            paragraph.add("  \(counts.total.grouped) of \(total.of("case")), sampled with seed \(rerun.seed)")
        }
        paragraph.add("  \(result.started.duration(to: result.ended).brief)", .faint)
        var text = paragraph.text(indent: 2, hanging: 4, style) + failures.text(result, file: file)
        text += failures.retried(result, file: file)
        if let reason = result.skipReason, counts.skipped > 0 {
            let what = counts.failed > 0 ? "not run" : "skipped"
            var paragraph = Paragraph("- \(counts.skipped.of("case")) \(what)", .notable)
            paragraph.add(": \(reason)")
            text += paragraph.text(indent: 4, hanging: 6, style)
        }
        return text
    }

    /// The numbers of attempts that instances needed to pass.
    private func retries(_ result: CaseResult) -> String {
        let runs = result.retried.reduce(0) { $0 + $1.formerFailures.count + 1 }
        let count = "passed, \(runs) \(runs == 1 ? "retry" : "retries")"
        return result.counts.total > 1 ? "\(result.counts.retried.grouped) of them \(count)" : count
    }

    /// The hardware of a bench, and its policies.
    public func text(_ hardware: RunInformation.Hardware, name: String) -> String {
        var paragraph = Paragraph("bench \(name)", .strong)
        paragraph.add(
            "  board \(hardware.board), central \(hardware.central), time factor \(hardware.timeFactorText), "
                + (hardware.retries == 0
                    ? "no retries" : "at most \(hardware.retries) \(hardware.retries == 1 ? "retry" : "retries")"),
            .faint)
        return paragraph.text(indent: 0, hanging: 2, style)
    }

    /// An instance that has ended, of a case with several instances.
    public func text(_ instance: InstanceResult) -> String {
        var paragraph = Paragraph()
        var last = instance.started.duration(to: instance.ended).brief
        switch instance.verdict {
        case .passed:
            paragraph.add("✓", .good)
            paragraph.add(" \(instance.name)")
            let runs = instance.formerFailures.count
            if runs > 0 { paragraph.add("  passed, \(runs) \(runs == 1 ? "retry" : "retries")", .notable) }
        case .failed: paragraph.add("✗ \(instance.name)", .bad)
        case .skipped(let reason):
            paragraph.add("-", .notable)
            paragraph.add(" \(instance.name)")
            last = reason
        }
        paragraph.add("  \(last)", .faint)
        return paragraph.text(indent: 4, hanging: 6, style)
    }

    /// The summary at the end; `wallTime` is the real time of the runs, `showsFailuresOnly`: passed cases are not
    /// listed above it.
    public func summary(_ results: [SuiteResult], wallTime: Duration, showsFailuresOnly: Bool = false) -> String {
        var counts = VerdictCounts()
        for result in results { counts.add(result.counts) }
        let benchTime = results.reduce(Duration.zero) { $0 + $1.started.duration(to: $1.ended) }
        var paragraph = Paragraph("\(counts.passed.grouped) passed", counts.failed > 0 ? .plain : .good)
        if counts.retried > 0 {
            paragraph.add(" (")
            paragraph.add("\(counts.retried.grouped) only when run again", .notable)
            paragraph.add(")")
        }
        if counts.failed > 0 {
            paragraph.add(", ")
            paragraph.add("\(counts.failed.grouped) failed", .bad)
        }
        if counts.skipped > 0 {
            paragraph.add(", ")
            paragraph.add("\(counts.skipped.grouped) skipped", .notable)
        }
        paragraph.add(" in \(results.count.of("suite")) · \(benchTime.brief) of bench time in \(wallTime.brief)")
        for what in Self.firmware(results) { paragraph.add(" · \(what)") }
        let failed = FailedCaseList(results, rerun: rerun).text(style)
        // A failure's text already ends in an empty line.
        let last = results.last?.cases.last?.counts
        let hasGap = showsFailuresOnly || last.map { $0.failed > 0 && $0.skipped == 0 } ?? false
        return (hasGap ? "" : "\n") + (failed.isEmpty ? "" : failed + "\n")
            + paragraph.text(indent: 0, hanging: 2, style)
    }

    /// The builds of the sketches: each version of NimBLE, and sanitizers.
    static func firmware(_ results: [SuiteResult]) -> [String] {
        let firmwares = results.flatMap(\.firmwares)
        let hosts = Set(firmwares.map(\.nimble)).sorted()
        return hosts + (firmwares.contains(where: \.isSanitized) ? ["with sanitizers"] : [])
    }
}
