internal import BenchReports
import CommandSupport
internal import Console
internal import LogFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Prints the lines of a log: the existing lines, or only the last of them, then every new line.
struct LogView {
    /// Standard output is closed; see ``Output/checkData(allowsClosedPipe:)``.
    struct ReaderLeft: Error {}

    private static let bufferSize = 1 << 16

    private let output: Output
    private let pattern: LinePattern?
    /// The number of existing lines to show; `nil`: all.
    private let lastLines: Int?
    /// The last existing lines, as a ring that starts at `first`; `nil` once they have been shown.
    private var held: [[UInt8]]?
    private var first = 0
    private var buffer: [UInt8] = []

    /// A view that shows only lines that match `pattern`; of the existing lines only the last `lastLines`.
    init(_ output: Output, pattern: LinePattern?, lastLines: Int?) {
        self.output = output
        self.pattern = pattern
        self.lastLines = lastLines
        held = lastLines == nil ? nil : []
    }

    /// Shows an item, or keeps it until ``endBeginning()``.
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
                // Stops, because the rest of a long log would be read without a reader of the output.
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

    /// Shows the kept lines of the beginning; from now on every line is shown.
    mutating func endBeginning() {
        let lines = held ?? []
        held = nil
        for line in lines[first...] + lines[..<first] { print(line) }
        flush()
    }

    private mutating func print(_ line: [UInt8]) {
        // The file may come from any source: its control characters must not reach the terminal.
        buffer += VisibleText.visible(line, keepsColours: output.dataStyle.isColoured)
        buffer.append(0x0A)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Writes the printed text.
    mutating func flush() {
        guard !buffer.isEmpty else { return }
        output.data(buffer)
        buffer = []
    }
}

/// Reads a log with its former files, oldest first, and the lines appended to it, across any number of rotations.
///
/// A renamed file is read to its end before the next one, even after several rotations between two calls.
package final class LogReader {
    /// A line or remark to show.
    package enum Item: Equatable, Sendable {
        /// A line, without its end.
        case line([UInt8])
        /// A message of the reader about lines that could not be read.
        case notice(String)
    }

    /// The maximum number of bytes of a line; a longer line is shown in parts.
    static let longestLine = 1 << 20
    private static let chunkSize = 1 << 16

    private let path: String
    private var descriptor: Int32 = -1
    private var offset: Int64 = 0
    /// The last line while it is incomplete.
    private var partial: [UInt8] = []

    /// A reader of the log at `path`; with or without its former files.
    package init(_ path: String, withFormer: Bool = true) {
        self.path = path
        guard withFormer else { return }
        let former = LogRotation.keepable.dropFirst().prefix { access("\(path).\($0)", F_OK) == 0 }
        if let oldest = former.last { enter("\(path).\(oldest)") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// True if there was a file to read.
    package var isOpen: Bool { descriptor >= 0 }

    /// Reads the present lines.
    ///
    /// - Throws: ``SystemFault`` when a file cannot be read.
    package func read(_ take: (Item) throws -> Void) throws {
        if !isOpen { enter(path) }
        guard isOpen else {
            if errno != ENOENT { throw SystemFault.last }
            return
        }
        while true {
            try drain(take)
            guard let next = try successor(take) else { return }
            // Lines may have been appended between the end of reading and the renaming.
            try drain(take)
            try flush(take)
            let former = descriptor
            if !enter(next) { return }
            close(former)
        }
    }

    /// Passes on the last line even though it is incomplete.
    package func flush(_ take: (Item) throws -> Void) rethrows {
        guard !partial.isEmpty else { return }
        let line = partial
        partial = []
        try take(.line(line))
    }

    @discardableResult private func enter(_ path: String) -> Bool {
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return false }
        descriptor = opened
        offset = 0
        return true
    }

    private func drain(_ take: (Item) throws -> Void) throws {
        var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFault.last }
            guard count > 0 else { return }
            offset += Int64(count)
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0x0A) {
                let line = partial + rest[..<end]
                partial = []
                rest = rest[(end + 1)...]
                try take(.line(line))
            }
            partial += rest
            if partial.count >= Self.longestLine { try flush(take) }
        }
    }

    /// The path of the file that follows this one; `nil` when this one is the newest.
    private func successor(_ take: (Item) throws -> Void) throws -> String? {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw SystemFault.last }
        // A rotation between two checks renames every file: check again.
        for _ in 0..<100 {
            guard let place = place(of: own) else { break }
            guard place > 0 else {
                if own.st_size < offset {
                    partial = []
                    offset = 0
                    try take(.notice("\(path) was cut to \(own.st_size) bytes; it is read from its beginning again"))
                    try drain(take)
                    return try successor(take)
                }
                return nil
            }
            let next = place == 1 ? path : "\(path).\(place - 1)"
            if self.place(of: own) == place { return access(next, F_OK) == 0 ? next : nil }
        }
        guard access(path, F_OK) == 0 else { return nil }
        try take(.notice("\(path) was replaced, and its former file removed: lines between them may be missing"))
        return path
    }

    /// The number of the former file that is `own`; 0: the log itself; `nil`: no file of this log.
    private func place(of own: stat) -> Int? {
        func isOwn(_ path: String) -> Bool? {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return status.st_ino == own.st_ino && status.st_dev == own.st_dev
        }
        if isOwn(path) == true { return 0 }
        for number in LogRotation.keepable.dropFirst() {
            guard let found = isOwn("\(path).\(number)") else { return nil }
            if found { return number }
        }
        return nil
    }
}
