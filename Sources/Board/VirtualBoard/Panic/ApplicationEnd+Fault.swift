import CFirmwareChannel

extension ApplicationEnd {
    /// The first address of the ESP32's range of instructions in flash.
    private static let firstCodeAddress: UInt64 = 0x400D_0000
    /// Where a frame is shown whose stack pointer is not in the chip's memory for data: of a process at addresses of
    /// this machine, which differ from run to run.
    private static let someStackPointer: UInt32 = 0x3FFB_0000
    private static let dataMemory: Range<UInt32> = 0x3FFA_E000..<0x4000_0000
    /// The cycles of one millisecond at 240 MHz: the watchdog's log lines show those of the CPU's counter of 32 bits,
    /// so that their timestamps start again after 17.9 s (`esp_log_early_timestamp`).
    private static let cyclesPerMillisecond: Int64 = 240_000

    /// The chip's panic for a fault of the firmware process; for a hang what the bench found.
    ///
    /// - Parameter time: the time since the program began.
    init(_ fault: FirmwareFault, elfHash: [UInt8], afterStart time: Duration) {
        // A 32-bit program is linked to the chip's addresses; those of another one are relative to its load address.
        let frames = fault.frames.map { frame in
            let address = frame.address < Self.firstCodeAddress ? Self.firstCodeAddress + frame.address : frame.address
            return PanicContext.Frame(
                pc: UInt32(truncatingIfNeeded: address),
                sp: Self.dataMemory.contains(frame.stackPointer) ? frame.stackPointer : Self.someStackPointer)
        }
        let context = PanicContext(
            core: fault.core, task: fault.task, isInInterrupt: fault.isInInterrupt, backtrace: frames,
            faultAddress: UInt32(truncatingIfNeeded: fault.faultAddress), elfHash: elfHash)
        switch fault.kind {
        case .signal(let signal, let access): self = .exception(PanicCause(signal: signal, access), context)
        case .killed(let signal): self = Self.killed(by: signal, context)
        case .exited(let status):
            self = .hang("the firmware's process ended itself with status \(status)", context)
        case .channel:
            self = .hang(
                "the firmware has written nonsense into the memory that it shares with the board: \(fault.message)",
                context)
        case .stackOverflow: self = .stackOverflow(context)
        case .abort: self = .abort(reason: fault.message, context)
        case .assertion: self = .assertion(fault.message, context)
        case .taskWatchdog:
            let nanoseconds = Int64(time / .nanoseconds(1))
            let cycles = nanoseconds / 1000 * (Self.cyclesPerMillisecond / 1000)
            let report = TaskWatchdogReport(
                late: fault.message.split(separator: "\n").map(String.init), running: fault.running,
                milliseconds: Int64(UInt32(truncatingIfNeeded: cycles)) / Self.cyclesPerMillisecond)
            self = .taskWatchdog(report, context)
        case .interruptWatchdog: self = .interruptWatchdog(context)
        case .panic: self = .panic(fault.message, context)
        case .sanitizer: self = .sanitizer(fault.message, context)
        case .hung:
            self = .hang(
                "the firmware used \(CFC_HANG_CPU_SECONDS) s of processor time without an end, in code that no watchdog "
                    + "of the chip sees", context)
        case .standing:
            self = .hang("the firmware takes its turns again and again at one instant and lets no time pass", context)
        case .systemCall:
            self = .hang(
                "the firmware called \(fault.message) of this machine, which its sandbox does not permit and the chip does "
                    + "not have", context)
        case .blocked:
            self = .hang("the firmware waits outside the board's time, e.g. in a system call of this machine", context)
        }
    }

    /// A signal that the host core has not caught: the sketch has changed that, or it came before the host core began.
    private static func killed(by signal: Int32, _ context: PanicContext) -> ApplicationEnd {
        switch signal {
        case 4, 7, 8, 11: .exception(PanicCause(signal: signal, .unknown), context)
        case 6: .abort(reason: "", context)
        case 31:
            .hang(
                "the sandbox ended the firmware's process for a system call of this machine; which one is not known, since "
                    + "SIGSYS was not caught", context)
        default: .hang("signal \(signal) of this machine ended the firmware's process", context)
        }
    }
}

extension PanicCause {
    /// The chip's exception that corresponds best to a signal of the host; for an unknown access that of a store.
    fileprivate init(signal: Int32, _ access: FirmwareFault.Access) {
        switch signal {
        case 4: self = .illegalInstruction
        case 7: self = .loadStoreAlignment
        case 8: self = .integerDivideByZero
        default:
            switch access {
            case .load: self = .loadProhibited
            case .fetch: self = .instructionFetchProhibited
            case .store, .unknown: self = .storeProhibited
            }
        }
    }
}
