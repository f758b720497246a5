import Console

/// Finds the calls that led to a crash of a RISC-V chip, from the registers and the memory that it printed, by programs' call
/// frame information.
struct StackUnwinder {
    /// How many functions are looked for: as many as 1 KiB of stack, which ESP-IDF prints, has frames of 16 bytes.
    private static let maximumFrames = 64

    private let programs: [ELFProgram]
    private var frame: CalledFrame
    private var addresses: [CodeAddress]
    /// The end of the frame of the function that the last one has called.
    private var frameAddress: UInt32
    /// Whether the last function has made a call that overwrites RA: not where it was interrupted, nor when it called one
    /// of libgcc's functions that save registers (`-msave-restore`), which return to T0.
    private var hasCalled = false

    /// The calls; `nil` when the dump has no program counter or stack pointer.
    static func unwind(_ dump: CrashDump, _ programs: [ELFProgram]) -> UnwoundStack? {
        guard let counter = dump.programCounter, let pointer = dump.stackPointer else { return nil }
        var unwinder = StackUnwinder(
            programs: programs, frame: CalledFrame(registers: dump.registers, memory: dump.memory),
            addresses: [CodeAddress(UInt64(counter))], frameAddress: pointer)
        let end = unwinder.run()
        // Below a word that was not printed is the last function's own frame.
        let start = if case .notDumped(let address) = end { address } else { unwinder.frame.registers[2] }
        return UnwoundStack(addresses: unwinder.addresses, end: end, callersStart: start)
    }

    private mutating func run() -> UnwoundStack.End {
        while addresses.count < Self.maximumFrames {
            if let end = step() { return end }
        }
        return .tooMany
    }

    /// Finds the caller of the last function; returns why there is none.
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

    /// The program went to an address that is not code, as by a wrong function pointer, or is in the chip's ROM, most of
    /// whose functions keep RA: it was called from there.
    private mutating func leaveOutside(_ address: UInt32) -> UnwoundStack.End? {
        guard let target = frame.registers[1], programs.contains(where: { $0.isReturnAddress(UInt64(target)) }) else {
            return .noInformation(address)
        }
        addresses.append(CodeAddress(UInt64(target), isReturn: true))
        hasCalled = true
        return nil
    }
}
