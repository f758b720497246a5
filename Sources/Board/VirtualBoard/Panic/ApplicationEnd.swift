internal import CFirmwareChannel

/// How an application ended, as ESP-IDF reports it on the console.
public enum ApplicationEnd: Hashable, Sendable {
    /// `esp_restart`.
    case restart
    /// Deep sleep, until a wake-up source ends it.
    case deepSleep
    /// The supply's voltage was too low, which ESP-IDF's brownout detector answers with a reset.
    case brownout
    /// An unhandled exception of the CPU.
    case exception(PanicCause, PanicContext)
    /// `abort()`, also after an uncaught C++ exception, whose `reason` has the details that the console does not show.
    case abort(reason: String, PanicContext)
    /// `assert()` failed; the text names the assertion.
    case assertion(String, PanicContext)
    /// A task needed more stack than it has.
    case stackOverflow(PanicContext)
    /// Tasks did not reset the task watchdog in time.
    case taskWatchdog(TaskWatchdogReport, PanicContext)
    /// Interrupts were off for too long.
    case interruptWatchdog(PanicContext)
    /// Another panic, with the text that is printed before its backtrace.
    case panic(String, PanicContext)
    /// A sanitizer of the build has found a fault; its report.
    case sanitizer(String, PanicContext)
    /// The firmware does not continue, and no watchdog of the chip detects it; the bench's finding.
    case hang(String, PanicContext)

    /// The reset reason of the following boot; `nil`: no boot follows.
    public var resetReason: ResetReason? {
        switch self {
        // This includes the watchdogs' panics: the panic handler restarts the CPU (`panic_restart`,
        // `esp_restart_noos`).
        case .restart, .exception, .abort, .assertion, .stackOverflow, .taskWatchdog, .interruptWatchdog, .panic,
            .sanitizer:
            .softwareCPU
        // `esp_rom_software_reset_system`
        case .brownout: .software
        case .deepSleep: .deepSleep
        case .hang: nil
        }
    }

    /// The location of the fault; `nil` for an end without a fault.
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

    /// The cause, on one line.
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

    /// The first lines of the text that are not empty, joined to one line.
    private func firstLines(_ count: Int) -> String {
        let lines = text.split(whereSeparator: \.isNewline).prefix(count)
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: " ")
    }
}

/// The text that the task watchdog prints beside the backtrace.
public struct TaskWatchdogReport: Hashable, Sendable {
    /// The tasks that did not reset the watchdog, with their cores: `IDLE0 (CPU 0)`.
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

extension PanicContext {
    /// The first address of the ESP32's range of instructions in flash.
    private static let firstCodeAddress: UInt64 = 0x400D_0000

    /// A code address as the board shows it: a 32-bit program is linked to the chip's addresses; another program's
    /// addresses are relative to its load address.
    static func shown(_ address: UInt64) -> UInt64 {
        address < firstCodeAddress ? firstCodeAddress + address : address
    }
}

extension ApplicationEnd {
    /// The stack pointer shown for a frame whose real one is not in the chip's data memory: a process at this machine's
    /// addresses, which differ from run to run.
    private static let someStackPointer: UInt32 = 0x3FFB_0000
    private static let dataMemory: Range<UInt32> = 0x3FFA_E000..<0x4000_0000
    /// The cycles of one millisecond at 240 MHz: the timestamps of the watchdog's log lines come from the CPU's 32-bit
    /// cycle counter, so that they start again after 17.9 s (`esp_log_early_timestamp`).
    private static let cyclesPerMillisecond: Int64 = 240_000

    /// The chip's panic for a fault of the firmware process; for a hang, the bench's finding.
    ///
    /// - Parameter time: the time since the program began.
    init(_ fault: FirmwareFault, elfHash: [UInt8], afterStart time: Duration) {
        let frames = fault.frames.map { frame in
            PanicContext.Frame(
                pc: UInt32(truncatingIfNeeded: PanicContext.shown(frame.address)),
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
                "the firmware has written invalid data into the memory that it shares with the board: \(fault.message)",
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

    /// A signal that the host core did not catch: the sketch has replaced the handler, or the signal arrived before the
    /// host core started.
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
    /// The chip's exception that corresponds best to a signal of the host; for an unknown access, the exception of a
    /// store.
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

/// Reports of AddressSanitizer and UndefinedBehaviorSanitizer.
enum SanitizerReport {
    /// The line of `report` with the finding: `ERROR: AddressSanitizer: heap-buffer-overflow on address …`,
    /// `Lamp.ino:12:7: runtime error: …`.
    static func firstLine(of report: String) -> String {
        let line = report.split(whereSeparator: \.isNewline).first { $0.contains { $0 != "=" && $0 != " " } } ?? ""
        return String(withoutProcess(line))
    }

    /// `report` without the numbers of the process, which differ from run to run.
    static func withoutProcesses(_ report: String) -> String {
        report.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { withoutProcess($0) }
            .joined(separator: "\n")
    }

    /// `line` without `==4711==` at its beginning.
    private static func withoutProcess(_ line: Substring) -> Substring {
        guard line.hasPrefix("=="), let end = line.dropFirst(2).firstIndex(of: "="), line[end...].hasPrefix("=="),
            end > line.index(line.startIndex, offsetBy: 2), line[..<end].dropFirst(2).allSatisfy(\.isNumber)
        else { return line }
        return line[end...].dropFirst(2)
    }
}
