public import BenchModel
import MonotonicTime

/// A run as people read it: a line per case while it runs, each failure with everything about it, and a summary.
public struct ConsoleReport: Sendable {
    /// How many events before a failure are shown.
    private static let contextLength = 20

    private let style: TerminalStyle
    private let rerun: RerunCommand
    private let seed: UInt64

    /// A report of a run with this seed.
    public init(style: TerminalStyle, seed: UInt64) {
        self.style = style
        rerun = RerunCommand(seed: seed)
        self.seed = seed
    }

    /// What stands above a suite's cases.
    public func heading(_ suite: SuiteInformation) -> String {
        "\(style.strong(suite.name))  \(style.faint(suite.file))\n"
    }

    /// A case that has come out, of the suite in `file`, with its failures.
    public func text(_ result: CaseResult, file: String) -> String {
        let counts = result.counts
        let time = style.faint(result.started.duration(to: result.ended).brief)
        var text: String
        if counts.failed > 0 {
            let mark = style.bad("✗ \(result.name)")
            text =
                counts.total == 1
                ? "  \(mark)" : "  \(mark)  \(counts.failed.grouped) of \(counts.total.of("case")) failed"
        } else if counts.passed == 0 {
            text = "  \(style.notable("-")) \(result.name)"
        } else {
            text = "  \(style.good("✓")) \(result.name)"
            if counts.total > 1, result.sampledFrom == nil { text += "  \(counts.total.of("case"))" }
        }
        if let total = result.sampledFrom {
            text += "  \(counts.total.grouped) of \(total.of("case")), sampled with seed \(seed)"
        }
        text += "  \(time)\n"
        for failure in result.failures { text += self.text(failure, file: file) }
        if let reason = result.skipReason, counts.skipped > 0 {
            text += "    \(style.notable("- \(counts.skipped.of("case")) skipped")): \(reason)\n"
        }
        return text
    }

    /// An instance of a case with several, that has ended.
    public func text(_ instance: InstanceResult) -> String {
        let time = style.faint(instance.started.duration(to: instance.ended).brief)
        return switch instance.verdict {
        case .passed: "    \(style.good("✓")) \(instance.name)  \(time)\n"
        case .failed: "    \(style.bad("✗ \(instance.name)"))  \(time)\n"
        case .skipped(let reason): "    \(style.notable("-")) \(instance.name)  \(reason)\n"
        }
    }

    /// A failure with everything about it.
    func text(_ instance: InstanceFailure, file: String) -> String {
        let failure = instance.failure
        var lines = [
            "    \(style.bad(instance.name))",
            "      \(file):\(failure.position.line):\(failure.position.column): \(failure.step)",
            "      expected  \(failure.expected)",
            "      got       \(failure.got)",
            "      cause     \(failure.cause.text), "
                + "\(failure.started.duration(to: failure.failed).brief) after the step began",
        ]
        if !failure.context.isEmpty { lines.append("      before it") }
        lines += failure.context.suffix(Self.contextLength).map { "        " + style.faint(EventLine.text($0)) }
        lines.append("      run again  \(rerun.text(instance, file: file))")
        return lines.joined(separator: "\n") + "\n\n"
    }

    /// What stands at the end; `wallTime` is how long the runs took on the clock on the wall.
    public func summary(_ results: [SuiteResult], wallTime: Duration) -> String {
        var counts = VerdictCounts()
        for result in results { counts.add(result.counts) }
        let benchTime = results.reduce(Duration.zero) { $0 + $1.started.duration(to: $1.ended) }
        var parts = [
            counts.failed > 0 ? "\(counts.passed.grouped) passed" : style.good("\(counts.passed.grouped) passed")
        ]
        if counts.failed > 0 { parts.append(style.bad("\(counts.failed.grouped) failed")) }
        if counts.skipped > 0 { parts.append(style.notable("\(counts.skipped.grouped) skipped")) }
        let times = "\(benchTime.brief) of bench time in \(wallTime.brief)"
        return "\n\(parts.joined(separator: ", ")) in \(results.count.of("suite")) · \(times)\n"
    }
}
