package import BenchReports
package import Console
import Foundation
package import LogFiles
import MonotonicTime
import Synchronization

/// A command's output: data to standard output, progress and errors to standard error.
package final class Output: Sendable {
    /// The style of reports on standard output.
    package let dataStyle: TerminalStyle
    private let isQuiet: Bool
    /// The step of a GitHub workflow that reads this output.
    package let gitHub: GitHubActions?
    private let writeData: SystemFault.Writer
    private let writeNote: SystemFault.Writer
    private let showsBar: Bool
    /// The columns of the terminal that shows the bar.
    private let barWidth: Int
    /// The lines with bars on the terminal.
    private let shownBars = Mutex<[String]>([])
    private let dataFault = Mutex<SystemFault?>(nil)
    /// Without bars: when the last line of each title was written, or when its work began.
    private let progressLines = Mutex<[String: Duration]>([:])
    /// The time since some instant, for the distance between lines of progress.
    private let now: @Sendable () -> Duration
    /// The log to which all output is also written.
    private let currentLog = Mutex<TimedLog?>(nil)

    /// An output of this process.
    package convenience init(_ environment: Environment, colour: ColourChoice = .auto, isQuiet: Bool = false) {
        self.init(
            dataIsColoured: environment.allowsColour(environment.outputIsTerminal, colour),
            dataWidth: environment.outputWidth, isQuiet: isQuiet, showsBar: environment.allowsProgressBar,
            barWidth: environment.errorWidth ?? 80, gitHub: GitHubActions(environment), now: Self.clock(),
            writeData: { (bytes) throws(SystemFault) in try Self.write(bytes, STDOUT_FILENO) },
            writeNote: { (bytes) throws(SystemFault) in try Self.write(bytes, STDERR_FILENO) })
    }

    private static func clock() -> @Sendable () -> Duration {
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        return { clock.now - start }
    }

    /// An output with these write functions; `now` is the time since some instant.
    package init(
        dataIsColoured: Bool, dataWidth: Int? = nil, isQuiet: Bool = false, showsBar: Bool, barWidth: Int = 80,
        gitHub: GitHubActions? = nil, now: @escaping @Sendable () -> Duration = { .zero },
        writeData: @escaping SystemFault.Writer, writeNote: @escaping SystemFault.Writer
    ) {
        self.isQuiet = isQuiet
        self.gitHub = gitHub
        self.now = now
        dataStyle = TerminalStyle(isColoured: dataIsColoured, width: dataWidth)
        self.showsBar = showsBar
        self.barWidth = barWidth
        self.writeData = writeData
        self.writeNote = writeNote
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) throws(SystemFault) {
        if let failed = SystemFault.writing(bytes, to: descriptor) { throw failed.fault }
    }

    /// Writes data.
    package func data(_ text: String) {
        data(Array(text.utf8))
    }

    /// Also writes all output from now on to `log`, each line with the host's time.
    package func keep(in log: TimedLog?) { currentLog.withLock { $0 = log } }

    /// The log, if there is one.
    package var log: TimedLog? { currentLog.withLock { $0 } }

    /// Writes lines to the log only, if there is one.
    package func record(_ text: some Collection<UInt8>) { log?.write(text) }

    /// Writes data, and `logged` to the log.
    package func data(_ text: String, logged: String) {
        record(logged.utf8)
        write(Array(text.utf8))
    }

    /// Writes data. Does nothing after a failed write, which ``checkData()`` reports.
    package func data(_ bytes: [UInt8]) {
        record(bytes)
        write(bytes)
    }

    private func write(_ bytes: [UInt8]) {
        guard !isDataLost else { return }
        clearBar()
        do throws(SystemFault) {
            try writeData(bytes)
        } catch {
            dataFault.withLock { $0 = error }
        }
    }

    /// True if a write of data has failed.
    package var isDataLost: Bool { dataFault.withLock { $0 != nil } }

    /// True if the reader of the data has closed the pipe, as `head` does.
    package var isDataClosed: Bool { dataFault.withLock { $0?.number == EPIPE } }

    /// Throws if a write of data has failed, since the result of further work would be lost.
    ///
    /// - Parameter allowsClosedPipe: whether a closed pipe is not a failure, as for a pager.
    /// - Throws: ``CommandFailure`` when data could not be written.
    package func checkData(allowsClosedPipe: Bool = false) throws(CommandFailure) {
        if let fault = dataFault.withLock({ $0 }), !(allowsClosedPipe && fault.number == EPIPE) {
            throw CommandFailure(.benchFault, "standard output could not be written: \(fault)")
        }
    }

    /// Writes a line to standard error.
    package func note(_ line: String) {
        record(line.utf8)
        complain(line)
    }

    /// Writes a line about the log to standard error, but not to the log.
    package func complain(_ line: String) {
        clearBar()
        writeToStandardError(line + "\n")
    }

    /// Writes a question to standard error, without ending the line.
    package func prompt(_ text: String) {
        clearBar()
        writeToStandardError(text)
    }

    /// Writes a line to standard error, unless the user wants failures only.
    package func remark(_ line: String) {
        if !isQuiet { note(line) }
    }

    private func writeToStandardError(_ text: String) {
        // If standard error cannot be written, the failure cannot be reported either.
        try? writeNote(Array(text.utf8))
    }

    /// Shows progress: on a terminal, a bar that the next output clears; otherwise a line from time to time.
    package func progress(_ title: String, completed: Int, of total: Int) {
        progress([(title, completed, total)])
    }

    /// Shows progress: on a terminal, one line with a bar per title, cleared by the next output; otherwise a line for
    /// work that takes longer than ``progressDistance``.
    package func progress(_ lines: [(title: String, completed: Int, total: Int)]) {
        guard showsBar else { return lines.filter { $0.total > 0 }.forEach(showLine) }
        let bars = lines.filter { $0.total > 0 }.map(bar)
        // Several boards report at the same time; each report clears the lines of the previous one.
        shownBars.withLock { shown in
            guard !bars.isEmpty, bars != shown else { return }
            writeToStandardError(Self.clearing(shown.count) + bars.joined(separator: "\n"))
            shown = bars
        }
    }

    /// The time between lines of progress, and before the first one.
    package static let progressDistance = Duration.seconds(5)

    private func showLine(_ line: (title: String, completed: Int, total: Int)) {
        let now = now()
        let isDue = progressLines.withLock { lines in
            let former = lines[line.title]
            guard line.completed < line.total else {
                lines[line.title] = nil
                return false
            }
            guard let former, now - former >= Self.progressDistance else {
                lines[line.title] = former ?? now
                return false
            }
            lines[line.title] = now
            return true
        }
        if isDue { remark("\(line.title): \(100 * line.completed / line.total) %") }
    }

    private func bar(_ line: (title: String, completed: Int, total: Int)) -> String {
        // A bar longer than the line could not be cleared.
        let title = String(line.title.prefix(max(0, barWidth - 16)))
        let width = min(28, max(0, barWidth - title.count - 9))
        let filled = min(width, width * line.completed / line.total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = 100 * min(line.completed, line.total) / line.total
        return "\(title) \(bar) \(percent) %"
    }

    private func clearBar() {
        shownBars.withLock { shown in
            if !shown.isEmpty { writeToStandardError(Self.clearing(shown.count)) }
            shown = []
        }
    }

    /// Clears `count` lines, at least one; the cursor is in the last of them.
    private static func clearing(_ count: Int) -> String {
        String(repeating: "\r\u{1B}[K\u{1B}[1A", count: max(0, count - 1)) + "\r\u{1B}[K"
    }
}

/// The format of a board's console lines.
package enum StampedLine {
    /// `line`, preceded by the seconds since `origin`.
    package static func text(_ line: ConsoleLine, since origin: MonotonicInstant) -> String {
        let milliseconds = origin.duration(to: line.time).wholeNanoseconds / 1_000_000
        let seconds = String(milliseconds / 1000)
        let padding = String(repeating: " ", count: max(0, 5 - seconds.count))
        return "[\(padding)\(seconds).\(String(milliseconds % 1000 + 1000).dropFirst())] \(line.text)"
    }

    /// `text` that continues the previous line, aligned with it.
    package static func continuation(_ text: String) -> String { "            " + text }
}

/// The paths of files for continuous integration: relative to the repository's root.
package struct SourcePaths: Sendable {
    private let workingFolder: String?
    private let root: String?

    /// The paths in this environment; outside continuous integration, paths are unchanged.
    package init(_ environment: Environment) {
        workingFolder = environment.workingFolder
        var root: String?
        if environment.isContinuousIntegration {
            for name in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"] {
                guard let folder = environment.variables[name], !folder.isEmpty else { continue }
                root = folder
                break
            }
        }
        self.root = root.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    }

    /// The file at `path` (relative to the working folder), relative to the root if the file is below the root.
    @Sendable package func relative(_ path: String) -> String {
        guard let root, let workingFolder else { return path }
        let file = URL(filePath: path, relativeTo: URL(filePath: workingFolder, directoryHint: .isDirectory))
            .standardizedFileURL.resolvingSymlinksInPath().path
        return file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : path
    }
}

/// JSON for programs.
package enum JSONLine {
    /// `value` on one line, without a line feed.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
