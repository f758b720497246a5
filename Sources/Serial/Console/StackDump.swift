/// The stack that the panic handler of RISC-V chips prints instead of a backtrace: lines of words below `Stack memory:`.
/// Finds in it what may be return addresses: words behind a call instruction. A pure state machine.
///
/// Some may be left from calls that had returned: the frames are candidates, innermost first.
///
/// Source: ESP-IDF v5 `components/esp_system/port/arch/riscv/panic_arch.c`, `panic_print_basic_backtrace`.
struct StackDump: Sendable {
    /// How many addresses are kept.
    static let maximumAddresses = 32

    private var isInside = false
    private var found: [CodeAddress] = []

    /// Reads the next line; returns the addresses when it is the first one after the dump.
    mutating func receive(_ line: String, isReturnAddress: (UInt64) -> Bool) -> [CodeAddress] {
        if line.hasPrefix("Stack memory:") {
            isInside = true
            found = []
            return []
        }
        guard isInside else { return [] }
        if let words = Self.words(line) {
            for word in words where found.count < Self.maximumAddresses && isReturnAddress(word) {
                if found.last?.value != word { found.append(CodeAddress(word, isReturn: true)) }
            }
            return []
        }
        // Empty lines stand before the dump and after it.
        if found.isEmpty, line.allSatisfy({ $0 == " " }) { return [] }
        isInside = false
        defer { found = [] }
        return found
    }

    /// Whether `line` may concern the dump.
    func concerns(_ line: String) -> Bool { isInside || line.hasPrefix("Stack memory:") }

    /// `3fc8f000: 0xa5a5a5a5 0x42001234 …`
    private static func words(_ line: String) -> [UInt64]? {
        guard let colon = line.firstIndex(of: ":"), line.distance(from: line.startIndex, to: colon) == 8,
            line[..<colon].allSatisfy(\.isHexDigit)
        else { return nil }
        return line[line.index(after: colon)...].split(separator: " ").compactMap { BacktraceDecoder.number($0) }
    }
}
