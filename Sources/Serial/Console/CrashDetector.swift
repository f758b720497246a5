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

    /// The task watchdog's line, until a later line shows that the watchdog aborts or only warns.
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
        // A cheap check first: few lines begin like a line of a crash.
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

/// Produces the lines that a monitor shows below a console's lines: the source locations of a crash's code addresses.
///
/// For a known program, the locations follow each line. For any other, they follow the line with its digest, by which
/// the program is found.
public struct CrashLines: Sendable {
    /// Finds a program by the beginning of its digest.
    public typealias Search = @Sendable (_ digest: String) -> (any AddressResolver)?

    /// The maximum number of lines that wait for the digest.
    private static let maximumPending = 64
    private static let digestPrefix = "ELF file SHA256: "

    private let symbols: (any AddressResolver)?
    private let search: Search
    private var decoder = BacktraceDecoder()
    private var dump = CrashDumpReader()
    private var pending: [String] = []

    /// Lines for the program of `symbols`; if `nil`, for any program that `search` finds.
    public init(symbols: (any AddressResolver)?, search: @escaping Search = { _ in nil }) {
        self.symbols = symbols
        self.search = search
    }

    /// True if ``lines(below:)`` may return lines for `line`; if false, the call can be skipped.
    public func mayDecode(_ line: String) -> Bool {
        if line.hasPrefix(Self.digestPrefix) { return true }
        if let symbols, symbols.knowsCode {
            return dump.concerns(line) || CodeWords.contains(line) && !BootLog.contains(line)
        }
        return !BacktraceDecoder.addresses(in: line).isEmpty
    }

    /// The lines to show below `line`, the next line of the console.
    public mutating func lines(below line: String) async -> [String] {
        if let symbols { return await lines(below: line, symbols) }
        guard mayDecode(line) else { return [] }
        decoder.receive(line)
        guard let digest = decoder.digest else {
            if pending.count < Self.maximumPending { pending.append(line) }
            return []
        }
        let waiting = pending
        decoder.reset()
        pending = []
        guard !waiting.isEmpty, let symbols = search(digest) else { return [] }
        var lines: [String] = []
        for line in waiting { lines += await DecodedLines.text(for: line, symbols) }
        return lines
    }

    /// The lines for the tasks of a core dump; `digest`: the beginning of its program's digest.
    public func lines(of tasks: [CoreDumpText.Task], digest: String?) async -> [String] {
        let program = symbols ?? digest.flatMap(search)
        let warning = digest.flatMap { program?.mismatch(digest: $0) }.map { ["--- \($0)"] } ?? []
        return await CoreDumpText.lines(of: tasks, program) + warning
    }

    private mutating func lines(below line: String, _ symbols: any AddressResolver) async -> [String] {
        guard symbols.knowsCode else { return await DecodedLines.text(for: line, symbols) }
        var lines: [String] = []
        if let dump = dump.receive(line) { lines = await CrashBacktrace.lines(of: dump, symbols) }
        if line.hasPrefix(Self.digestPrefix) {
            let digest = line.dropFirst(Self.digestPrefix.count).prefix { $0.isHexDigit }.lowercased()
            if let text = symbols.mismatch(digest: digest) { lines.append("--- \(text)") }
        } else if !dump.concernsStack(line) {
            let addresses = CodeWords.addresses(in: line).filter { symbols.isCode($0.value) }
            lines += await DecodedLines.text(for: addresses, symbols)
        }
        return lines
    }
}

/// Words in a line that may be code addresses of an ESP chip: `0x4` and seven more digits, as in ESP-IDF's monitor.
enum CodeWords {
    /// True if `line` may contain such a word; a quick check.
    static func contains(_ line: String) -> Bool {
        var former: (UInt8, UInt8) = (0, 0)
        for byte in line.utf8 {
            if byte == UInt8(ascii: "4"), former == (UInt8(ascii: "0"), UInt8(ascii: "x")) { return true }
            former = (former.1, byte)
        }
        return false
    }

    /// The words, each once; the value of register RA is marked as a return address.
    static func addresses(in line: String) -> [CodeAddress] {
        var result: [CodeAddress] = []
        let bytes = Array(line.utf8)
        var index = 0
        while index + 10 <= bytes.count {
            guard bytes[index] == UInt8(ascii: "0"), bytes[index + 1] == UInt8(ascii: "x"),
                bytes[index + 2] == UInt8(ascii: "4"),
                let value = UInt64(String(decoding: bytes[(index + 2)..<(index + 10)], as: UTF8.self), radix: 16)
            else {
                index += 1
                continue
            }
            let isReturn = bytes[..<index].reversed().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
                .starts(with: "AR".utf8)
            if !result.contains(where: { $0.value == value }) { result.append(CodeAddress(value, isReturn: isReturn)) }
            index += 10
        }
        return result
    }
}

