/// Why an expression could not be compiled or evaluated.
public struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, what was expected, what came; one line.
    public let message: String
    /// Where in the expression's text, in bytes from its start.
    public let offset: Int

    /// The name that stands for no parameter, when that is the fault.
    let unknownName: String?

    init(_ message: String, at offset: Int, unknownName: String? = nil) {
        self.message = message
        self.offset = offset
        self.unknownName = unknownName
    }

    /// The message.
    public var description: String { message }
}
