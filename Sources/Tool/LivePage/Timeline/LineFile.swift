import BenchModel
import Synchronization
import SystemPackage

/// The bytes of a timeline: a file, and the last bytes, which are not yet written to the file.
package final class LineFile: Sendable {
    private struct Tail {
        /// The number of bytes in the file.
        var written: Int64 = 0
        /// The bytes that follow those in the file.
        var bytes: [UInt8] = []
    }

    /// The number of bytes written at once.
    private static let chunkSize = 64 << 10

    private let descriptor: FileDescriptor
    private let tail: Mutex<Tail?>

    /// A file that is only read, or, with `isAppended`, an empty file for appending; this object closes it.
    package init(_ descriptor: FileDescriptor, isAppended: Bool) {
        self.descriptor = descriptor
        tail = Mutex(isAppended ? Tail() : nil)
    }

    deinit { try? descriptor.close() }

    /// Adds bytes.
    ///
    /// - Throws: `Errno` if the file cannot be written; bytes added before can still be read.
    package func append(_ bytes: some Collection<UInt8>) throws {
        try tail.withLock { tail in
            guard var next = tail else { throw Errno.badFileDescriptor }
            tail = nil
            defer { tail = next }
            if next.bytes.count >= Self.chunkSize {
                try descriptor.writeAll(toAbsoluteOffset: next.written, next.bytes)
                next.written += Int64(next.bytes.count)
                next.bytes.removeAll(keepingCapacity: true)
            }
            next.bytes += bytes
        }
    }

    /// The bytes from `offset` on; fewer than `count` at the end of the file.
    ///
    /// Bytes in the file do not change, so that a writer need not wait for readers.
    package func read(at offset: Int64, count: Int) throws -> [UInt8] {
        let (inFile, rest): (Int, ArraySlice<UInt8>) = tail.withLock { tail in
            guard let tail else { return (count, []) }
            let inFile = Int(max(0, min(Int64(count), tail.written - offset)))
            let start = Int(max(0, offset - tail.written))
            return (inFile, tail.bytes.dropFirst(start).prefix(count - inFile))
        }
        return try inFile > 0 ? readFile(at: offset, count: inFile) + rest : Array(rest)
    }

    private func readFile(at offset: Int64, count: Int) throws -> [UInt8] {
        var read = 0
        // If the closure throws, the array keeps no elements.
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while read < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[read...])
                let size = try descriptor.read(fromAbsoluteOffset: offset + Int64(read), into: rest)
                if size == 0 { break }
                read += size
            }
            initialized = read
        }
    }

    /// The file's identity and current size.
    package func stat() throws -> Stat { try descriptor.stat() }
}

/// Finds the lines of a file that is read in pieces. A pure state machine; a line of any length takes bounded memory.
package struct LineSplitter {
    /// The maximum length in bytes of a line that can be an event.
    package static let maximumLength = 1 << 20

    /// An incomplete line: its beginning, and the number of its bytes so far.
    package private(set) var beginning: [UInt8] = []
    package private(set) var length = 0

    /// Adds the lines that end in the next piece.
    package mutating func split(_ piece: [UInt8], into index: inout TimelineIndex) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if length == 0 {
                index.append(piece[start..<end])
            } else {
                keep(piece[start..<end])
                if length > Self.maximumLength {
                    index.appendBroken(length: length)
                } else {
                    index.append(beginning[...])
                }
                beginning.removeAll(keepingCapacity: length <= piece.count)
                length = 0
            }
            start = end + 1
        }
        keep(piece[start...])
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        beginning += bytes.prefix(Self.maximumLength - beginning.count)
        length += bytes.count
    }
}

