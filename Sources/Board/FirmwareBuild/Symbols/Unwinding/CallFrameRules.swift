import ByteCodec

/// What call frame information tells of an instruction's function.
struct CallFrame: Sendable {
    /// How the caller's registers are found.
    let rules: CallFrameRules
    /// The register that holds the return address.
    let returnColumn: Int
    /// Whether an interrupt called it, so that it returns to the address itself.
    let isInterrupt: Bool

    /// For the instruction at `address`, which is in `entry`.
    init(
        at address: UInt32, in entry: CallFrameSection.Entry, of section: CallFrameSection
    ) throws(CodecError) {
        rules = try CallFrameProgram.rules(at: address, in: entry, of: section)
        let common = section.commons[entry.common]
        (returnColumn, isInterrupt) = (common.returnColumn, common.isInterrupt)
    }
}

/// Where a function's caller finds its registers: a row of the table that call frame information describes.
///
/// Source: DWARF 5, 6.4.1.
struct CallFrameRules: Sendable {
    /// How the canonical frame address is computed: the value of the stack pointer before the call.
    enum FrameAddress: Sendable {
        case register(Int, offset: Int64)
        case expression(ArraySlice<UInt8>)
    }

    /// How a register of the caller is found.
    enum Rule: Sendable {
        /// It is lost.
        case undefined
        /// It is unchanged.
        case sameValue
        /// It is in memory, at this distance from the frame address.
        case offset(Int64)
        /// It is the frame address with this added.
        case valueOffset(Int64)
        /// It is in another register.
        case register(Int)
        /// It is in memory, at the address that the expression computes.
        case expression(ArraySlice<UInt8>)
        /// The expression computes it.
        case valueExpression(ArraySlice<UInt8>)
    }

    /// The frame address; `nil` before it was defined.
    var frameAddress: FrameAddress?
    /// The registers that have a rule, by their numbers.
    var registers: [Int: Rule] = [:]

    /// Whether the return address is elsewhere than in RA.
    var savesReturnAddress: Bool {
        if case .sameValue = registers[1] ?? .sameValue { false } else { true }
    }
}
