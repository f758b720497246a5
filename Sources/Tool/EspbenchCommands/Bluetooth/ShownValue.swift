import ArgumentParser
import BenchModel
internal import ByteCodec

/// How values of a peer are printed.
package enum ShownValue: Hashable, Sendable {
    /// Hexadecimal digits, and in quotation marks the text that they are, if they are one.
    case automatic
    /// As one kind of value.
    case kind(ValueKind)
    /// The bytes as they are.
    case raw

    /// What the help says.
    static let help = "How to print values: \(ValueKind.list), raw. (default: hex, and the text if it is one)"

    /// Reads the option.
    ///
    /// - Throws: `ValidationError`.
    init(option text: String) throws {
        if text == "raw" {
            self = .raw
        } else if let kind = ValueKind(text) {
            self = .kind(kind)
        } else {
            throw ValidationError("Expected one of \(ValueKind.list), raw; got '\(text)'.")
        }
    }

    /// What is printed of `bytes`: a line, or the bytes as they are.
    ///
    /// - Parameter meaning: what a description says of them.
    package func output(_ bytes: [UInt8], _ meaning: String? = nil) -> [UInt8] {
        if self == .raw { return bytes }
        return Array((line(bytes, meaning) + "\n").utf8)
    }

    /// `bytes` in a line, and what a description says of them unless a kind of value is wanted.
    func line(_ bytes: [UInt8], _ meaning: String?) -> String {
        guard self == .automatic, let meaning else { return line(bytes) }
        let digits = bytes.isEmpty ? "(empty)" : Hexadecimal.string(bytes, separator: " ")
        return "\(digits)  \(meaning)"
    }

    /// `bytes` in a line; in hexadecimal digits when they are not of the wanted kind.
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

    /// The text that `bytes` are: printable, of at least two characters, perhaps with a NUL at its end.
    static func text(_ bytes: [UInt8]) -> String? {
        let content = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        guard content.count > 1, let text = String(validating: content, as: UTF8.self), text.printable == text else {
            return nil
        }
        return text
    }
}
