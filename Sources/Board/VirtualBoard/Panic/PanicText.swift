import ByteCodec
import ESPImage

/// The texts of ESP-IDF's panic handler (v5.5: `panic.c`, `panic_arch.c`, `debug_helpers.c`), task watchdog
/// (`task_wdt.c`) and brownout detector (`brownout.c`), with arduino-esp32's configuration for the ESP32.
enum PanicText {
    /// The number of digits shown of the ELF file's digest (`CONFIG_APP_RETRIEVE_LEN_ELF_SHA`).
    private static let shownDigits = 9
    /// The user mode of a task with interrupts on, as in the register dump.
    private static let processorState: UInt32 = 0x0006_0730
    /// `PANIC_RSN_DEBUGEXCEPTION`
    private static let debugException: UInt32 = 1
    /// `PANIC_RSN_INTWDT_CPU0`; the value for core 1 follows it.
    private static let interruptWatchdogOnCore0: UInt32 = 5

    /// `ESP_DRAM_LOGE`, whose output has no timestamp.
    static let brownout = "E BOD: Brownout detector was triggered\r\n\r\n\r\n"

    static func exception(_ cause: PanicCause, _ context: PanicContext) -> String {
        guru(cause.name, "Exception was unhandled.", "", cause.number, context)
    }

    /// The watchpoint at the end of the stack (`CONFIG_FREERTOS_WATCHPOINT_END_OF_STACK`).
    static func stackOverflow(_ context: PanicContext) -> String {
        guru(
            "Unhandled debug exception", "",
            "Debug exception reason: Stack canary watchpoint triggered (\(context.task)) ", debugException, context)
    }

    static func interruptWatchdog(_ context: PanicContext) -> String {
        guru(
            "Interrupt wdt timeout on CPU\(context.core)", "", "", interruptWatchdogOnCore0 + UInt32(context.core),
            context)
    }

    static func abort(_ context: PanicContext) -> String {
        let pc = hexadecimal(context.backtrace.first?.pc ?? 0, digits: 8)
        return aborted("abort() was called at PC \(pc) on core \(context.core)", context)
    }

    /// The output of `esp_system_abort`: the reason and the place.
    static func aborted(_ reason: String, _ context: PanicContext) -> String {
        "\r\n\(reason)\r\n" + backtrace(context) + end(context)
    }

    /// A panic whose text is complete up to the backtrace.
    static func panic(_ text: String, _ context: PanicContext) -> String {
        lines(of: text) + backtrace(context) + end(context)
    }

    /// The bench's finding, with the backtrace in the chip's form; the chip prints nothing.
    static func hang(_ text: String, _ context: PanicContext) -> String {
        "\r\nespbench: \(text)\r\n" + backtrace(context)
    }

    static func taskWatchdog(_ report: TaskWatchdogReport, _ context: PanicContext) -> String {
        // Core 0 detects the fault and makes core 1 abort.
        let current = context.core == 0 ? " (current core)" : ""
        var lines = ["Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:"]
        lines += report.late.map { " - \($0)" }
        lines.append("Tasks currently running:")
        lines += report.running.enumerated().map { "CPU \($0): \($1)" }
        lines += ["Aborting.", "Print CPU \(context.core)\(current) backtrace"]
        // The panic handler's lines of reason and details are empty.
        return lines.map { "E (\(report.milliseconds)) task_wdt: \($0)\r\n" }.joined() + "\r\n\r\n"
            + backtrace(context) + end(context)
    }

    private static func guru(
        _ reason: String, _ description: String, _ details: String, _ cause: UInt32, _ context: PanicContext
    ) -> String {
        "Guru Meditation Error: Core  \(context.core) panic'ed (\(reason)). \(description)\r\n\(details)\r\n"
            + registers(cause, context) + backtrace(context) + end(context)
    }

    private static func registers(_ cause: UInt32, _ context: PanicContext) -> String {
        let frame = context.backtrace.first ?? .init(pc: 0, sp: 0)
        var values: [(String, UInt32)] = [
            ("PC", frame.pc), ("PS", processorState),
            // The upper bits of the return address encode the size of the register window.
            ("A0", context.backtrace.dropFirst().first.map { $0.pc & 0x3FFF_FFFF | 0x8000_0000 } ?? 0),
            ("A1", frame.sp),
        ]
        values += (2...15).map { ("A\($0)", 0) }
        values += [
            ("SAR", 0), ("EXCCAUSE", cause), ("EXCVADDR", context.faultAddress), ("LBEG", 0), ("LEND", 0),
            ("LCOUNT", 0),
        ]
        var text = "Core  \(context.core) register dump:"
        for (index, (name, value)) in values.enumerated() {
            if index % 4 == 0 { text += "\r\n" }
            let padding = String(repeating: " ", count: 8 - name.utf8.count)
            text += "\(name)\(padding): \(hexadecimal(value, digits: 8))  "
        }
        if context.isInInterrupt, cause == interruptWatchdogOnCore0 + UInt32(context.core) {
            // The addresses of the interrupted code by interrupt level: only level 1, the interrupted task's address,
            // is known.
            text += "\r\nCore  \(context.core) was running in ISR context:\r\n"
            let task = hexadecimal(context.backtrace.last?.pc ?? 0, digits: 8)
            let none = hexadecimal(UInt32(0), digits: 8)
            text += "EPC1    : \(task)  EPC2    : \(none)  EPC3    : \(none)  EPC4    : \(none)"
        }
        return text + "\r\n"
    }

    private static func backtrace(_ context: PanicContext) -> String {
        let frames = context.backtrace.map { " \(hexadecimal($0.pc, digits: 8)):\(hexadecimal($0.sp, digits: 8))" }
        return "\r\n\r\nBacktrace:\(frames.joined())\r\n\r\n"
    }

    private static func end(_ context: PanicContext) -> String {
        let digest = Hexadecimal.string(context.elfHash).prefix(shownDigits)
        return "\r\n\r\n\r\nELF file SHA256: \(digest)\r\n\r\nRebooting...\r\n"
    }

    /// `text` with the console's line endings, each line ended.
    private static func lines(of text: String) -> String {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last == "" { lines.removeLast() }
        return lines.map { $0 + "\r\n" }.joined()
    }
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

    /// The core, 0 or 1; Arduino's loop runs on 1.
    public var core: Int
    /// The task that ran, or that was interrupted; empty if unknown.
    public var task: String
    /// True if an interrupt's handler ran.
    public var isInInterrupt: Bool
    /// The frames, innermost first.
    public var backtrace: [Frame]
    /// The address that was accessed.
    public var faultAddress: UInt32
    /// The SHA-256 digest of the ELF file, whose beginning the panic text shows.
    public var elfHash: [UInt8]

    /// All fields.
    public init(
        core: Int = 1, task: String = "loopTask", isInInterrupt: Bool = false, backtrace: [Frame],
        faultAddress: UInt32 = 0, elfHash: [UInt8] = []
    ) {
        self.core = core
        self.task = task
        self.isInInterrupt = isInInterrupt
        self.backtrace = backtrace
        self.faultAddress = faultAddress
        self.elfHash = elfHash
    }
}
