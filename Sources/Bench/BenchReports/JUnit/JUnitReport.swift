public import BenchModel
import Foundation
import MonotonicTime
import Synchronization

/// A run as JUnit XML, which GitLab, Jenkins and other programs display.
///
/// It is written while the run is in progress, so that its size is not limited by memory. Each suite is a
/// `<testsuite>`, each case (or instance) a `<testcase>` with the name of bench and suite as its class. `time` is
/// measured on the bench's clock. `file` and `line` of a test case, which GitLab reads, are the only attributes that
/// Jenkins' schema (junit-10.xsd) lacks.
public final class JUnitReport: RunObserver {
    private struct State {
        var size = 0
        var counts = JUnitCounts()
        var suiteCounts = JUnitCounts()
        var suite: SuiteInformation?
        var className = ""
        /// The offsets in the file of the counts of all suites, and of the current suite.
        var countsOffset = 0
        var suiteCountsOffset = 0
        /// The number of uses of each name: programs that read the report keep only one test case per name.
        var classNames: [String: Int] = [:]
        var caseNames: [String: Int] = [:]
    }

    private let run: RunInformation
    private let options: JUnitOptions
    private let sink: any ReportSink
    private let text: FailureText
    private let state = Mutex(State())

    /// A report of `run`, written to `sink`, beginning at once; `rerun` gives the commands that run its cases again.
    public init(
        _ run: RunInformation, _ options: JUnitOptions = JUnitOptions(), rerun: RerunCommand? = nil,
        descriptions: SuiteDescriptions = SuiteDescriptions(), to sink: any ReportSink
    ) {
        self.run = run
        self.options = options
        self.sink = sink
        text = FailureText(rerun: rerun ?? RerunCommand(seed: run.seed), descriptions: descriptions)
        state.withLock { state in
            var xml = XMLText()
            xml.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites")
            xml.attribute("name", "espbench")
            append(xml, &state)
            state.countsOffset = state.size
            xml = XMLText()
            xml.markup(">" + String(repeating: " ", count: JUnitCounts.width) + "\n")
            append(xml, &state)
        }
    }

    /// True if the report lists instances.
    public var wantsInstances: Bool { options.listsInstances }

    /// Adds a result.
    public func receive(_ item: RunItem) {
        switch item {
        case .suiteStarted(let suite): state.withLock { begin(suite, &$0) }
        case .instanceEnded(let instance) where options.listsInstances:
            state.withLock { state in
                guard let suite = state.suite else { return }
                let name = Self.unique(instance.name, &state.caseNames)
                add(
                    JUnitTestCase(
                        className: state.className, name: name, file: options.sourcePath(suite.file),
                        line: instance.position?.line, time: instance.started.duration(to: instance.ended),
                        status: JUnitStatus(instance, file: suite.file, text),
                        formerRuns: JUnitTestCase.formerRuns(instance.runAgain, file: suite.file, text),
                        attachment: options.attachment), &state)
            }
        case .caseEnded(let result, let suite) where !options.listsInstances:
            state.withLock { state in
                let name = Self.unique(result.name, &state.caseNames)
                add(
                    JUnitTestCase(
                        className: state.className, name: name, file: options.sourcePath(suite.file),
                        line: result.position.line, time: result.started.duration(to: result.ended),
                        status: JUnitStatus(result, file: suite.file, text),
                        formerRuns: JUnitTestCase.formerRuns(result.runAgain, file: suite.file, text),
                        attachment: options.attachment, instanceCount: result.counts.total), &state)
            }
        case .suiteEnded(let result):
            state.withLock { state in
                state.suiteCounts.time = result.started.duration(to: result.ended)
                endSuite(&state)
            }
        default: break
        }
    }

