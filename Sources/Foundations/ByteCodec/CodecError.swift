/// Why bytes could not be decoded: what was being read, what was expected, what was found, and where.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Code: Hashable, Sendable {
        /// Fewer bytes than the field needs.
        case truncated(expected: Int, got: Int)
        /// Bytes left after the last field.
        case trailing(count: Int)
        /// A field holds a value its specification does not allow.
        case invalidValue(field: String, value: UInt64, allowed: String)
    }

    /// The unit being decoded, as the specification names it, e.g. "ATT Read Response".
    public var subject: String
    /// The fault.
    public var code: Code
    /// The offset of the fault in the unit, in bytes.
    public var offset: Int

    /// An error in `subject` at `offset`.
    public init(_ subject: String, _ code: Code, offset: Int) {
        self.subject = subject
        self.code = code
        self.offset = offset
    }

    /// One line: subject, what was expected, what was found, and where.
    public var description: String { "\(subject): \(detail)" }

    /// What was expected, what was found, and where.
    public var detail: String {
        switch code {
        case .truncated(let expected, let got):
            "expected at least \(expected) more byte\(expected == 1 ? "" : "s"), got \(got) (at offset \(offset))"
        case .trailing(let count):
            "expected the end, got \(count) more byte\(count == 1 ? "" : "s") (at offset \(offset))"
        case .invalidValue(let field, let value, let allowed):
            "expected \(field) \(allowed), got \(value) (at offset \(offset))"
        }
    }
}
