import BenchModel
import Console
import MonotonicTime

/// The text of failures for people, with all details.
struct CaseFailures {
    /// The number of a case's failures that are shown in full.
    private static let detailed = 3
    /// The number of further failures that are shown in one line each.
    private static let brief = 10
    /// The distance in columns of the values of `expected`, `got` and `cause` from the beginning of their labels.
    private static let labelWidth = 10

    let style: TerminalStyle
    let descriptions: SuiteDescriptions

    /// The failures of `result`, a case of the suite in `file`.
    func text(_ result: CaseResult, file: String) -> String {
        let failures = result.failures
        guard result.counts.total > 1 else {
            return failures.map { details($0, file: file, indent: 4) + "\n" }.joined()
        }
        var text = ""
        for failure in failures.prefix(Self.detailed) {
            text += line(title(failure, of: result), .bad, indent: 4)
            text += details(failure, file: file, indent: 6) + "\n"
        }
        let others = failures.dropFirst(Self.detailed)
        for failure in others.prefix(Self.brief) {
            var paragraph = Paragraph(title(failure, of: result), .bad)
            paragraph.add("  got \(failure.failure.got)")
            text += paragraph.text(indent: 4, hanging: 6, style)
        }
        let rest = result.counts.failed - min(failures.count, Self.detailed + Self.brief)
        if rest > 0 { text += line("and \(rest.grouped) more failed", .bad, indent: 4) }
        return text + (others.isEmpty ? "" : "\n")
    }

    /// A line for each failed run of an instance that passed in a later run.
    func retried(_ result: CaseResult, file: String) -> String {
        var text = ""
        for instance in result.retried.prefix(Self.brief) {
            for (index, failure) in (instance.formerFailures + [instance.failure]).enumerated() {
                var paragraph = Paragraph("run \(index + 1) failed", .notable)
                if result.counts.total > 1 { paragraph.add(" of \(title(instance, of: result))") }
                paragraph.add("  \(file):\(failure.position.line): expected \(failure.expected), got \(failure.got)")
                paragraph.add("  \(failure.cause.text)", .faint)
                text += paragraph.text(indent: 4, hanging: 6, style)
            }
        }
        let rest = result.retried.count - Self.brief
        if rest > 0 { text += line("and \(rest.grouped) more passed only when run again", .notable, indent: 4) }
        return text
    }

    /// The name of an instance; if the case's name has no places, with the instance's parameters.
    private func title(_ instance: InstanceFailure, of result: CaseResult) -> String {
        guard instance.name == result.name, !instance.parameters.isEmpty else { return instance.name }
        return instance.parameters.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    }

    /// All details of one failure, except its name.
    func details(_ instance: InstanceFailure, file: String, indent: Int) -> String {
        let failure = instance.failure
        var step = Paragraph("\(file):\(failure.position.line):\(failure.position.column):")
        step.add(" \(failure.step)")
        var text = step.text(indent: indent, hanging: indent + 2, style)
        text += field("expected", failure.expected, indent)
        text += field("got", failure.got, indent)
        text += field("cause", Self.text(failure), indent)
        let runs = instance.formerFailures.count
        if runs > 0 {
            text += field("run again", "\(runs) \(runs == 1 ? "time" : "times"), and failed each time", indent)
            for failure in instance.formerFailures { text += field("", "before: got \(failure.got)", indent) }
        }
        for (index, frame) in Self.frames(failure.crash).enumerated() {
            text += field(index == 0 ? "crash" : "", (index == 0 ? "in " : "from ") + frame, indent)
        }
        return text + context(instance, file: file, indent)
    }

    /// The frames of a crash as texts, without the frames below the sketch's tasks; equal consecutive frames are shown
    /// once.
    private static func frames(_ crash: [CodeFrame]) -> [String] {
        var crash = crash[...]
        while crash.count > 1, let last = crash.last, isOfRuntime(last) { crash.removeLast() }
        var texts: [(text: String, count: Int)] = []
        for frame in crash {
            if texts.last?.text == frame.text {
                texts[texts.count - 1].count += 1
            } else {
                texts.append((frame.text, 1))
            }
        }
        return texts.map { $0.count > 1 ? "\($0.text) (\($0.count) times)" : $0.text }
    }

    /// True if a frame belongs to the code that runs the sketch on this machine.
    private static func isOfRuntime(_ frame: CodeFrame) -> Bool {
        guard let function = frame.function else { return false }
        return ["_start", "main"].contains(function) || function.hasPrefix("espbench::")
            || frame.file?.contains("/Host/Runtime/") == true
    }

    private func field(_ label: String, _ value: String, _ indent: Int) -> String {
        var paragraph = Paragraph(EventLine.pad(label, to: Self.labelWidth))
        paragraph.add(value)
        return paragraph.text(indent: indent, hanging: indent + Self.labelWidth, style)
    }

    private func line(_ text: String, _ mark: TerminalStyle.Mark, indent: Int) -> String {
        Paragraph(text, mark).text(indent: indent, hanging: indent + 2, style)
    }

    private static func text(_ failure: Failure) -> String {
        let cause = failure.cause.text
        guard failure.failed > failure.started else { return cause }
        return "\(cause), \(failure.started.duration(to: failure.failed).brief) after the step began"
    }

    // MARK: Context

    private func context(_ instance: InstanceFailure, file: String, _ indent: Int) -> String {
        let items = FailureContext(instance.failure).items
        guard !items.isEmpty else { return "" }
        let events = items.compactMap { item in if case .event(let event) = item { event } else { nil } }
        let times = events.map { EventLine.seconds($0.time, since: instance.started) }
        let timeWidth = times.map(\.count).max() ?? 0
        let sourceWidth = min(16, events.map { TextWidth.columns($0.source) }.max() ?? 0)
        let hanging = indent + 2 + timeWidth + 2 + sourceWidth + 2
        var former = instance.failure.context[...]
        var describer = EventDescriber(descriptions: descriptions.named(in: file))
        var text = line("events, in seconds since the case began:", .plain, indent: indent)
        var nextTime = times.makeIterator()
        for item in items {
            switch item {
            case .gap(let count):
                text += line("… \(count.of("event"))", .faint, indent: indent + 2)
            case .event(let event):
                let time = EventLine.padLeft(nextTime.next() ?? "", to: timeWidth)
                let source = EventLine.pad(event.source, to: sourceWidth)
                let isReported = event == instance.failure.event
                if let index = former.firstIndex(of: event) {
                    for skipped in former[..<index] { describer.skip(skipped) }
                    former = former[(index + 1)...]
                }
                let paragraph = Paragraph("\(time)  \(source)  \(describer.text(event))", isReported ? .bad : .faint)
                text += paragraph.text(indent: indent + 2, hanging: hanging, style)
            }
        }
        return text
    }
}
