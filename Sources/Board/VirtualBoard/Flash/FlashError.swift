/// An error of a board's flash.
public struct FlashError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// Another process uses the file.
        case busy
        /// The file is not of the flash's size.
        case wrongSize
        /// An operation reaches beyond the flash.
        case outOfRange
        /// The operating system refused.
        case system
    }

    /// The kind of fault.
    public var code: Code
    /// The file, or "flash" without one.
    public var name: String
    /// What was expected and what was found, one line.
    public var detail: String

    /// An error of the flash in `name`.
    public init(_ code: Code, _ name: String, _ detail: String) {
        self.code = code
        self.name = name
        self.detail = detail
    }

    /// One line: the file and the detail.
    public var description: String { "\(name): \(detail)" }
}