    /// Completes the report of a run that ended with `outcome`. If the run did not complete, the reason is added as an
    /// error of a suite `espbench`, so that a run without results is not shown as passed.
    public func finish(_ outcome: RunOutcome) {
        state.withLock { state in
            endSuite(&state)
            if let fault = outcome.error { add(fault, of: outcome, &state) }
            var xml = XMLText()
            xml.markup("</testsuites>\n")
            append(xml, &state)
            sink.replace(state.counts.attributes(hasSkipped: false), at: state.countsOffset)
        }
    }

    // MARK: Suites

    private func begin(_ suite: SuiteInformation, _ state: inout State) {
        endSuite(&state)
        state.suite = suite
        state.suiteCounts = JUnitCounts()
        state.caseNames = [:]
        // Jenkins takes the part before the last point as the package.
        let name = "\(run.bench).\(suite.name.replacing(".", with: "_"))"
        state.className = Self.unique(name, &state.classNames)
        open(suite.name, file: options.sourcePath(suite.file), &state)
        var properties = [("sketch", suite.sketch), ("suite", suite.file)]
        properties += suite.boards.map { ("board \($0.name)", $0.sketch) }
        properties += [("bench", run.bench), ("seed", "\(run.seed)")]
        let firmwares = suite.firmwares
        if !firmwares.isEmpty {
            properties.append(("nimble", firmwares.map(\.nimble).joined(separator: ", ")))
            if firmwares.contains(where: \.isSanitized) { properties.append(("sanitized", "true")) }
        }
        if let hardware = run.hardware {
            properties += [("board", hardware.board), ("central", hardware.central)]
            properties += [("timeFactor", hardware.timeFactorText), ("retries", "\(hardware.retries)")]
        }
        properties += run.versions.map { ($0.name, $0.version) }
        if !run.id.isEmpty { properties.append(("run", run.id)) }
        var xml = XMLText()
        xml.markup("    <properties>\n")
        for (name, value) in properties {
            xml.markup("      <property")
            xml.attribute("name", name)
            xml.attribute("value", value)
            xml.markup("/>\n")
        }
        xml.markup("    </properties>\n")
        append(xml, &state)
    }

    private func open(_ name: String, file: String?, _ state: inout State) {
        var xml = XMLText()
        xml.markup("  <testsuite")
        xml.attribute("name", name)
        if let file { xml.attribute("file", file) }
        let time = Date(timeIntervalSince1970: TimeInterval(run.wallTime))
        // The time is UTC, without a zone, which the schema of Ant's JUnit task does not allow.
        xml.attribute("timestamp", time.formatted(.iso8601).replacing("Z", with: ""))
        xml.attribute("hostname", options.hostName)
        append(xml, &state)
        state.suiteCountsOffset = state.size
        xml = XMLText()
        xml.markup(">" + String(repeating: " ", count: JUnitCounts.width) + "\n")
        append(xml, &state)
    }

    /// Ends the current suite, even if it was interrupted.
    private func endSuite(_ state: inout State) {
        guard state.suite.take() != nil else { return }
        close(&state)
    }

    private func close(_ state: inout State) {
        var xml = XMLText()
        xml.markup("  </testsuite>\n")
        append(xml, &state)
        sink.replace(state.suiteCounts.attributes(hasSkipped: true), at: state.suiteCountsOffset)
        state.counts.add(state.suiteCounts)
        state.suiteCounts = JUnitCounts()
    }

    // MARK: Test cases

    private func add(_ testCase: JUnitTestCase, _ state: inout State) {
        state.suiteCounts.add(testCase.status)
        var xml = XMLText()
        testCase.write(to: &xml)
        append(xml, &state)
    }

