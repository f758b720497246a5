import BenchModel
import Console

/// A value's conditions, and the compiled forms of their regular expressions.
struct PreparedMatch {
    let match: ValueMatch
    let patterns: LinePatterns

    func answer(_ value: [UInt8]) -> ValueMatch.Answer { match.answer(value, patterns) }
}

/// A stream of bytes, in chunks of any size: all bytes are expected, or a part or a line is searched for.
final class StreamPattern {
    /// Longer lines are not searched.
    private static let maximumLine = 65_536

    private let prepared: PreparedMatch
    /// The number of bytes that were compared.
    private var count = 0
    private var isFound = false
    /// Bytes that may be the beginning of the expected part or line.
    private var pending: [UInt8] = []
    private var lineCount = 0
    /// The last line, and why it is not the expected one.
    private var lastLine = ""

    init(_ prepared: PreparedMatch) {
        self.prepared = prepared
    }

    var isComplete: Bool { prepared.match.bytes.map { count == $0.count } ?? isFound }

    /// The bytes received so far, for failures.
    var progress: String {
        if let bytes = prepared.match.bytes { return "\(count) of \(bytes.count) bytes, as expected" }
        return "\(count) bytes without it"
    }

    /// The bytes or lines that came in place of the expected ones; `nil`: none were searched.
    var searched: String? {
        guard prepared.match.bytes == nil, count > 0 else { return nil }
        guard prepared.match.isLine else { return "\(progress); the last are \(ValueText.text(pending.suffix(32)))" }
        let lines = lineCount == 0 ? nil : "no such line among \(lineCount); the last is \(lastLine)"
        let rest = pending.isEmpty ? nil : "no line feed after \(ValueText.text(pending.suffix(32), isText: true))"
        return [lines, rest].compactMap(\.self).joined(separator: "; ")
    }

    /// Compares the next bytes.
    ///
    /// - Returns: how many of `chunk` belong to the stream, and the first difference, if there is one.
    func take(_ chunk: ArraySlice<UInt8>) -> (used: Int, difference: String?) {
        if let bytes = prepared.match.bytes { return take(chunk, of: bytes) }
        if !prepared.match.isLine, let part = prepared.match.part { return (search(chunk, for: part), nil) }
        return searchLine(chunk)
    }

    private func take(_ chunk: ArraySlice<UInt8>, of bytes: [UInt8]) -> (used: Int, difference: String?) {
        let part = chunk.prefix(bytes.count - count)
        let mask = prepared.match.mask
        let pairs = zip(part, bytes[count...]).enumerated()
        let first = pairs.first { ($1.0 ^ $1.1) & (mask?[count + $0] ?? 0xFF) != 0 }
        guard let (offset, (got, wanted)) = first else {
            count += part.count
            return (part.count, nil)
        }
        let index = count + offset
        let bits = mask.map { ", in the bits of the mask \(EventText.octet($0[index]))" } ?? ""
        return (
            offset,
            "byte \(index + 1) of \(bytes.count) is \(EventText.octet(got)), not \(EventText.octet(wanted))\(bits)"
        )
    }

    /// Searches for bytes; returns how many of `chunk` end with them, or all.
    private func search(_ chunk: ArraySlice<UInt8>, for part: [UInt8]) -> Int {
        let former = pending.suffix(part.count - 1)
        let window = former + chunk
        let end = ValueMatch.end(of: part, in: window).map { $0 - window.startIndex - former.count }
        isFound = end != nil
        let used = end ?? chunk.count
        count += used
        pending = Array((pending + chunk).suffix(max(part.count - 1, 32)))
        return used
    }

    private func searchLine(_ chunk: ArraySlice<UInt8>) -> (used: Int, difference: String?) {
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            var line = pending + rest[..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            pending = []
            rest = rest[(end + 1)...]
            count += line.count + 1
            lineCount += 1
            switch prepared.answer(line) {
            case .met:
                isFound = true
                return (rest.startIndex - chunk.startIndex, nil)
            case .undecided(let reason): return (rest.startIndex - chunk.startIndex, reason)
            case .differs(let text): lastLine = text
            }
        }
        count += rest.count
        pending += rest
        if pending.count > Self.maximumLine { pending = [] }
        return (chunk.count, nil)
    }
}
