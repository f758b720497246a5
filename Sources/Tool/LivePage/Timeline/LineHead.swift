import BenchModel

/// What every line of a timeline begins with, found without parsing the rest: an index of millions of lines needs no more.
package struct LineHead {
    /// Nanoseconds on the bench's clock.
    package var time: Int64
    package var source: String
    package var kind: String
    /// What follows the kind; `nil` where the keys are in another order.
    private var rest: ArraySlice<UInt8>?

    /// The head of a whole line; `nil` if it is no event, as far as its head and its end tell.
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

    /// The handle and the name of the attribute that a line with this head is about, if it has both.
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

    /// The head of a line with its keys as `TimelineLineWriter` orders them.
    private static func inOrder(_ line: ArraySlice<UInt8>) -> LineHead? {
        var scanner = Scanner(line)
        guard scanner.passes("{\"t\":"), let time = scanner.number(), scanner.passes(",\"source\":\""),
            let source = scanner.text(), scanner.passes("\",\"kind\":\""), let kind = scanner.text(), !kind.isEmpty
        else { return nil }
        return LineHead(time: time, source: source, kind: kind, rest: line[scanner.position...].dropFirst())
    }

    /// Reads what the writer writes, in its order.
    private struct Scanner {
        private let line: ArraySlice<UInt8>
        private(set) var position: Int

        init(_ line: ArraySlice<UInt8>) {
            self.line = line
            position = line.startIndex
        }

        /// Whether `text` comes next; passes it then.
        mutating func passes(_ text: StaticString) -> Bool {
            guard text.withUTF8Buffer({ line[position...].starts(with: $0) }) else { return false }
            position += text.utf8CodeUnitCount
            return true
        }

        /// The text up to a quotation mark, which is not passed; `nil` for one with escapes.
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
