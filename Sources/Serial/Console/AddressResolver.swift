/// Finds the places in the source that addresses of a program belong to.
public protocol AddressResolver: Sendable {
    /// The frames of each address, in order: those of functions that the compiler inlined there first. An address that
    /// is none of the program has no frames.
    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]]

    /// Whether the program's file tells which addresses are code: then any code address of a line is looked up.
    var knowsCode: Bool { get }

    /// Whether the program has code at `address`; `false` where it does not know.
    func isCode(_ address: UInt64) -> Bool

    /// Whether a call may return to `address`: the instruction before it is a call. `false` where it does not know.
    func isReturnAddress(_ address: UInt64) -> Bool

    /// The calls that led to a crash, by the program's call frame information; `nil` when that is not tried.
    func unwind(_ dump: CrashDump) -> UnwoundStack?

    /// What is to be said when the crashed program, whose digest begins so, is not this one; `nil` if it is, or is not
    /// known to be another.
    func mismatch(digest: String) -> String?
}

extension AddressResolver {
    /// It does not.
    public var knowsCode: Bool { false }
    /// Not known.
    public func isCode(_ address: UInt64) -> Bool { false }
    /// Not known.
    public func isReturnAddress(_ address: UInt64) -> Bool { false }
    /// Not tried.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { nil }
    /// Not known.
    public func mismatch(digest: String) -> String? { nil }
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
