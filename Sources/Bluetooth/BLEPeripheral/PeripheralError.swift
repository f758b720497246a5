/// An error of a ``BLEPeripheral`` or a ``PeripheralBackend``.
public struct PeripheralError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// A definition with more attributes than there are handles, a value or advertising data longer than allowed,
        /// or an MTU that there is not.
        case invalidDefinition
        /// The peripheral has no attribute of this UUID.
        case noSuchAttribute
        /// A value longer than the attribute's maximum.
        case valueTooLong
        /// The peripheral was stopped, or is not published.
        case stopped
        /// The stack cannot do this.
        case unsupported
        /// The stack refused, for what others do with it.
        case refused
        /// The controller is gone.
        case unavailable
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, and what was found; one line.
    public var description: String

    /// An error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
