internal import ByteCodec
import CommandSupport
import ESPChips
import ESPFlasher
import Synchronization

/// Reports the work on one board to the user: notes and a progress line, or JSON events.
package final class BoardReporter: Sendable {
    private let port: String
    private let index: Int
    /// The progress of all boards of the command.
    private let lines: ProgressLines
    private let isJSON: Bool
    private let showsProgress: Bool
    private let isOneOfMany: Bool
    private let output: Output
    /// The last progress printed as JSON: phase, region and percent.
    private let last = Mutex("")

    init(
        port: String, index: Int, of count: Int, _ lines: ProgressLines, isJSON: Bool, showsProgress: Bool,
        _ output: Output
    ) {
        self.port = port
        self.index = index
        self.lines = lines
        self.isJSON = isJSON
        self.showsProgress = showsProgress
        self.output = output
        isOneOfMany = count > 1
    }

    /// Prints a line for people; nothing in JSON.
    package func note(_ text: String) {
        if !isJSON { output.note(isOneOfMany ? "\(port): \(text)" : text) }
    }

    /// Reports a likely mistake, which is not a failure: `lines` for people, the first after `prefix`; one event in
    /// JSON.
    package func warn(_ lines: [String], prefix: String = "") {
        guard let first = lines.first else { return }
        for line in [prefix + first] + lines.dropFirst() { note(line) }
        guard isJSON else { return }
        var event = LoaderEvent("warning", port: port)
        event.message = lines.joined(separator: "\n")
        output.data(event.line)
    }

    /// Reports the beginning of a phase; `text` is for people.
    package func phase(_ phase: String, _ text: String) {
        lines.remove(at: index)
        note(text)
        guard isJSON else { return }
        var event = LoaderEvent("phase", port: port)
        event.phase = phase
        output.data(event.line)
    }

    /// Reports the board that has answered.
    func found(_ board: ConnectedBoard) {
        note("found \(board.line)")
        guard isJSON else { return }
        var event = LoaderEvent("board", port: port)
        event.board = LoaderEvent.Board(board)
        output.data(event.line)
    }

    /// Reports the stub that runs; `nil`: the loader in ROM.
    func uses(_ stub: StubImage?) { note("using \(stub.map { "the stub \($0.name)" } ?? "the loader in ROM")") }

    /// Reports the progress of a write or a verification.
    package func progress(_ progress: FlashProgress) {
        self.progress(
            "\(progress.phase)", region: progress.region, address: progress.offset, title: Self.title(progress),
            done: progress.overallWritten, of: progress.overallTotal)
    }

    private static func title(_ progress: FlashProgress) -> String {
        switch progress.phase {
        case .comparing: "comparing \(progress.region)"
        case .verifying: "verifying \(progress.region)"
        case .erasing, .writing, .done: "flashing \(progress.region)"
        }
    }

    /// Reports the progress of any other phase.
    package func progress(
        _ phase: String, region: String, address: UInt32, title: String, done: Int, of total: Int
    ) {
        guard showsProgress else { return }
        guard isJSON else {
            return lines.show(isOneOfMany ? "\(port) \(title)" : title, at: index, completed: done, of: total, output)
        }
        let percent = total > 0 ? done * 100 / total : 100
        let key = "\(phase) \(region) \(percent)"
        let isNew = last.withLock { last in
            defer { last = key }
            return last != key
        }
        guard isNew else { return }
        var event = LoaderEvent("progress", port: port)
        (event.phase, event.region, event.address) = (phase, region, address)
        (event.done, event.total) = (done, total)
        output.data(event.line)
    }

    /// Reports that the work on this board has succeeded. `text` is for people; empty: no text.
    package func succeeded(_ text: String, _ fill: (inout LoaderEvent) -> Void = { _ in }) {
        lines.remove(at: index)
        if !text.isEmpty { note(text) }
        guard isJSON else { return }
        var event = LoaderEvent("result", port: port)
        event.ok = true
        event.exitCode = 0
        fill(&event)
        output.data(event.line)
    }

    /// Reports that the work on this board has failed.
    func failed(_ failure: CommandFailure) {
        lines.remove(at: index)
        // The failure is reported on standard error if the JSON has no reader any more, since the flash may be
        // incomplete.
        if isJSON ? output.isDataLost : isOneOfMany { output.note("\(port): error: \(failure.message)") }
        guard isJSON else { return }
        var event = LoaderEvent("result", port: port)
        event.ok = false
        event.exitCode = Int(failure.status.rawValue)
        (event.code, event.message, event.hint) = (failure.code, failure.message, Hints.text(for: failure.code))
        output.data(event.line)
    }
}

