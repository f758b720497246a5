/// Finds the places in the source that addresses of a program belong to.
public protocol AddressResolver: Sendable {
    /// The frames of each address, in order: those of functions that the compiler inlined there first. An address that
    /// is none of the program has no frames.
    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]]
}

/// An address of a program's code in a console line.
public struct CodeAddress: Hashable, Sendable {
    /// The address as it was printed.
    public var value: UInt64
    /// Whether it is where a call returns to: the call itself stands before it.
    public var isReturn: Bool

    /// An address.
    public init(_ value: UInt64, isReturn: Bool = false) {
        self.value = value
        self.isReturn = isReturn
    }
}
