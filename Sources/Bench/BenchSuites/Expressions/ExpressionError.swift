/// Why an expression could not be compiled or evaluated.
public struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, what was expected, what came; one line.
    public let message: String
    /// Where in the expression's text, in bytes from its start.
    public let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }

    /// The message.
    public var description: String { message }
}
