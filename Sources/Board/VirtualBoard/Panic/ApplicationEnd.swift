/// How an application ended, as ESP-IDF reports it on the console.
public enum ApplicationEnd: Hashable, Sendable {
    /// `esp_restart`.
    case restart
    /// An unhandled exception of the CPU.
    case exception(PanicCause, PanicContext)
    /// `abort()`, also after an uncaught C++ exception.
    case abort(PanicContext)
    /// `assert()` failed, with the text that names it.
    case assertion(String, PanicContext)
    /// A task needed more stack than it has.
    case stackOverflow(task: String, PanicContext)
    /// A task did not yield within the task watchdog's time-out; `time` is the log's timestamp.
    case taskWatchdog(task: String, milliseconds: Int64, PanicContext)
    /// Interrupts were off for too long.
    case interruptWatchdog(PanicContext)

    /// The reset reason of the following boot.
    public var resetReason: ResetReason {
        switch self {
        case .restart, .exception, .abort, .assertion, .stackOverflow, .taskWatchdog: .softwareCPU
        case .interruptWatchdog: .timerGroup1Watchdog
        }
    }

    /// The console output before the reset; empty for a restart.
    public var text: String {
        switch self {
        case .restart:
            return ""
        case .exception(let cause, let context):
            return PanicText.exception(cause.name, "Exception was unhandled.", cause.number, context)
        case .abort(let context):
            return PanicText.abort(context)
        case .assertion(let text, let context):
            return PanicText.ended(text, context)
        case .stackOverflow(let task, let context):
            return PanicText.ended("***ERROR*** A stack overflow in task \(task) has been detected.", context)
        case .taskWatchdog(let task, let milliseconds, let context):
            return PanicText.taskWatchdog(task, milliseconds, context)
        case .interruptWatchdog(let context):
            return PanicText.exception("Interrupt wdt timeout on CPU\(context.core)", "", 6, context)
        }
    }
}

/// Exceptions of an Xtensa CPU (EXCCAUSE, Xtensa ISA section 4.4.1.5), by ESP-IDF's names.
public struct PanicCause: Hashable, Sendable {
    /// EXCCAUSE.
    public let number: UInt32
    /// The name in the panic text.
    public let name: String

    private init(_ number: UInt32, _ name: String) {
        self.number = number
        self.name = name
    }

    /// An illegal instruction.
    public static let illegalInstruction = PanicCause(0, "IllegalInstruction")
    /// An integer was divided by zero.
    public static let integerDivideByZero = PanicCause(6, "IntegerDivideByZero")
    /// A load or store at an address that is not a multiple of its size.
    public static let loadStoreAlignment = PanicCause(9, "LoadStoreAlignment")
    /// An instruction fetch from memory that is not executable.
    public static let instructionFetchProhibited = PanicCause(20, "InstrFetchProhibited")
    /// A load from unreadable memory.
    public static let loadProhibited = PanicCause(28, "LoadProhibited")
    /// A store to memory that is not writable.
    public static let storeProhibited = PanicCause(29, "StoreProhibited")
}

/// The location of a panic.
public struct PanicContext: Hashable, Sendable {
    /// One frame of a backtrace.
    public struct Frame: Hashable, Sendable {
        /// The program counter.
        public var pc: UInt32
        /// The stack pointer.
        public var sp: UInt32

        /// A frame.
        public init(pc: UInt32, sp: UInt32) {
            self.pc = pc
            self.sp = sp
        }
    }

    /// The core; Arduino's tasks run on 1.
    public var core: Int
    /// The frames, innermost first.
    public var backtrace: [Frame]
    /// The address that was accessed.
    public var faultAddress: UInt32
    /// The SHA-256 digest of the ELF file, of which the panic text shows the beginning.
    public var elfHash: [UInt8]

    /// All fields.
    public init(core: Int = 1, backtrace: [Frame], faultAddress: UInt32 = 0, elfHash: [UInt8] = []) {
        self.core = core
        self.backtrace = backtrace
        self.faultAddress = faultAddress
        self.elfHash = elfHash
    }
}
