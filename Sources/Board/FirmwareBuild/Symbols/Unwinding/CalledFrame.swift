import ByteCodec
import Console

/// Why the caller of a function is not found.
enum UnwindFault: Error {
    case unusable(String)
    case notDumped(UInt32)
    case noRegister(Int)
}

/// A function that is being performed: its registers, and the memory as it was printed.
struct CalledFrame {
    var registers: [UInt32?]
    let memory: [UInt32: UInt32]

    /// What ``caller(_:returnColumn:)`` finds.
    struct Caller {
        var frame: CalledFrame
        /// The stack pointer before the call.
        var frameAddress: UInt32
        /// Where the function returns to; `nil` if it does not.
        var returnAddress: UInt32?
    }

    /// A register's value.
    func register(_ number: Int) throws(UnwindFault) -> UInt32 {
        guard registers.indices.contains(number), let value = registers[number] else { throw .noRegister(number) }
        return value
    }

    /// A word of memory.
    func word(at address: UInt32) throws(UnwindFault) -> UInt32 {
        guard let value = memory[address] else { throw .notDumped(address) }
        return value
    }

    /// The function that called this one.
    func caller(_ rules: CallFrameRules, returnColumn: Int) throws(UnwindFault) -> Caller {
        let frameAddress: UInt32
        switch rules.frameAddress {
        case .register(let number, let offset):
            frameAddress = try register(number) &+ UInt32(truncatingIfNeeded: offset)
        case .expression(let bytes): frameAddress = try FrameExpression.value(bytes, initial: nil, self)
        case nil: throw .unusable("it defines no frame address")
        }
        var frame = self
        // Unless there is a rule, the caller's stack pointer is the frame address.
        frame.registers[2] = frameAddress
        for (number, rule) in rules.registers where frame.registers.indices.contains(number) && number > 0 {
            // Only those that are needed must be known.
            frame.registers[number] = try? value(of: number, rule, frameAddress)
        }
        guard registers.indices.contains(returnColumn) else { throw .noRegister(returnColumn) }
        let rule = rules.registers[returnColumn] ?? .sameValue
        if case .undefined = rule { return Caller(frame: frame, frameAddress: frameAddress, returnAddress: nil) }
        return Caller(
            frame: frame, frameAddress: frameAddress, returnAddress: try value(of: returnColumn, rule, frameAddress))
    }

    private func value(
        of number: Int, _ rule: CallFrameRules.Rule, _ frameAddress: UInt32
    ) throws(UnwindFault) -> UInt32 {
        switch rule {
        case .undefined: throw .noRegister(number)
        case .sameValue: try register(number)
        case .offset(let offset): try word(at: frameAddress &+ UInt32(truncatingIfNeeded: offset))
        case .valueOffset(let offset): frameAddress &+ UInt32(truncatingIfNeeded: offset)
        case .register(let other): try register(other)
        case .expression(let bytes):
            try word(at: try FrameExpression.value(bytes, initial: frameAddress, self))
        case .valueExpression(let bytes): try FrameExpression.value(bytes, initial: frameAddress, self)
        }
    }
}
