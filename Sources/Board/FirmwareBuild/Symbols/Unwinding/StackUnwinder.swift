import ByteCodec
import Console

/// Finds the calls that led to a crash of a RISC-V chip, from the registers and the memory that it printed, by programs' call
/// frame information.
struct StackUnwinder {
    /// The largest number of functions: ESP-IDF prints 1 KiB of stack, which has that many frames of 16 bytes.
    private static let maximumFrames = 64

    private let programs: [ELFProgram]
    private var frame: CalledFrame
    private var addresses: [CodeAddress]
    /// The end of the frame of the function that the last found function has called.
    private var frameAddress: UInt32
    /// True if the last function has made a call that overwrites RA. An interrupt does not, nor does a call of one of
    /// libgcc's functions that save registers (`-msave-restore`), which return to T0.
    private var hasCalled = false

    /// The calls; `nil` when the dump has no program counter or stack pointer.
    static func unwind(_ dump: CrashDump, _ programs: [ELFProgram]) -> UnwoundStack? {
        guard let counter = dump.programCounter, let pointer = dump.stackPointer else { return nil }
        var unwinder = StackUnwinder(
            programs: programs, frame: CalledFrame(registers: dump.registers, memory: dump.memory),
            addresses: [CodeAddress(UInt64(counter))], frameAddress: pointer)
        let end = unwinder.run()
        // The frame of the last function lies below a word that was not printed.
        let start = if case .notDumped(let address) = end { address } else { unwinder.frame.registers[2] }
        return UnwoundStack(addresses: unwinder.addresses, end: end, callersStart: start)
    }

    private mutating func run() -> UnwoundStack.End {
        while addresses.count < Self.maximumFrames {
            if let end = step() { return end }
        }
        return .tooMany
    }

    /// Finds the caller of the last function; returns the reason if it has none.
    private mutating func step() -> UnwoundStack.End? {
        guard let last = addresses.last else { return .outermost }
        let address = UInt32(truncatingIfNeeded: last.value)
        // A call that does not return may be the last instruction of its function.
        let instruction = last.isReturn ? address &- 1 : address
        guard let program = programs.first(where: { $0.isCode(UInt64(instruction)) }) else {
            return addresses.count == 1 ? leaveOutside(address) : .outsideProgram(address)
        }
        do {
            guard let info = try program.callFrame(at: instruction) else { return .noInformation(address) }
            if hasCalled, info.returnColumn == 1, !info.rules.savesReturnAddress { return .notSaved(address) }
            let caller = try frame.caller(info.rules, returnColumn: info.returnColumn)
            // Only a function that has not called another may have nothing on the stack.
            let grows = hasCalled ? caller.frameAddress > frameAddress : caller.frameAddress >= frameAddress
            guard let target = caller.returnAddress else { return .outermost }
            guard target != 0 else { return .returnsToZero }
            guard grows else { return .notGrowing(caller.frameAddress) }
            guard programs.contains(where: { $0.isCode(UInt64(target)) }) else { return .outsideProgram(target) }
            hasCalled = info.returnColumn == 1 && !info.isInterrupt
            guard !hasCalled || programs.contains(where: { $0.isReturnAddress(UInt64(target)) }) else {
                return .noCall(target)
            }
            (frame, frameAddress) = (caller.frame, caller.frameAddress)
            addresses.append(CodeAddress(UInt64(target), isReturn: !info.isInterrupt))
            return nil
        } catch let fault as UnwindFault {
            switch fault {
            case .unusable(let why): return .unusable(address, why)
            case .notDumped(let place): return .notDumped(place)
            case .noRegister(let number): return .noRegister(number)
            }
        } catch {
            return .unusable(address, "\(error)")
        }
    }

    /// Leaves an address that is not code, e.g. from a wrong function pointer, or that is in the chip's ROM, most of
    /// whose functions keep RA: RA has the address of the call.
    private mutating func leaveOutside(_ address: UInt32) -> UnwoundStack.End? {
        guard let target = frame.registers[1], programs.contains(where: { $0.isReturnAddress(UInt64(target)) }) else {
            return .noInformation(address)
        }
        addresses.append(CodeAddress(UInt64(target), isReturn: true))
        hasCalled = true
        return nil
    }
}

/// The reason why the caller of a function is not found.
enum UnwindFault: Error {
    case unusable(String)
    case notDumped(UInt32)
    case noRegister(Int)
}

