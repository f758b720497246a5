/// A regular expression that is searched in many lines.
///
/// Most lines are refused by a cheap search for text that every match has in it; only the others are searched with the
/// expression.
public struct LinePattern {
    /// The expression as it was given.
    public let text: String
    private let regex: Regex<AnyRegexOutput>
    /// Texts of which every match contains one; empty if none are known.
    private let literals: [[UInt8]]
    private let isLiteral: Bool

    /// Compiles `text`, in the syntax of Swift's `Regex`.
    ///
    /// - Throws: the compiler's error.
    public init(_ text: String) throws {
        self.text = text
        regex = try Regex(text)
        literals = PatternLiterals.texts(of: text).map { Array($0.utf8) }
        isLiteral = literals == [Array(text.utf8)]
    }

    /// Whether the expression matches a part of `line`.
    public func matches(_ line: String) -> Bool {
        mayMatch(line) && (isLiteral || line.firstMatch(of: regex) != nil)
    }

    /// Whether `line` has the texts that every match has; cheap.
    public func mayMatch(_ line: String) -> Bool {
        literals.isEmpty || literals.contains { Self.contains($0, in: line) }
    }

    private static func contains(_ part: [UInt8], in line: String) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            guard let first = part.first, bytes.count >= part.count else { return false }
            for start in 0...(bytes.count - part.count) where bytes[start] == first {
                if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
            }
            return false
        }
    }
}
