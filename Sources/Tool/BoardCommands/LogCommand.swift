import ArgumentParser
import CommandSupport
internal import Console
import Foundation
internal import LogFiles

/// `espbench log`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Print a log that 'monitor', 'serve' or another verb keeps with --log, and follow it.",
        discussion: """
            The former files FILE.1, FILE.2, … are printed first, oldest first. With --follow, lines are printed as \
            they are written, until Ctrl-C, across rotations and restarts of the writing program; the command waits \
            for a log that does not exist yet. Lines that were removed before they could be read are reported.
            """)

    @Flag(name: .shortAndLong, help: "Print lines as they are written, until Ctrl-C.")
    var follow = false

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp(
            "Begin with this many of the last lines, at most 1000000. (default: all; with --follow: 10)",
            valueName: "count"),
        transform: NumberOption.within(0...1_000_000))
    var lineCount: Int?

    @Option(
        help: ArgumentHelp("Print only lines that match.", valueName: "regex"), transform: Self.expression)
    var match: String?

    @Argument(help: ArgumentHelp("The log.", valueName: "file"), completion: .file())
    var file: String

    private static func expression(_ text: String) throws -> String {
        do {
            _ = try LinePattern(text)
            return text
        } catch {
            throw ValidationError("'\(text)' is not a regular expression: \(error)")
        }
    }

    func run() throws {
        // Leaving a pager closes the pipe, which ends the output and is not a failure.
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        let (file, follow) = (file, follow)
        let count = lineCount ?? (follow ? 10 : nil)
        let pattern = try match.map { try LinePattern($0) }
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            try Self.checkIsFile(file)
            var view = LogView(output, pattern: pattern, lastLines: count)
            guard follow else {
                let reader = LogReader(file)
                try Self.read(reader, file, &view)
                guard reader.isOpen else { throw Self.unreadable(file, SystemFault(ENOENT)) }
                try? reader.flush { try view.show($0) }
                view.endBeginning()
                return .passed
            }
            let interruption = Interruption()
            EndingSignals.watch(interruption)
            defer { EndingSignals.end() }
            try Self.follow(file, &view, interruption, output)
            return .passed
        }
    }

    private static func follow(
        _ file: String, _ view: inout LogView, _ interruption: Interruption, _ output: Output
    ) throws {
        let watcher = try FolderWatchers.make(for: "--follow", reportsWriting: true)
        let folder = URL(filePath: file).deletingLastPathComponent().path
        guard access(folder, F_OK) == 0 else {
            throw unreadable(file, SystemFault(ENOENT))
        }
        try watcher.watch(folderOf: file)
        let reader = LogReader(file)
        try read(reader, file, &view)
        view.endBeginning()
        if !reader.isOpen { output.note("\(file) does not exist yet") }
        let input = WatchInput(watcher, keyboard: nil, interruption)
        while !output.isDataLost, input.next() != .interrupted {
            try watcher.watch(folderOf: file)
            try read(reader, file, &view)
        }
        try? reader.flush { try view.show($0) }
        view.flush()
    }

    private static func read(_ reader: LogReader, _ file: String, _ view: inout LogView) throws {
        do {
            try reader.read { try view.show($0) }
            view.flush()
        } catch let fault as SystemFault {
            throw unreadable(file, fault)
        } catch is LogView.ReaderLeft {}
    }

    /// Refuses a device or a pipe, which cannot be followed like a file.
    private static func checkIsFile(_ file: String) throws(CommandFailure) {
        let type =
            (try? FileManager.default.attributesOfItem(atPath: URL(filePath: file).resolvingSymlinksInPath().path))?[
                .type]
        guard let type = type as? FileAttributeType, type != .typeRegular else { return }
        throw CommandFailure(.badInput, "expected the log \(file) to be a file, got something else", code: "log.noFile")
    }

    private static func unreadable(_ file: String, _ fault: SystemFault) -> CommandFailure {
        CommandFailure(.badInput, "the log \(file) could not be read: \(fault)", code: "file.unreadable")
    }
}
