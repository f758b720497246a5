/// What the panic handler of a RISC-V chip printed of it: the registers, and words of the stack.
public struct CrashDump: Hashable, Sendable {
    /// The names of the registers x1 to x31, as ESP-IDF prints them.
    static let registerNames: [Substring] = [
        "RA", "SP", "GP", "TP", "T0", "T1", "T2", "S0/FP", "S1", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "S2",
        "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "T3", "T4", "T5", "T6",
    ]

    /// Where the program was: MEPC.
    public var programCounter: UInt32?
    /// The registers x0 to x31; `nil` for those that were not printed.
    public var registers: [UInt32?] = [0] + Array(repeating: nil, count: 31)
    /// The printed words of memory, by their addresses.
    public var memory: [UInt32: UInt32] = [:]

    /// The register x2.
    public var stackPointer: UInt32? { registers[2] }

    /// Nothing that is known.
    public init() {}

    /// Takes the value of a register by the name that it has in the dump; others than these are ignored.
    mutating func set(_ name: Substring, to value: UInt32) {
        if name == "MEPC" {
            programCounter = value
        } else if let index = Self.registerNames.firstIndex(of: name) {
            registers[index + 1] = value
        }
    }
}
