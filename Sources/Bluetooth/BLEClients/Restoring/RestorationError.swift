import PrivateFile

/// Why what a central had could not be kept, or not be read.
public struct RestorationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The identifier is none.
        case invalidIdentifier
        /// A central with this identifier lives, in this process or another one.
        case inUse
        /// The file has another format, or is damaged. It is left as it is.
        case damaged
        /// The folder or the file could not be used.
        case storage
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what was found, and where; one line.
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    init(_ error: PrivateFileError) {
        self.init(.storage, error.description("what a central keeps"))
    }

    /// The detail.
    public var description: String { detail }
}
