/// Reads the registers and the stack that the panic handler of RISC-V chips prints instead of a backtrace. A pure state
/// machine.
///
/// Source: ESP-IDF v5 `components/esp_system/port/arch/riscv/panic_arch.c`, `panic_print_registers` and
/// `panic_print_basic_backtrace`.
struct CrashDumpReader: Sendable {
    /// How many words of the stack are kept: 16 times those that ESP-IDF prints.
    static let maximumWords = 4096

    /// How many lines there may be between the first register and the stack.
    static let maximumLines = 32

    private enum State: Equatable {
        case outside, stack
        /// The registers, and what may follow them before the stack; how many lines there were.
        case registers(Int)
    }

    private var state = State.outside
    private var dump = CrashDump()

    /// Reads the next line; returns the dump when it is the first one after it.
    mutating func receive(_ line: String) -> CrashDump? {
        // Empty lines stand before the words and after them.
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

    /// Whether `line` may concern the dump.
    func concerns(_ line: String) -> Bool {
        state != .outside || line.hasPrefix("Stack memory:") || Self.beginsRegisters(line)
    }

    /// Whether `line` is one of the stack: its addresses are the dump's.
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

    /// `3fc8f000: 0xa5a5a5a5 0x42001234 …`; whether it is such a line. A word that is damaged is left out.
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
