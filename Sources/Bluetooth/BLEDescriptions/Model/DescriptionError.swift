import SourceText

/// Why a described value could not be found, decoded or encoded.
public struct DescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Hashable, Sendable {
        /// The description has no such service, characteristic or value.
        case unknownName
        /// The bytes are fewer or more than described.
        case wrongLength
        /// Bytes that the field's type does not allow, e.g. a text that is cut in half.
        case invalidValue
        /// A formula has no result, e.g. because it divides by zero.
        case noResult
        /// Decoding needs something that was not read yet, e.g. a calibration.
        case missingContext
        /// A value that cannot be encoded: of another kind, or out of range.
        case notEncodable
        /// The peripheral lacks a described service or characteristic, or the description a register.
        case notThere
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, and what came; one line.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(unknown kind: String, _ name: String, in place: String, among known: [String]) {
        let list = known.isEmpty ? "none" : known.list
        self.init(
            .unknownName,
            "\(place): no \(kind) '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: \(list)"
        )
    }
}
