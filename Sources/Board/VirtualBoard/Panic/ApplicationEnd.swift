/// How an application ended, as ESP-IDF reports it on the console.
public enum ApplicationEnd: Hashable, Sendable {
    /// `esp_restart`.
    case restart
    /// Deep sleep, until what it waits for comes.
    case deepSleep
    /// The supply's voltage was too low, which ESP-IDF's brownout detector answers with a reset.
    case brownout
    /// An unhandled exception of the CPU.
    case exception(PanicCause, PanicContext)
    /// `abort()`, also after an uncaught C++ exception, of which `reason` tells what the console does not.
    case abort(reason: String, PanicContext)
    /// `assert()` failed, with the text that names it.
    case assertion(String, PanicContext)
    /// A task needed more stack than it has.
    case stackOverflow(PanicContext)
    /// Tasks did not reset the task watchdog in time.
    case taskWatchdog(TaskWatchdogReport, PanicContext)
    /// Interrupts were off for too long.
    case interruptWatchdog(PanicContext)
    /// Another panic, with all that is printed before its backtrace.
    case panic(String, PanicContext)
    /// A sanitizer of the build has found a fault; its report.
    case sanitizer(String, PanicContext)
    /// The firmware does not continue, and no watchdog of the chip sees it; what was found.
    case hang(String, PanicContext)

    /// The reset reason of the following boot; `nil`: there is none.
    public var resetReason: ResetReason? {
        switch self {
        // Also of the watchdogs' panics: the panic handler restarts the CPU (`panic_restart`, `esp_restart_noos`).
        case .restart, .exception, .abort, .assertion, .stackOverflow, .taskWatchdog, .interruptWatchdog, .panic,
            .sanitizer:
            .softwareCPU
        // `esp_rom_software_reset_system`
        case .brownout: .software
        case .deepSleep: .deepSleep
        case .hang: nil
        }
    }

    /// Where it happened; `nil` for an end that is no fault.
    public var context: PanicContext? {
        switch self {
        case .restart, .deepSleep, .brownout: nil
        case .exception(_, let context), .abort(_, let context), .assertion(_, let context),
            .stackOverflow(let context), .taskWatchdog(_, let context), .interruptWatchdog(let context),
            .panic(_, let context), .sanitizer(_, let context), .hang(_, let context):
            context
        }
    }

    /// The console output before the reset; empty for a restart.
    public var text: String {
        switch self {
        case .restart, .deepSleep: ""
        case .brownout: PanicText.brownout
        case .exception(let cause, let context): PanicText.exception(cause, context)
        case .abort(_, let context): PanicText.abort(context)
        case .assertion(let text, let context): PanicText.aborted(text, context)
        case .stackOverflow(let context): PanicText.stackOverflow(context)
        case .taskWatchdog(let report, let context): PanicText.taskWatchdog(report, context)
        case .interruptWatchdog(let context): PanicText.interruptWatchdog(context)
        case .panic(let text, let context): PanicText.panic(text, context)
        case .sanitizer(let text, let context):
            PanicText.panic(SanitizerReport.withoutProcesses(text), context)
        case .hang(let text, let context): PanicText.hang(text, context)
        }
    }

    /// What happened, on one line.
    public var summary: String {
        switch self {
        case .restart: "restart"
        case .deepSleep: "deep sleep"
        case .hang(let text, _): text
        case .sanitizer(let report, _): SanitizerReport.firstLine(of: report)
        case .stackOverflow: firstLines(2)
        case .taskWatchdog(let report, _): "\(firstLines(1)) \(report.late.joined(separator: ", "))"
        case .abort(let reason, _) where !reason.isEmpty: "\(firstLines(1)): \(reason)"
        case .brownout, .exception, .abort, .assertion, .interruptWatchdog, .panic: firstLines(1)
        }
    }

    /// The first lines of the text that are not empty, as one.
    private func firstLines(_ count: Int) -> String {
        let lines = text.split(whereSeparator: \.isNewline).prefix(count)
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: " ")
    }
}

/// What the task watchdog prints beside the backtrace.
public struct TaskWatchdogReport: Hashable, Sendable {
    /// The tasks that did not reset it, with their cores: `IDLE0 (CPU 0)`.
    public var late: [String]
    /// The tasks that ran on core 0 and core 1.
    public var running: [String]
    /// The timestamp of its log lines.
    public var milliseconds: Int64

    /// All fields.
    public init(late: [String], running: [String], milliseconds: Int64) {
        self.late = late
        self.running = running
        self.milliseconds = milliseconds
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
