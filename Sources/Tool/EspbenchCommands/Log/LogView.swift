internal import BenchReports
internal import Console

/// Prints the lines of a log: of its beginning the last ones, if so many were asked for, then all.
struct LogView {
    /// Standard output takes no more, as ``Output/checkData(allowsClosedPipe:)`` says.
    struct ReaderLeft: Error {}

    private static let bufferSize = 1 << 16

    private let output: Output
    private let pattern: LinePattern?
    /// How many lines of the beginning are shown; `nil`: all.
    private let lastLines: Int?
    /// The last lines of the beginning, as a ring from `first` on; `nil` after it.
    private var held: [[UInt8]]?
    private var first = 0
    private var buffer: [UInt8] = []

    /// A view that shows only lines that match `pattern`, and of those that there are at first the last `lastLines`.
    init(_ output: Output, pattern: LinePattern?, lastLines: Int?) {
        self.output = output
        self.pattern = pattern
        self.lastLines = lastLines
        held = lastLines == nil ? nil : []
    }

    /// Shows, or holds, an item.
    ///
    /// - Throws: ``ReaderLeft``, or a ``CommandFailure`` when lines cannot be searched.
    mutating func show(_ item: LogReader.Item) throws {
        switch item {
        case .notice(let text):
            flush()
            output.note(text)
        case .line(let bytes):
            guard try isWanted(bytes) else { return }
            guard let lastLines, held != nil else {
                print(bytes)
                // The rest of a long log would be read for nobody.
                if output.isDataLost { throw ReaderLeft() }
                return
            }
            hold(bytes, lastLines)
        }
    }

    private mutating func isWanted(_ line: [UInt8]) throws(CommandFailure) -> Bool {
        guard let pattern else { return true }
        switch pattern.search(String(decoding: line, as: UTF8.self)) {
        case .found: return true
        case .missing: return false
        case .abandoned:
            flush()
            output.note(
                "the search for '\(pattern.text)' takes too long, and was given up in a line, which is not shown")
            return false
        case .off:
            flush()
            throw CommandFailure(
                .badInput, "--match '\(pattern.text)' takes too long: it was given up in line after line",
                code: "log.slowMatch")
        }
    }

    private mutating func hold(_ bytes: [UInt8], _ count: Int) {
        guard count > 0 else { return }
        if held?.count ?? 0 < count {
            held?.append(bytes)
        } else {
            held?[first] = bytes
            first = (first + 1) % count
        }
    }

    /// Shows what was held of the beginning; from now on every line is shown.
    mutating func endBeginning() {
        let lines = held ?? []
        held = nil
        for line in lines[first...] + lines[..<first] { print(line) }
        flush()
    }

    private mutating func print(_ line: [UInt8]) {
        // The file may be anybody's: its control characters stay out of the terminal.
        buffer += VisibleText.visible(line, keepsColours: output.dataStyle.isColoured)
        buffer.append(0x0A)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Writes what was printed.
    mutating func flush() {
        guard !buffer.isEmpty else { return }
        output.data(buffer)
        buffer = []
    }
}
