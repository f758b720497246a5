/// The calls that led to a crash, found by a program's call frame information.
public struct UnwoundStack: Hashable, Sendable {
    /// Why there are no more frames.
    public enum End: Hashable, Sendable {
        /// The outermost function: no function called it.
        case outermost
        /// The return address is 0: that of a task's first function is, and one that was overwritten may be.
        case returnsToZero
        /// The program has no call frame information for this address.
        case noInformation(UInt32)
        /// The call frame information of this address cannot be used: why.
        case unusable(UInt32, String)
        /// The program has no code at this address, to which a function returns.
        case outsideProgram(UInt32)
        /// There is no call before this address, to which a function returns.
        case noCall(UInt32)
        /// The memory at this address was not printed, which holds a saved register.
        case notDumped(UInt32)
        /// A register that is needed was not printed: its number.
        case noRegister(Int)
        /// The function at this address has not saved its return address, and called one that does not return.
        case notSaved(UInt32)
        /// A function's frame does not end above the one that it called, but at this address.
        case notGrowing(UInt32)
        /// There are more frames than are looked for.
        case tooMany
    }

    /// The addresses in the functions, innermost first; those of inlined functions are not listed apart.
    public var addresses: [CodeAddress]
    /// Why there are no more.
    public var end: End
    /// From which address on the stack may have return addresses of further callers, where it is known.
    public var callersStart: UInt32?

    /// A result.
    public init(addresses: [CodeAddress], end: End, callersStart: UInt32?) {
        self.addresses = addresses
        self.end = end
        self.callersStart = callersStart
    }

    /// Why the backtrace is incomplete; `nil` when it is complete.
    var reason: String? {
        func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16) }
        switch end {
        case .outermost: return nil
        case .returnsToZero: return "the return address is 0, as that of a task's first function"
        case .noInformation(let address): return "the program has no call frame information for \(hex(address))"
        case .unusable(let address, let why): return "call frame information for \(hex(address)) cannot be used: \(why)"
        case .outsideProgram(let address): return "the return address \(hex(address)) is not in the program"
        case .noCall(let address):
            return "there is no call before the return address \(hex(address)): the stack may be overwritten"
        case .notDumped(let address): return "the stack at \(hex(address)) was not printed"
        case .noRegister(let number): return "register x\(number) was not printed"
        case .notSaved(let address):
            return
                "the function at \(hex(address)) has not saved where it returns to, as the one it called does not return"
        case .notGrowing(let address):
            return "the next frame would end at \(hex(address)), not above this one: the stack may be overwritten"
        case .tooMany: return "more than \(addresses.count) frames"
        }
    }

    /// Whether words of the stack may be return addresses of further callers.
    var mayHaveCallers: Bool {
        switch end {
        case .outermost, .tooMany: false
        case .returnsToZero, .noInformation, .unusable, .outsideProgram, .noCall, .notDumped, .noRegister, .notSaved,
            .notGrowing:
            true
        }
    }
}
