import BenchModel

/// The status of a test case in a JUnit report.
enum JUnitStatus: Sendable {
    case passed
    /// The case failed. `isError`: no expectation failed, but the firmware crashed or the bench had a fault.
    case failed(JUnitFailure, isError: Bool)
    case skipped(reason: String)
}

/// The parts of a failure that a report shows.
struct JUnitFailure: Sendable {
    /// The kind of failure.
    var type: String
    /// One line.
    var message: String
    /// All details: GitLab shows only this text.
    var details: String
    /// Output of the board.
    var output = ""
}

/// One `<testcase>`.
struct JUnitTestCase: Sendable {
    var className: String
    var name: String
    var file: String
    var line: Int?
    var time: Duration
    var status: JUnitStatus
    /// The earlier failed runs of a case that was run again. `isError`: the case could not be judged.
    var formerRuns: [(failure: JUnitFailure, isError: Bool)] = []
    var attachment: String?
    /// The number of instances that the test case stands for.
    var instanceCount = 1

    /// Writes the element, with a line feed at its end.
    func write(to xml: inout XMLText) {
        xml.markup("    <testcase")
        xml.attribute("classname", className)
        xml.attribute("name", name)
        if !file.isEmpty { xml.attribute("file", file) }
        if let line { xml.attribute("line", line) }
        xml.attribute("time", time.junit)
        switch status {
        case .passed where formerRuns.isEmpty && instanceCount <= 1:
            xml.markup("/>\n")
        case .passed:
            xml.markup(">\n")
            writeFormerRuns("flaky", to: &xml)
            if instanceCount > 1 {
                xml.markup("      <system-out>")
                xml.content("\(instanceCount.of("case")) passed\n")
                xml.markup("</system-out>\n")
            }
            xml.markup("    </testcase>\n")
        case .skipped(let reason):
            xml.markup(">\n      <skipped")
            xml.attribute("message", reason)
            xml.markup(">")
            xml.content(reason)
            xml.markup("</skipped>\n    </testcase>\n")
        case .failed(let failure, let isError):
            let element = isError ? "error" : "failure"
            xml.markup(">\n      <\(element)")
            xml.attribute("type", failure.type)
            xml.attribute("message", failure.message)
            xml.markup(">")
            xml.content(failure.details)
            xml.markup("</\(element)>\n")
            writeFormerRuns("rerun", to: &xml)
            // GitLab and Jenkins look for the path of an attachment in a line of the output.
            let output = failure.output + (attachment.map { "[[ATTACHMENT|\($0)]]\n" } ?? "")
            if !output.isEmpty {
                xml.markup("      <system-out>")
                xml.content(output)
                xml.markup("</system-out>\n")
            }
            xml.markup("    </testcase>\n")
        }
    }

    /// The earlier failed runs, as Maven Surefire writes them (surefire-test-report.xsd 3.0).
    private func writeFormerRuns(_ prefix: String, to xml: inout XMLText) {
        for (failure, isError) in formerRuns {
            let element = prefix + (isError ? "Error" : "Failure")
            xml.markup("      <\(element)")
            xml.attribute("message", failure.message)
            xml.attribute("type", failure.type)
            xml.markup("><stackTrace>")
            xml.content(failure.details)
            xml.markup("</stackTrace>")
            if !failure.output.isEmpty {
                xml.markup("<system-out>")
                xml.content(failure.output)
                xml.markup("</system-out>")
            }
            xml.markup("</\(element)>\n")
        }
    }
}

extension JUnitStatus {
    /// The status of all instances of a case together.
    init(_ result: CaseResult, file: String, _ text: FailureText) {
        let counts = result.counts
        if counts.failed > 0 {
            let isError = result.failures.contains { $0.failure.cause.isError }
            let first = result.failures.first { $0.failure.cause.isError == isError }
            var message = first.map { FailureText.line($0) } ?? "failed"
            if counts.total > 1 {
                message = "\(counts.failed.grouped) of \(counts.total.of("case")) failed: \(message)"
            }
            var details = result.failures.map { text.details($0, file: file) }.joined(separator: "\n")
            if let reason = result.skipReason, counts.skipped > 0 {
                details += "\n\(counts.skipped.of("case")) skipped: \(reason)\n"
            }
            self = .failed(
                JUnitFailure(
                    type: (first?.failure.cause ?? .assertion).rawValue, message: message, details: details,
                    output: result.failures.map { FailureText.console($0.failure) }.joined()), isError: isError)
        } else if let reason = result.skipReason, counts.skipped > 0 {
            self = .skipped(
                reason: counts.total == 1
                    ? reason : "\(counts.skipped.grouped) of \(counts.total.of("case")) skipped: \(reason)")
        } else {
            self = .passed
        }
    }

