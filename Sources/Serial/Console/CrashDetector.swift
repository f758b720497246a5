/// Detects in a console's lines that the firmware has crashed or hung: the output of ESP-IDF's panic handler and
/// watchdogs, and the ROM's reset reasons. A pure state machine.
///
/// Sources: ESP-IDF v5 `components/esp_system/panic.c`, `task_wdt/task_wdt.c`, `port/brownout.c`,
/// `newlib/assert.c`, FreeRTOS `vApplicationStackOverflowHook`; the ROM's boot line (ESP32 TRM 4.1.3).
public struct CrashDetector: Sendable {
    /// How the firmware ended.
    public enum Crash: Hashable, Sendable {
        /// A panic: the line that names it.
        case panic(String)
        /// A watchdog reset: the line that names it.
        case watchdog(String)
    }

    /// The task watchdog's line, until a later line shows whether it aborts or only warns.
    private var taskWatchdog: String?
    /// The line of a debug exception, which the next line explains.
    private var debugException: String?

    /// A detector for a console from its first line on.
    public init() {}

    /// Checks the next line; returns the crash that it completes.
    public mutating func receive(_ line: String) -> Crash? {
        guard let start = line.utf8.first(where: { $0 != UInt8(ascii: " ") }) else { return nil }
        if let first = debugException {
            debugException = nil
            let reason = line.hasPrefix("Debug exception reason: ") ? " " + line : ""
            return .panic(Self.trimmed(Self.trimmed(first) + reason))
        }
        // A cheap check first: few lines begin like one of a crash.
        switch start {
        case UInt8(ascii: "G") where line.contains("Guru Meditation Error: "):
            if line.contains("(Unhandled debug exception)") {
                debugException = line
                return nil
            }
            return line.contains("wdt timeout") ? .watchdog(line) : .panic(line)
        case UInt8(ascii: "a") where line.hasPrefix("abort() was called at PC ") || line.hasPrefix("assert failed: "):
            return .panic(line)
        case UInt8(ascii: "*") where line.hasPrefix("***ERROR*** A stack overflow in task "): return .panic(line)
        case UInt8(ascii: "S") where line.hasPrefix("Stack smashing protect failure!"): return .panic(line)
        case UInt8(ascii: "B") where line.hasPrefix("Brownout detector was triggered"): return .panic(line)
        case UInt8(ascii: "E"): return error(line)
        case UInt8(ascii: "r") where line.hasPrefix("rst:0x"):
            taskWatchdog = nil
            return line.contains("WDT_") ? .watchdog(line) : nil
        default: return nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// A line of ESP-IDF's log at level error: `E (1234) task_wdt: …`.
    private mutating func error(_ line: String) -> Crash? {
        if line.contains(") task_wdt: Task watchdog got triggered") {
            taskWatchdog = line
        } else if line.contains(") task_wdt: Aborting"), let first = taskWatchdog {
            taskWatchdog = nil
            return .watchdog(first)
        } else if line.contains("BOD: Brownout detector was triggered") {
            return .panic(line)
        }
        return nil
    }
}