/// The common beginning of a timeline's lines, found without parsing the rest: this is enough for an index of millions
/// of lines.
package struct LineHead {
    /// Nanoseconds on the bench's clock.
    package var time: Int64
    package var source: String
    package var kind: String
    /// The bytes after the kind; `nil` if the keys are in another order.
    private var rest: ArraySlice<UInt8>?

    /// The head of a whole line; `nil` if its head or its end shows that it is not an event.
    package init?(_ line: ArraySlice<UInt8>) {
        guard line.last(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }) == UInt8(ascii: "}") else {
            return nil
        }
        if let head = Self.inOrder(line) {
            self = head
        } else {
            // Another program may have written the keys in another order, or with spaces.
            guard let fields = try? EventFields(line, line: 0), let time = try? fields.integer("t"), time >= 0,
                let source = try? fields.string("source"), let kind = try? fields.string("kind"), !kind.isEmpty
            else { return nil }
            self.init(time: Int64(time), source: source, kind: kind)
        }
    }

    package init(time: Int64, source: String, kind: String, rest: ArraySlice<UInt8>? = nil) {
        self.time = time
        self.source = source
        self.kind = kind
        self.rest = rest
    }

    /// The handle and the name of the attribute in a line with this head; `nil` if the line lacks either.
    package func attribute(of line: ArraySlice<UInt8>) -> (handle: UInt16, name: String)? {
        guard let rest else {
            guard let fields = try? EventFields(line, line: 0), let name = try? fields.optionalString("name"),
                let handle: UInt16 = try? fields.optionalNumber("attribute")
            else { return nil }
            return (handle, name)
        }
        var scanner = Scanner(rest)
        if scanner.passes(",\"case\":"), scanner.number() == nil { return nil }
        guard scanner.passes(",\"attribute\":"), let number = scanner.number(),
            let handle = UInt16(exactly: number), scanner.passes(",\"name\":\""), let name = scanner.text()
        else { return nil }
        return (handle, name)
    }

    /// The head of a line whose keys are in the order of `TimelineLineWriter`.
    private static func inOrder(_ line: ArraySlice<UInt8>) -> LineHead? {
        var scanner = Scanner(line)
        guard scanner.passes("{\"t\":"), let time = scanner.number(), scanner.passes(",\"source\":\""),
            let source = scanner.text(), scanner.passes("\",\"kind\":\""), let kind = scanner.text(), !kind.isEmpty
        else { return nil }
        return LineHead(time: time, source: source, kind: kind, rest: line[scanner.position...].dropFirst())
    }

    /// Scans text in the order of the writer.
    private struct Scanner {
        private let line: ArraySlice<UInt8>
        private(set) var position: Int

        init(_ line: ArraySlice<UInt8>) {
            self.line = line
            position = line.startIndex
        }

        /// True if `text` comes next; then skips it.
        mutating func passes(_ text: StaticString) -> Bool {
            guard text.withUTF8Buffer({ line[position...].starts(with: $0) }) else { return false }
            position += text.utf8CodeUnitCount
            return true
        }

        /// The text up to a quotation mark, which is not skipped; `nil` for a text with escapes.
        mutating func text() -> String? {
            let start = position
            while position < line.endIndex, line[position] != UInt8(ascii: "\"") {
                guard line[position] != UInt8(ascii: "\\") else { return nil }
                position += 1
            }
            return position < line.endIndex ? String(decoding: line[start..<position], as: UTF8.self) : nil
        }

        /// The digits that come next, at most eighteen, which are always an `Int64`.
        mutating func number() -> Int64? {
            let start = position
            var number: Int64 = 0
            while position < line.endIndex, position - start < 18,
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= line[position]
            {
                number = number * 10 + Int64(line[position] - UInt8(ascii: "0"))
                position += 1
            }
            return position > start ? number : nil
        }
    }
}

/// The index entry of a row: two bytes.
package struct RowTag: Sendable {
    /// The number of the kind's name; 0: a broken line.
    package var kind: UInt8
    /// The number of the source's name.
    package var source: UInt8
}

/// Consecutive lines of a timeline's file, with the information that is available without reading the file.
package struct TimelineBlock: Sendable {
    /// The maximum number of lines in a block.
    package static let maximumRows = 256
    /// The number of bytes at which a block accepts no further line.
    package static let maximumLength = 256 << 10

    /// The number of the first row, from 0.
    package var firstRow: Int
    /// The offset of the first line in the file.
    package var offset: Int64
    /// The number of bytes of the lines, with their endings.
    package var length = 0
    package var tags: [RowTag] = []
    /// The earliest and latest time of an event, in nanoseconds; without an event, earliest is greater than latest.
    package var times: (earliest: Int64, latest: Int64) = (.max, .min)

    package var endRow: Int { firstRow + tags.count }
    package var end: Int64 { offset + Int64(length) }
    package var isFull: Bool { tags.count >= Self.maximumRows || length >= Self.maximumLength }
}
