import ByteCodec
import ESPImage

/// The texts of ESP-IDF's panic handler (`panic.c`, `panic_arch.c`) and task watchdog (`task_wdt.c`).
enum PanicText {
    /// The number of digits shown of the ELF file's digest (`CONFIG_APP_RETRIEVE_LEN_ELF_SHA`).
    private static let shownDigits = 9
    /// The user mode of a task with interrupts on, as in the register dump.
    private static let processorState: UInt32 = 0x0006_0730

    static func exception(_ name: String, _ description: String, _ cause: UInt32, _ context: PanicContext) -> String {
        "\r\nGuru Meditation Error: Core  \(context.core) panic'ed (\(name)). \(description)\r\n\r\n"
            + registers(cause, context) + "\r\n" + backtrace(context) + end(context)
    }

    static func abort(_ context: PanicContext) -> String {
        let pc = hexadecimal(context.backtrace.first?.pc ?? 0, digits: 8)
        return ended("abort() was called at PC \(pc) on core \(context.core)", context)
    }

    /// What `esp_system_abort` prints: the reason, and where.
    static func ended(_ reason: String, _ context: PanicContext) -> String {
        "\r\n\(reason)\r\n" + backtrace(context) + end(context)
    }

    static func taskWatchdog(_ task: String, _ milliseconds: Int64, _ context: PanicContext) -> String {
        let lines = [
            "Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:",
            // On core 0 the idle task is watched.
            " - \(context.core == 0 ? "IDLE0" : task) (CPU \(context.core))",
            "Tasks currently running:",
            "CPU 0: \(context.core == 0 ? task : "IDLE0")",
            "CPU 1: \(context.core == 1 ? task : "IDLE1")",
            "Aborting.",
            "Print CPU \(context.core) (current core) backtrace",
        ]
        return lines.map { "E (\(milliseconds)) task_wdt: \($0)\r\n" }.joined() + backtrace(context) + end(context)
    }

    private static func registers(_ cause: UInt32, _ context: PanicContext) -> String {
        let frame = context.backtrace.first ?? .init(pc: 0, sp: 0)
        var values: [(String, UInt32)] = [
            ("PC", frame.pc), ("PS", processorState),
            // The upper bits of the return address hold the size of the register window.
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
}