/// The state at a crash as the panic handler of a RISC-V chip printed it: the registers, and words of the stack.
public struct CrashDump: Hashable, Sendable {
    /// The names of the registers x1 to x31, as ESP-IDF prints them.
    static let registerNames: [Substring] = [
        "RA", "SP", "GP", "TP", "T0", "T1", "T2", "S0/FP", "S1", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "S2",
        "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "T3", "T4", "T5", "T6",
    ]

    /// The program counter at the crash: MEPC.
    public var programCounter: UInt32?
    /// The registers x0 to x31; `nil` for those that were not printed.
    public var registers: [UInt32?] = [0] + Array(repeating: nil, count: 31)
    /// The printed words of memory, by their addresses.
    public var memory: [UInt32: UInt32] = [:]

    /// The register x2.
    public var stackPointer: UInt32? { registers[2] }

    /// A dump without contents.
    public init() {}

    /// Sets a register by its name in the dump; unknown names are ignored.
    mutating func set(_ name: Substring, to value: UInt32) {
        if name == "MEPC" {
            programCounter = value
        } else if let index = Self.registerNames.firstIndex(of: name) {
            registers[index + 1] = value
        }
    }
}

/// Reads the registers and the stack that the panic handler of RISC-V chips prints instead of a backtrace. A pure state
/// machine.
///
/// Source: ESP-IDF v5 `components/esp_system/port/arch/riscv/panic_arch.c`, `panic_print_registers` and
/// `panic_print_basic_backtrace`.
struct CrashDumpReader: Sendable {
    /// The maximum number of stack words kept: 16 times the number that ESP-IDF prints.
    static let maximumWords = 4096

    /// The maximum number of lines between the first register and the stack.
    static let maximumLines = 32

    private enum State: Equatable {
        case outside, stack
        /// In the registers, or in other lines before the stack; with the number of lines so far.
        case registers(Int)
    }

    private var state = State.outside
    private var dump = CrashDump()

    /// Reads the next line; returns the dump when `line` is the first line after it.
    mutating func receive(_ line: String) -> CrashDump? {
        // Empty lines precede and follow the words.
        if state == .stack, readWords(line) || dump.memory.isEmpty && line.allSatisfy({ $0 == " " }) { return nil }
        var complete: CrashDump?
        if state == .stack { (complete, self) = (dump, CrashDumpReader()) }
        if Self.beginsRegisters(line) { (state, dump) = (.registers(0), CrashDump()) }
        if line.hasPrefix("Stack memory:") {
            (state, dump.memory) = (.stack, [:])
        } else if case .registers(let lines) = state {
            readRegisters(line)
            state = .registers(lines + 1)
            if lines == Self.maximumLines { self = CrashDumpReader() }
        }
        return complete
    }

    /// True if `line` may belong to the dump.
    func concerns(_ line: String) -> Bool {
        state != .outside || line.hasPrefix("Stack memory:") || Self.beginsRegisters(line)
    }

    /// True if `line` belongs to the stack, so that its addresses are part of the dump.
    func concernsStack(_ line: String) -> Bool { state == .stack || line.hasPrefix("Stack memory:") }

    private static func beginsRegisters(_ line: String) -> Bool {
        line.hasPrefix("MEPC ") || line.hasPrefix("Core ") && line.contains(" register dump:")
    }

    /// `MEPC    : 0x42000010  RA      : 0x42000050  SP      : 0x3fc936c0  GP      : 0x3fc80800`
    private mutating func readRegisters(_ line: String) {
        let parts = line.split(separator: " ")
        for (index, part) in parts.enumerated() where part == ":" && index > 0 && index + 1 < parts.count {
            if let value = Self.word(parts[index + 1]) { dump.set(parts[index - 1], to: value) }
        }
    }

    /// `3fc8f000: 0xa5a5a5a5 0x42001234 …`; returns true for such a line. Omits damaged words.
    private mutating func readWords(_ line: String) -> Bool {
        let parts = line.split(separator: " ")
        guard let first = parts.first, first.utf8.count == 9, first.last == ":",
            let address = UInt32(first.dropLast(), radix: 16)
        else { return false }
        for (index, part) in parts.dropFirst().prefix(64).enumerated() where dump.memory.count < Self.maximumWords {
            if let value = Self.word(part) { dump.memory[address &+ UInt32(index) * 4] = value }
        }
        return true
    }

    /// `0x` and eight digits.
    private static func word(_ text: Substring) -> UInt32? {
        guard text.utf8.count == 10, text.hasPrefix("0x"), text.dropFirst(2).allSatisfy(\.isHexDigit) else {
            return nil
        }
        return UInt32(text.dropFirst(2), radix: 16)
    }
}