/// A function that has not returned: its registers, and the memory as it was printed.
struct CalledFrame {
    var registers: [UInt32?]
    let memory: [UInt32: UInt32]

    /// The result of ``caller(_:returnColumn:)``.
    struct Caller {
        var frame: CalledFrame
        /// The stack pointer before the call.
        var frameAddress: UInt32
        /// The return address; `nil` if the function does not return.
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
        // Without a rule, the caller's stack pointer is the frame address.
        frame.registers[2] = frameAddress
        for (number, rule) in rules.registers where frame.registers.indices.contains(number) && number > 0 {
            // Registers may be unknown as long as no rule needs them.
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

/// Computes DWARF expressions of call frame information: arithmetic with registers and memory, without branches.
///
/// Source: DWARF 5, 2.5.1 and 7.7.1.
struct FrameExpression {
    /// The largest number of values on the stack.
    private static let maximumDepth = 64

    private var stack: [UInt32]
    private let frame: CalledFrame

    /// The value of an expression that begins with `initial` on its stack.
    static func value(
        _ bytes: ArraySlice<UInt8>, initial: UInt32?, _ frame: CalledFrame
    ) throws(UnwindFault) -> UInt32 {
        var expression = FrameExpression(stack: initial.map { [$0] } ?? [], frame: frame)
        var reader = ByteReader(bytes, subject: "DWARF expression")
        do {
            while reader.remaining > 0 { try expression.perform(&reader) }
            return try expression.pop(reader)
        } catch let fault as UnwindFault {
            throw fault
        } catch {
            throw .unusable("\(error)")
        }
    }

    private mutating func perform(_ reader: inout ByteReader) throws {
        let code = try reader.uint8()
        switch code {
        case 0x03: stack.append(try reader.uint32())  // addr
        case 0x06: stack.append(try frame.word(at: try pop(reader)))  // deref
        case 0x08: stack.append(UInt32(try reader.uint8()))
        case 0x09: stack.append(UInt32(bitPattern: Int32(try reader.int8())))
        case 0x0A: stack.append(UInt32(try reader.uint16()))
        case 0x0B: stack.append(UInt32(bitPattern: Int32(Int16(bitPattern: try reader.uint16()))))
        case 0x0C, 0x0D: stack.append(try reader.uint32())
        case 0x10: stack.append(UInt32(truncatingIfNeeded: try reader.uleb128()))
        case 0x11: stack.append(UInt32(truncatingIfNeeded: try reader.sleb128()))
        case 0x12:  // dup
            let value = try pop(reader)
            stack += [value, value]
        case 0x13: _ = try pop(reader)  // drop
        case 0x1A, 0x1C, 0x1E, 0x21, 0x22, 0x24, 0x25, 0x27: try combine(code, reader)
        case 0x23: stack.append(try pop(reader) &+ UInt32(truncatingIfNeeded: try reader.uleb128()))  // plus_uconst
        case 0x30...0x4F: stack.append(UInt32(code - 0x30))  // lit
        case 0x70...0x8F:  // breg
            let offset = UInt32(truncatingIfNeeded: try reader.sleb128())
            stack.append(try frame.register(Int(code - 0x70)) &+ offset)
        case 0x96: break  // nop
        default:
            throw reader.invalid("operation", UInt64(code), allowed: "arithmetic with registers and memory")
        }
        guard stack.count <= Self.maximumDepth else {
            throw reader.invalid("values", UInt64(stack.count), allowed: "at most \(Self.maximumDepth)")
        }
    }

    private mutating func combine(_ code: UInt8, _ reader: ByteReader) throws(CodecError) {
        let (right, left) = (try pop(reader), try pop(reader))
        switch code {
        case 0x1A: stack.append(left & right)
        case 0x1C: stack.append(left &- right)
        case 0x1E: stack.append(left &* right)
        case 0x21: stack.append(left | right)
        case 0x22: stack.append(left &+ right)
        case 0x24: stack.append(left << right)
        case 0x25: stack.append(left >> right)
        default: stack.append(left ^ right)
        }
    }

    private mutating func pop(_ reader: ByteReader) throws(CodecError) -> UInt32 {
        guard let value = stack.popLast() else {
            throw reader.invalid("values", 0, allowed: "1 or more for the operation")
        }
        return value
    }
}