    private func add(_ fault: RunOutcome.Fault, of outcome: RunOutcome, _ state: inout State) {
        open("espbench", file: nil, &state)
        let files = fault.diagnostics.reduce(into: [String]()) { files, diagnostic in
            if !files.contains(diagnostic.file) { files.append(diagnostic.file) }
        }
        for file in files {
            let found = fault.diagnostics.filter { $0.file == file }
            let lines = found.map(\.description).joined(separator: "\n")
            let failure = JUnitFailure(
                type: outcome.name, message: found.first?.description ?? fault.message, details: lines + "\n")
            let position = found.first?.position
            add(
                JUnitTestCase(
                    className: "espbench", name: options.sourcePath(file), file: options.sourcePath(file),
                    line: position?.line, time: .zero, status: .failed(failure, isError: true)), &state)
        }
        if files.isEmpty {
            let hint = fault.hint.map { "hint: \($0)\n" } ?? ""
            let failure = JUnitFailure(
                type: outcome.name, message: fault.message.prefix { !$0.isNewline }.description,
                details: "\(fault.message)\n\(hint)")
            add(
                JUnitTestCase(
                    className: "espbench", name: "the run comes to its end", file: "", time: .zero,
                    status: .failed(failure, isError: true)), &state)
        }
        close(&state)
    }

    private func append(_ xml: XMLText, _ state: inout State) {
        state.size += xml.bytes.count
        sink.append(xml.bytes)
    }

    /// `name`, with a number appended if the name was used before.
    private static func unique(_ name: String, _ names: inout [String: Int]) -> String {
        var uses = names[name, default: 0] + 1
        var given = name
        while uses > 1 {
            given = "\(name) (\(uses))"
            if names[given] == nil { break }
            uses += 1
        }
        names[name] = uses
        if given != name { names[given] = 1 }
        return given
    }
}

/// The options of a JUnit report.
public struct JUnitOptions: Sendable {
    /// True if every instance is a test case of its own; false if all instances of a case are one test case.
    public var listsInstances: Bool
    /// The name of the machine.
    public var hostName: String
    /// The path of a file that is attached to failed test cases, e.g. the timeline, as readers of the report can open
    /// it.
    public var attachment: String?
    /// Converts a suite's file to a path for readers of the report, e.g. relative to the repository's root.
    public var sourcePath: @Sendable (String) -> String

    /// Options; by default files are named as the run names them.
    public init(
        listsInstances: Bool = false, hostName: String = "localhost", attachment: String? = nil,
        sourcePath: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.listsInstances = listsInstances
        self.hostName = hostName
        self.attachment = attachment
        self.sourcePath = sourcePath
    }
}

/// The counts of one `<testsuite>` or of all suites.
///
/// The counts are in the opening tag, but known only at the end: the tag is first written without them, with blanks
/// behind it. What is left of these is the line's end.
struct JUnitCounts: Sendable {
    /// The maximum number of bytes of the attributes: five names, and numbers with up to ten digits.
    static let width = 112

    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var time = Duration.zero

    mutating func add(_ other: JUnitCounts) {
        tests += other.tests
        failures += other.failures
        errors += other.errors
        skipped += other.skipped
        time += other.time
    }

    mutating func add(_ status: JUnitStatus) {
        tests += 1
        switch status {
        case .passed: break
        case .failed(_, let isError): if isError { errors += 1 } else { failures += 1 }
        case .skipped: skipped += 1
        }
    }

    /// The attributes and the end of the tag, padded with blanks; `testsuites` has no `skipped` in Jenkins' schema.
    func attributes(hasSkipped: Bool) -> [UInt8] {
        var xml = XMLText()
        xml.attribute("tests", tests)
        xml.attribute("failures", failures)
        xml.attribute("errors", errors)
        if hasSkipped { xml.attribute("skipped", skipped) }
        xml.attribute("time", time.junit)
        xml.markup(">")
        return xml.bytes + Array(repeating: UInt8(ascii: " "), count: max(0, 1 + Self.width - xml.bytes.count))
    }
}

extension Duration {
    /// Seconds with three digits after the point, as Maven Surefire writes them.
    var junit: String {
        let milliseconds = max(0, Int64(self / .milliseconds(1)))
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }
}

/// The file of a report that is written while the run is in progress.
public protocol ReportSink: Sendable {
    /// Adds bytes at the end.
    func append(_ bytes: [UInt8])

    /// Replaces bytes from `offset` on; all of them have been added before.
    func replace(_ bytes: [UInt8], at offset: Int)
}
