/// An error of a ``BLEPeripheral``.
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
        /// The peripheral was stopped.
        case stopped
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, and what was found; one line.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
