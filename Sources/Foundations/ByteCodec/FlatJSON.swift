/// Parses JSON objects of texts, whole numbers, `true`, `false` and lists of texts, in any order. Without nesting, the
/// time depends only on the length.
///
/// Foundation's decoder takes some thirty times as long: too slow for a viewer that searches a million lines.
package struct FlatJSON {
    package enum Value: Hashable, Sendable {
        case integer(Int64)
        case bool(Bool)
        case string(String)
        case strings([String])
        /// A value of another kind that was skipped.
        case other
    }

    /// The position of the first byte that is not part of such an object.
    package struct Fault: Error {
        package let position: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let skipsOthers: Bool

    private init(_ bytes: ArraySlice<UInt8>, _ skipsOthers: Bool) {
        self.bytes = bytes
        self.skipsOthers = skipsOthers
        position = bytes.startIndex
    }

    /// The keys and values of an object. If a key occurs twice, the last one counts.
    ///
    /// - Parameter skipsOthers: true to skip values of other kinds, with all their contents.
    package static func object(
        _ bytes: ArraySlice<UInt8>, skipsOthers: Bool = false
    ) throws(Fault) -> [String: Value] {
        var parser = FlatJSON(bytes, skipsOthers)
        let values = parser.object()
        parser.skipSpace()
        guard let values, parser.position == bytes.endIndex else { throw Fault(position: parser.position) }
        return values
    }

    /// Reads a text whose opening quotation mark is before `start`; returns it, and the position after its end.
    static func text(in bytes: ArraySlice<UInt8>, at start: Int) throws(Fault) -> (text: String, end: Int) {
        var parser = FlatJSON(bytes, false)
        parser.position = start
        guard let text = parser.string() else { throw Fault(position: parser.position) }
        return (text, parser.position)
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || 0x09...0x0D ~= byte, byte != 0x0B, byte != 0x0C { position += 1 }
    }

    /// Skips space, and `byte` if it comes next; returns true if it does.
    private mutating func passes(_ byte: Character) -> Bool {
        skipSpace()
        guard next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func passes(word: StaticString) -> Bool {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if matches { position += word.utf8CodeUnitCount }
        return matches
    }

    private mutating func object() -> [String: Value]? {
        guard passes("{") else { return nil }
        var values: [String: Value] = [:]
        if passes("}") { return values }
        repeat {
            guard passes("\""), let key = string(), passes(":"), let value = value() else { return nil }
            values[key] = value
        } while passes(",")
        return passes("}") ? values : nil
    }

    private mutating func value() -> Value? {
        skipSpace()
        let start = position
        if let value = knownValue(), !skipsOthers || isAtEnd() { return value }
        guard skipsOthers else { return nil }
        position = start
        return skipOther() ? .other : nil
    }

    /// True if a value ends here.
    private mutating func isAtEnd() -> Bool {
        skipSpace()
        return next.map { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? true
    }

    private mutating func knownValue() -> Value? {
        if passes("\"") { return string().map { .string($0) } }
        if passes("[") { return strings().map { .strings($0) } }
        if passes(word: "true") { return .bool(true) }
        if passes(word: "false") { return .bool(false) }
        return integer().map { .integer($0) }
    }

    private mutating func strings() -> [String]? {
        var strings: [String] = []
        if passes("]") { return strings }
        repeat {
            guard passes("\""), let text = string() else { return nil }
            strings.append(text)
        } while passes(",")
        return passes("]") ? strings : nil
    }

    /// A whole number in JSON's form: no sign but `-`, no leading zeros.
    private mutating func integer() -> Int64? {
        let isNegative = passes("-")
        let start = position
        var value: Int64 = 0
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            // Negative numbers are summed downwards: their range is larger by one.
            let (sum, carry) =
                isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
            position += 1
        }
        let digits = position - start
        guard digits > 0, digits == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return value
    }

    /// Skips a value. In an object or array, checks only the texts and the balance of the brackets.
    private mutating func skipOther() -> Bool {
        guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else {
            let word = bytes[position...].prefix { !",}] \t\r\n".utf8.contains($0) }
            position = word.endIndex
            let text = String(decoding: word, as: UTF8.self)
            return text == "null" || Double(text) != nil
        }
        var open: [UInt8] = []
        repeat {
            guard let byte = next else { return false }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): if string() == nil { return false }
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if open.popLast() != byte { return false }
            default: break
            }
        } while !open.isEmpty
        return true
    }

    // MARK: Texts

    /// The text after its opening quotation mark, which was read before.
    private mutating func string() -> String? {
        let start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: bytes[start..<position - 1], as: UTF8.self)
            case UInt8(ascii: "\\"): return stringWithEscapes(from: start)
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func stringWithEscapes(from start: Int) -> String? {
        var text = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                text.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return scalarInDigits()
        default: return nil
        }
    }

    /// The scalar of `\uXXXX`, or of a pair of them for a scalar beyond U+FFFF.
    private mutating func scalarInDigits() -> Unicode.Scalar? {
        guard let unit = fourDigits() else { return nil }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, passes(word: "\\u"), let low = fourDigits(), 0xDC00...0xDFFF ~= low else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func fourDigits() -> UInt32? {
        guard bytes.endIndex - position >= 4 else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
