import BenchModel
package import Console

/// Conditions on a value that a board sends; all that are given must be met.
public struct ValueMatch: Hashable, Sendable {
    /// All bytes of the value.
    public var bytes: [UInt8]?
    /// The bits of ``bytes`` that count, with one byte for each; `nil`: all bits.
    public var mask: [UInt8]?
    /// Bytes that are somewhere in the value, one after the other.
    public var part: [UInt8]?
    /// A regular expression that matches a part of the value's text.
    public var pattern: String?
    /// The contents of the value's JSON.
    public var json: JSONPattern?
    /// The number of bytes.
    public var length: ClosedRange<Int>?
    /// True if ``bytes`` or ``part`` are given as a text, so that failures show them as text.
    public var isText: Bool

    /// Conditions.
    public init(
        bytes: [UInt8]? = nil, mask: [UInt8]? = nil, part: [UInt8]? = nil, pattern: String? = nil,
        json: JSONPattern? = nil, length: ClosedRange<Int>? = nil, isText: Bool = false
    ) {
        self.bytes = bytes
        self.mask = mask
        self.part = part
        self.pattern = pattern
        self.json = json
        self.length = length
        self.isText = isText
    }

    /// The conditions of a pattern of console lines.
    public init(_ pattern: ConsolePattern) {
        switch pattern {
        case .line(let text): self.init(bytes: Array(text.utf8), isText: true)
        case .regex(let pattern): self.init(pattern: pattern)
        case .value(let match): self = match
        }
    }

    /// The longest value of an attribute (Core 5.4, Vol 3 Part F 3.2.9): a longer value is a stream.
    package static let maximumLength = 512
    /// Longer texts are shown with their beginning only.
    private static let shownCharacters = 120

    /// The result of a comparison.
    package enum Answer: Hashable, Sendable {
        case met
        /// A condition is not met: the value, and the difference if it is not obvious.
        case differs(String)
        /// The search for the regular expression took too long.
        case undecided(String)
    }

    /// Compares a value. `patterns` has the compiled expressions.
    package func answer(_ value: [UInt8], _ patterns: LinePatterns) -> Answer {
        switch difference(value, patterns) {
        case nil: .met
        case .undecided(let reason): .undecided(reason)
        case .plain(let reason): .differs(shown(value) + (reason.map { ": \($0)" } ?? ""))
        }
    }

    private enum Difference {
        case plain(String?)
        case undecided(String)
    }

    private func difference(_ value: [UInt8], _ patterns: LinePatterns) -> Difference? {
        if let length, !length.contains(value.count) {
            return .plain("\(value.count) byte\(value.count == 1 ? "" : "s") in place of \(Self.text(length))")
        }
        if let bytes {
            if let mask {
                if let masked = Self.difference(value, bytes, mask) { return .plain(masked) }
            } else if value != bytes {
                return .plain(ValueText.difference(value, from: bytes))
            }
        }
        if let part, Self.end(of: part, in: value[...]) == nil {
            return .plain("without \(ValueText.text(part, isText: isText))")
        }
        guard pattern != nil || json != nil else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else { return .plain("its bytes are no UTF-8 text") }
        if let pattern {
            // The caller has compiled the expression before.
            switch try? patterns.pattern(pattern).search(text) {
            case .found: break
            case .missing, nil: return .plain("no part of it matches")
            case .abandoned, .off: return .undecided(EventLog.tooSlow(text))
            }
        }
        return json?.difference(value).map { .plain($0.printable) }
    }

    private static func difference(_ value: [UInt8], _ bytes: [UInt8], _ mask: [UInt8]) -> String? {
        guard value.count == bytes.count else { return ValueText.difference(value, from: bytes) }
        let places = value.indices.filter { (value[$0] ^ bytes[$0]) & mask[$0] != 0 }
        guard let first = places.first else { return nil }
        let others = places.count > 1 ? ", and \(places.count - 1) more" : ""
        return "byte \(first + 1) of \(value.count) is \(EventText.octet(value[first])), not "
            + "\(EventText.octet(bytes[first])), in the bits of the mask \(EventText.octet(mask[first]))\(others)"
    }

    /// The index after the first occurrence of `part`.
    static func end(of part: [UInt8], in value: ArraySlice<UInt8>) -> Int? {
        guard let first = part.first, value.count >= part.count else { return nil }
        var start = value.startIndex
        while let found = value[start...(value.endIndex - part.count)].firstIndex(of: first) {
            if value[found..<(found + part.count)].elementsEqual(part) { return found + part.count }
            start = found + 1
            if start > value.endIndex - part.count { return nil }
        }
        return nil
    }

    // MARK: Text

    /// True if the value is compared as a text.
    private var comparesText: Bool { pattern != nil || json != nil || (isText && part != nil) }

    /// The value as failures show it.
    private func shown(_ value: [UInt8]) -> String {
        guard comparesText, !value.isEmpty, let text = String(validating: value, as: UTF8.self) else {
            return ValueText.text(value, isText: isText)
        }
        let rest = text.count > Self.shownCharacters ? "… (\(value.count) bytes)" : ""
        return "'\(text.prefix(Self.shownCharacters).description.printable)'\(rest)"
    }

    /// The conditions in words, to follow `a value`: `with 0x01`, `containing "OK"`.
    package var words: String {
        var words: [String] = []
        if let bytes { words.append("with \(ValueText.text(bytes, isText: isText))\(maskWords)") }
        if let length { words.append("of \(Self.text(length))") }
        if let part { words.append("containing \(ValueText.text(part, isText: isText))") }
        if let pattern { words.append("matching /\(pattern)/") }
        if let json { words.append("with the JSON \(json)") }
        return words.joined(separator: ", ")
    }

    /// The conditions in words, to follow `to give`.
    var givenWords: String {
        guard let bytes, isExact else { return "a value \(words)" }
        return ValueText.text(bytes, isText: isText) + maskWords
    }

    /// The mask in words, to follow the bytes.
    package var maskWords: String {
        mask.map { " in the bits of \(ValueText.text($0))" } ?? ""
    }

    /// True if there is no condition but all bytes of the value.
    package var isExact: Bool { bytes != nil && part == nil && pattern == nil && json == nil && length == nil }

    /// True if lines of a stream are compared with it, and not its bytes as they come.
    var isLine: Bool { pattern != nil || json != nil }

    private static func text(_ length: ClosedRange<Int>) -> String {
        if length.upperBound == .max { return "at least \(length.lowerBound) bytes" }
        if length.count == 1 { return "\(length.lowerBound) byte\(length.lowerBound == 1 ? "" : "s")" }
        return "\(length.lowerBound)...\(length.upperBound) bytes"
    }
}