/// The progress of several boards, one line per board on a terminal.
final class ProgressLines: Sendable {
    private struct Line {
        var title = ""
        var completed = 0
        var total = 0
    }

    private let lines: Mutex<[Line]>

    init(count: Int) {
        lines = Mutex(Array(repeating: Line(), count: count))
    }

    /// Removes the line of a board that has finished.
    func remove(at index: Int) {
        lines.withLock { $0[index] = Line() }
    }

    func show(_ title: String, at index: Int, completed: Int, of total: Int, _ output: Output) {
        let all = lines.withLock { lines in
            lines[index] = Line(title: title, completed: completed, total: total)
            return lines.filter { $0.total > 0 }.map { (title: $0.title, completed: $0.completed, total: $0.total) }
        }
        output.progress(all)
    }
}

/// An event of a command on a board, as `--json` prints it, a line each.
package struct LoaderEvent: Codable, Hashable, Sendable {
    /// The board.
    package struct Board: Codable, Hashable, Sendable {
        package var chip: String
        /// Empty in secure download mode.
        package var mac: String
        /// In bytes, if known.
        package var flashSize: UInt64?
        package var isVirtual: Bool

        package init(_ board: ConnectedBoard) {
            chip = board.chip.name
            mac = board.macText
            flashSize = board.flashSize
            isVirtual = board.isVirtual
        }
    }

    /// The result of a write.
    package struct Write: Codable, Hashable, Sendable {
        /// Bytes of all regions.
        package var total: Int
        /// The part of ``total`` that was already in the flash.
        package var skipped: Int
        /// The number of compressed bytes that were sent.
        package var sent: Int
        /// How often a part was restarted.
        package var restarts: Int
        /// True if the content was verified by digests.
        package var isVerified: Bool
    }

    /// A difference between flash and data.
    package struct Difference: Codable, Hashable, Sendable {
        package var region: String
        /// The address of the first sector that differs.
        package var address: UInt64
        /// The length from there to the end of the last different sector, in bytes.
        package var length: UInt64
    }

    /// `phase`, `board`, `progress`, `warning` or `result`.
    package var event: String
    /// The address of the board's port.
    package var port: String
    /// The phase: `connecting`, `comparing`, `erasing`, `writing`, `verifying`, `reading`, `restarting`.
    package var phase: String?
    /// The region in progress.
    package var region: String?
    /// The region's first address.
    package var address: UInt32?
    /// The number of completed bytes, and the total.
    package var done: Int?
    package var total: Int?
    package var board: Board?
    /// For a result: true if the command succeeded. The other fields give details.
    package var ok: Bool?
    package var exitCode: Int?
    package var code: String?
    /// The text of a warning, or of the failure of a result.
    package var message: String?
    package var hint: String?
    package var write: Write?
    /// After a write: true if the board was seen to start what was written, false if its boot log reports why it does
    /// not; `nil` if neither was seen.
    package var boots: Bool?
    package var differences: [Difference]?
    package var file: String?
    package var md5: String?

    package init(_ event: String, port: String) {
        self.event = event
        self.port = port
    }

    /// The event as JSON on one line.
    package var line: String {
        // Strings and numbers can always be encoded.
        ((try? JSONLine.text(self)) ?? "") + "\n"
    }
}
