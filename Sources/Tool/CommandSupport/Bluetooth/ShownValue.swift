import ArgumentParser
import BenchModel
internal import BLECentral
internal import BLEDescriptions
internal import ByteCodec

/// The format in which values of a peer are printed.
package enum ShownValue: Hashable, Sendable {
    /// Hexadecimal digits, followed by the text in quotation marks if the bytes are text.
    case automatic
    /// The format of one kind of value.
    case kind(ValueKind)
    /// The bytes unchanged.
    case raw

    /// The help text.
    package static let help =
        "How to print values: raw, \(ValueKind.list). (default: hex, and the text of a value that is text)"

    /// Reads the option.
    ///
    /// - Throws: `ValidationError`.
    package init(option text: String) throws {
        if text == "raw" {
            self = .raw
        } else if let kind = ValueKind(text) {
            self = .kind(kind)
        } else {
            throw ValidationError("Expected one of raw, \(ValueKind.list); got '\(text)'.")
        }
    }

    /// Refuses a format together with `--json`.
    ///
    /// - Throws: `ValidationError`.
    package func check(json: Bool) throws {
        guard json, self != .automatic else { return }
        throw ValidationError("--as cannot be combined with --json, whose values are hexadecimal digits.")
    }

    /// The options without effect with this format.
    package var unusedOptions: [UnusedOptions] {
        self == .automatic ? [] : [UnusedOptions(["--describe"], "--as says how values are shown")]
    }

    /// The output for `bytes`: a line, or the bytes unchanged.
    ///
    /// - Parameter meaning: their meaning according to a description.
    package func output(_ bytes: [UInt8], _ meaning: String? = nil) -> [UInt8] {
        if self == .raw { return bytes }
        return Array((line(bytes, meaning) + "\n").utf8)
    }

    /// `bytes` in a line, with their meaning according to a description, unless a kind of value is given.
    package func line(_ bytes: [UInt8], _ meaning: String?) -> String {
        guard self == .automatic, let meaning else { return line(bytes) }
        let digits = bytes.isEmpty ? "(empty)" : Hexadecimal.string(bytes, separator: " ")
        return "\(digits)  \(meaning)"
    }

    /// `bytes` in a line; hexadecimal digits if they do not fit the wanted kind.
    package func line(_ bytes: [UInt8]) -> String {
        switch self {
        case .kind(let kind):
            if let text = kind.text(of: bytes) { return text.printable }
            return "\(ValueKind.hex.text(of: bytes) ?? "") (\(bytes.count) byte\(bytes.count == 1 ? "" : "s"))"
        case .automatic, .raw:
            let digits = Hexadecimal.string(bytes, separator: " ")
            guard let text = Self.text(bytes) else { return bytes.isEmpty ? "(empty)" : digits }
            return "\(digits)  \"\(text)\""
        }
    }

    /// `bytes` as text, if they are printable: at least two characters, optionally with a NUL at the end.
    package static func text(_ bytes: [UInt8]) -> String? {
        let content = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        guard content.count > 1, let text = String(validating: content, as: UTF8.self), text.printable == text else {
            return nil
        }
        return text
    }
}