    /// The status of one instance.
    init(_ instance: InstanceResult, file: String, _ text: FailureText) {
        switch instance.verdict {
        case .passed: self = .passed
        case .skipped(let reason): self = .skipped(reason: reason)
        case .failed(let failure):
            let failed = InstanceFailure(name: instance.name, started: instance.started, failure: failure)
            self = .failed(
                JUnitFailure(
                    type: failure.cause.rawValue, message: FailureText.line(failed),
                    details: text.details(failed, file: file), output: FailureText.console(failure)),
                isError: failure.cause.isError)
        }
    }
}

extension JUnitTestCase {
    /// The earlier failed runs of instances that were run again.
    static func formerRuns(
        _ instances: [InstanceFailure], file: String, _ text: FailureText
    ) -> [(failure: JUnitFailure, isError: Bool)] {
        instances.flatMap { instance in
            instance.formerFailures.map { failure in
                let failed = InstanceFailure(
                    name: instance.name, parameters: instance.parameters, started: instance.started, failure: failure)
                return (
                    JUnitFailure(
                        type: failure.cause.rawValue, message: FailureText.line(failed),
                        details: text.details(failed, file: file), output: FailureText.console(failure)),
                    failure.cause.isError
                )
            }
        }
    }
}

extension InstanceResult {
    /// The instance, if it was run again, with all runs before the last one.
    var runAgain: [InstanceFailure] {
        guard let last = formerFailures.last else { return [] }
        return [InstanceFailure(name: name, started: started, failure: last, after: formerFailures)]
    }
}

extension CaseResult {
    /// The instances that were run again, each with all runs before the last one.
    var runAgain: [InstanceFailure] {
        let passed = retried.map { instance in
            var instance = instance
            instance.formerFailures.append(instance.failure)
            return instance
        }
        return failures.filter { !$0.formerFailures.isEmpty } + passed
    }
}

extension FailureCause {
    /// True if the case could not be judged; false if an expectation was not met.
    var isError: Bool {
        switch self {
        case .assertion, .timedOut, .linkLost, .hostStack: false
        case .panic, .watchdog, .hang, .sanitizer, .suite, .benchFault: true
        }
    }
}

/// Bytes of an XML 1.0 document.
///
/// A board's log may contain characters that XML does not allow, which are replaced by U+FFFD, and escape sequences for
/// colours, which are removed.
struct XMLText: Sendable {
    private static let escape: Unicode.Scalar = "\u{1B}"

    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Writes markup as it is.
    mutating func markup(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes ` name="value"`, with line ends and tabs as references, since a parser would read them as blanks.
    mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" \(name)=\"")
        append(value, isAttribute: true)
        markup("\"")
    }

    /// Writes ` name="value"`.
    mutating func attribute(_ name: StaticString, _ value: Int) {
        attribute(name, String(value))
    }

    /// Writes the text of an element.
    mutating func content(_ text: String) {
        append(text, isAttribute: false)
    }

    private mutating func append(_ text: String, isAttribute: Bool) {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            if scalar == Self.escape, let end = Self.endOfSequence(in: scalars[index...]) {
                index = end
                continue
            }
            scalars.formIndex(after: &index)
            switch scalar {
            case "&": markup("&amp;")
            case "<": markup("&lt;")
            case ">": markup("&gt;")
            case "\"" where isAttribute: markup("&quot;")
            case "\r": markup("&#13;")
            case "\n" where isAttribute: markup("&#10;")
            case "\t" where isAttribute: markup("&#9;")
            case "\n", "\t", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                markup(String(scalar))
            default: markup("\u{FFFD}")
            }
        }
    }

    /// The end of the control sequence at the start of `text` (ECMA-48, 5.4: `ESC [`, parameters, a final byte).
    private static func endOfSequence(in text: Substring.UnicodeScalarView) -> String.Index? {
        var rest = text.dropFirst()
        guard rest.first == "[" else { return nil }
        rest = rest.dropFirst().drop { ("\u{20}"..."\u{3F}").contains($0) }
        guard let final = rest.first, ("\u{40}"..."\u{7E}").contains(final) else { return nil }
        return rest.index(after: rest.startIndex)
    }
}
