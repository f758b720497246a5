import BenchModel

/// What every line of a timeline begins with, found without parsing the rest: an index of millions of lines needs no more.
struct LineHead: Equatable {
    /// Nanoseconds on the bench's clock.
    var time: Int64
    var source: String
    var kind: String

    /// The head of a whole line; `nil` if it is no event, as far as its head and its end tell.
    init?(_ line: ArraySlice<UInt8>) {
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

    init(time: Int64, source: String, kind: String) {
        self.time = time
        self.source = source
        self.kind = kind
    }

    /// The head of a line with its keys as `TimelineLineWriter` orders them.
    private static func inOrder(_ line: ArraySlice<UInt8>) -> LineHead? {
        var position = line.startIndex
        func passes(_ text: StaticString) -> Bool {
            guard text.withUTF8Buffer({ line[position...].starts(with: $0) }) else { return false }
            position += text.utf8CodeUnitCount
            return true
        }
        func text() -> String? {
            let start = position
            while position < line.endIndex, line[position] != UInt8(ascii: "\"") {
                guard line[position] != UInt8(ascii: "\\") else { return nil }
                position += 1
            }
            return position < line.endIndex ? String(decoding: line[start..<position], as: UTF8.self) : nil
        }
        guard passes("{\"t\":") else { return nil }
        var time: Int64 = 0
        let digits = position
        // Eighteen digits are always an `Int64`.
        while position < line.endIndex, position - digits < 18, let digit = Self.digit(line[position]) {
            time = time * 10 + digit
            position += 1
        }
        guard position > digits, passes(",\"source\":\""), let source = text(), passes("\",\"kind\":\""),
            let kind = text(), !kind.isEmpty
        else { return nil }
        return LineHead(time: time, source: source, kind: kind)
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte - UInt8(ascii: "0")) : nil
    }
}
