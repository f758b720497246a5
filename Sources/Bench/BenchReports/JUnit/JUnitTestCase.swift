import BenchModel

/// How a test case of a JUnit report came out.
enum JUnitStatus: Sendable {
    case passed
    /// It failed; as an error when not an expectation failed, but the firmware crashed or the bench had a fault.
    case failed(JUnitFailure, isError: Bool)
    case skipped(reason: String)
}

/// What a report shows of a failure.
struct JUnitFailure: Sendable {
    /// The kind of failure.
    var type: String
    /// One line.
    var message: String
    /// Everything about it: GitLab shows only this.
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
    /// The runs that failed before, when it was run again; as errors where the case could not be judged.
    var formerRuns: [(failure: JUnitFailure, isError: Bool)] = []
    var attachment: String?

    /// Writes it, with a line feed at its end.
    func write(to xml: inout XMLText) {
        xml.markup("    <testcase")
        xml.attribute("classname", className)
        xml.attribute("name", name)
        if !file.isEmpty { xml.attribute("file", file) }
        if let line { xml.attribute("line", line) }
        xml.attribute("time", time.junit)
        switch status {
        case .passed where formerRuns.isEmpty:
            xml.markup("/>\n")
        case .passed:
            xml.markup(">\n")
            writeFormerRuns("flaky", to: &xml)
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
            // The place of an attachment is a line of the output that GitLab and Jenkins look for.
            let output = failure.output + (attachment.map { "[[ATTACHMENT|\($0)]]\n" } ?? "")
            if !output.isEmpty {
                xml.markup("      <system-out>")
                xml.content(output)
                xml.markup("</system-out>\n")
            }
            xml.markup("    </testcase>\n")
        }
    }

    /// The runs that failed before, as Maven Surefire writes them (surefire-test-report.xsd 3.0).
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