/// The format in which the bytes of a value are written on the command line and shown: the formats of BLE tools (nRF
/// Connect), with short names as in Rust.
package enum ValueKind: Hashable, Sendable {
    /// Pairs of hexadecimal digits.
    case hex
    /// UTF-8.
    case text
    /// Integers of this number of bytes; GATT is little-endian unless a profile specifies otherwise.
    case integers(bytes: Int, isSigned: Bool, isBigEndian: Bool)
    /// IEEE 754 numbers of 4 or 8 bytes.
    case floats(bytes: Int, isBigEndian: Bool)

    /// The list of names, for help and messages.
    package static let list =
        "hex, text, u8, u16, u24, u32, u64, i8 … i64, f32, f64; u16be and similar types are big-endian"

    /// The kind with this name, e.g. `u16` or `i32be`.
    package init?(_ name: some StringProtocol) {
        switch name {
        case "hex": self = .hex
        case "text": self = .text
        default:
            let isBigEndian = name.hasSuffix("be")
            guard let first = name.first, let bits = Int(name.dropFirst().dropLast(isBigEndian ? 2 : 0)),
                String(bits) == name.dropFirst().dropLast(isBigEndian ? 2 : 0)
            else { return nil }
            switch (first, bits) {
            case ("u", 8), ("u", 16), ("u", 24), ("u", 32), ("u", 64), ("i", 8), ("i", 16), ("i", 24), ("i", 32),
                ("i", 64):
                self = .integers(bytes: bits / 8, isSigned: first == "i", isBigEndian: isBigEndian)
            case ("f", 32), ("f", 64): self = .floats(bytes: bits / 8, isBigEndian: isBigEndian)
            default: return nil
            }
        }
    }

    /// The form of a value of this kind, for messages.
    package var expectation: String {
        switch self {
        case .hex: "a value"
        case .text: "a text"
        case .integers(let count, let isSigned, _):
            isSigned
                ? "integers of -2^\(count * 8 - 1) to 2^\(count * 8 - 1) - 1 with commas between them"
                : "integers of 0 to 2^\(count * 8) - 1 with commas between them"
        case .floats(let count, _): "numbers of IEEE 754's \(count * 8) bits with commas between them"
        }
    }

    /// The bytes of `text` in this kind; `nil` if the text has another format or does not fit.
    package func bytes(of text: some StringProtocol) -> [UInt8]? {
        switch self {
        case .hex:
            let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : String(text)
            return digits.isEmpty ? nil : Hexadecimal.bytes(digits)
        case .text: return Array(text.utf8)
        case .integers, .floats:
            var result: [UInt8] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let number = number(word) else { return nil }
                result += number
            }
            return result
        }
    }

    private func number(_ word: some StringProtocol) -> [UInt8]? {
        switch self {
        case .hex, .text: return nil
        case .integers(let count, let isSigned, let isBigEndian):
            guard let value = Self.integer(word) else { return nil }
            let bits = count * 8
            let range: ClosedRange<Int128> =
                isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
            guard range.contains(value) else { return nil }
            return Self.bytes(UInt64(truncatingIfNeeded: value), count, isBigEndian)
        case .floats(let count, let isBigEndian):
            // Numbers out of range would become infinite; only the word for infinity may be infinite.
            let mayBeInfinite = !word.contains(where: \.isNumber)
            if count == 4 {
                guard let value = Float(word), value.isFinite || mayBeInfinite else { return nil }
                return Self.bytes(UInt64(value.bitPattern), 4, isBigEndian)
            }
            guard let value = Double(word), value.isFinite || mayBeInfinite else { return nil }
            return Self.bytes(value.bitPattern, 8, isBigEndian)
        }
    }

    private static func integer(_ word: some StringProtocol) -> Int128? {
        let isNegative = word.hasPrefix("-")
        let digits = isNegative ? String(word.dropFirst()) : String(word)
        let isHex = digits.hasPrefix("0x")
        let value = isHex ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits)
        guard let value, value >= 0 else { return nil }
        return isNegative ? -value : value
    }

    private static func bytes(_ value: UInt64, _ count: Int, _ isBigEndian: Bool) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return isBigEndian ? little.reversed() : little
    }

    /// `bytes` in this kind; `nil` if their number does not fit, or they are not UTF-8.
    package func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .hex: return Hexadecimal.string(bytes, separator: " ")
        case .text: return String(validating: bytes, as: UTF8.self)
        case .integers(let count, let isSigned, let isBigEndian):
            return Self.words(bytes, count, isBigEndian) { value in
                guard isSigned, count < 8 else {
                    return isSigned ? "\(Int64(bitPattern: value))" : "\(value)"
                }
                let sign: UInt64 = 1 << UInt64(count * 8 - 1)
                return "\(value & sign == 0 ? Int64(value) : Int64(value) - Int64(sign) * 2)"
            }
        case .floats(let count, let isBigEndian):
            return Self.words(bytes, count, isBigEndian) { value in
                count == 4
                    ? "\(Float(bitPattern: UInt32(truncatingIfNeeded: value)))" : "\(Double(bitPattern: value))"
            }
        }
    }

    private static func words(
        _ bytes: [UInt8], _ count: Int, _ isBigEndian: Bool, _ text: (UInt64) -> String
    ) -> String? {
        guard bytes.count.isMultiple(of: count) else { return nil }
        return stride(from: 0, to: bytes.count, by: count).map { start in
            let word = bytes[start..<start + count]
            return text((isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt64($1) })
        }.joined(separator: " ")
    }
}
