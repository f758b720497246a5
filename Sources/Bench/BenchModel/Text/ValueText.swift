internal import ByteCodec

/// Values of characteristics in failures, in the syntax of suites.
public enum ValueText {
    /// Longer values are shown as their length only.
    private static let maximumBytes = 32
    /// Up to this many bytes are also shown as decimal numbers.
    private static let maximumNumbers = 4

    /// A value: `0x81 (129)`, `[0x01, 0x02] (1, 2)`; where a text is expected, `"on" [0x6f, 0x6e]`.
    public static func text(_ bytes: [UInt8], isText: Bool = false) -> String {
        if isText, let text = quoted(bytes) { return bytes.isEmpty ? text : "\(text) \(list(bytes))" }
        if bytes.isEmpty { return "no bytes" }
        guard bytes.count <= maximumNumbers else { return list(bytes) }
        return "\(list(bytes)) (\(bytes.map { "\($0)" }.joined(separator: ", ")))"
    }

    /// The difference between a value and the expected one, if it is not obvious: `byte 2 of 3 is 0x80 (128), not 0x81
    /// (129)`.
    public static func difference(_ got: [UInt8], from expected: [UInt8]) -> String? {
        guard max(got.count, expected.count) > 1, got != expected else { return nil }
        guard got.count == expected.count else {
            return "\(got.count) byte\(got.count == 1 ? "" : "s") in place of \(expected.count)"
        }
        let places = got.indices.filter { got[$0] != expected[$0] }
        guard let first = places.first else { return nil }
        let others = places.count > 1 ? ", and \(places.count - 1) more" : ""
        return "byte \(first + 1) of \(got.count) is \(text([got[first]])), not \(text([expected[first]]))\(others)"
    }

    private static func list(_ bytes: [UInt8]) -> String {
        let numbers = bytes.prefix(maximumBytes).map { Hexadecimal.number($0, digits: 2) }
        if bytes.count == 1 { return numbers.joined() }
        let rest = bytes.count > maximumBytes ? ", …] (\(bytes.count) bytes)" : "]"
        return "[" + numbers.joined(separator: ", ") + rest
    }

    /// The bytes as UTF-8 text in quotes; `nil` when they are not valid UTF-8.
    private static func quoted(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes.prefix(maximumBytes), as: UTF8.self) else { return nil }
        return "\"" + text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined() + "\""
    }
}

// Exported because source positions and message texts are part of the model.
@_exported public import SourceText
