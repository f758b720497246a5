/// Finds the code addresses in what ESP-IDF's panic handler prints, and collects the backtrace of a crash. A pure state
/// machine; an ``AddressResolver`` finds the places in the source.
///
/// Sources: ESP-IDF v5 `components/esp_system/port/panic_handler.c`, `port/arch/xtensa/panic_arch.c`,
/// `port/arch/riscv/panic_arch.c`, `debug_helpers.c`.
public struct BacktraceDecoder: Sendable {
    /// The code addresses of a crash, innermost first; empty until there is one.
    public private(set) var addresses: [CodeAddress] = []
    /// Whether the crash's addresses are complete.
    public private(set) var isComplete = false

    /// The beginning of the digest of the crashed program's ELF file, in hexadecimal, once it was printed.
    public private(set) var digest: String?

    /// A decoder for a console from any line on.
    public init() {}

    /// Forgets the last crash.
    public mutating func reset() {
        self = BacktraceDecoder()
    }

    /// Reads the next line.
    public mutating func receive(_ line: String) {
        // A cheap check first: few lines begin like those of a crash.
        switch line.utf8.first {
        case UInt8(ascii: "B") where line.hasPrefix("Backtrace:"):
            addresses = Self.addresses(in: line)
            isComplete = true
        case UInt8(ascii: "G") where line.hasPrefix("Guru Meditation Error:"),
            UInt8(ascii: "a") where line.hasPrefix("abort() was called at PC ") || line.hasPrefix("assert failed: "),
            UInt8(ascii: "*") where line.hasPrefix("***ERROR*** A stack overflow"):
            reset()
        case UInt8(ascii: "M") where line.hasPrefix("MEPC "):
            addresses = Self.addresses(in: line)
        case UInt8(ascii: "S") where line.hasPrefix("Stack memory:"):
            // RISC-V has no backtrace: the stack follows.
            isComplete = !addresses.isEmpty
        case UInt8(ascii: "E") where line.hasPrefix("ELF file SHA256: "):
            digest = String(line.dropFirst("ELF file SHA256: ".count).prefix { $0.isHexDigit }).lowercased()
        case UInt8(ascii: "R") where line.hasPrefix("Rebooting..."):
            isComplete = true
        default: break
        }
    }

    /// The code addresses in a line of a panic: of a backtrace the program counters, of a dump of registers those that
    /// hold code addresses; none in any other line.
    public static func addresses(in line: String) -> [CodeAddress] {
        if line.hasPrefix("Backtrace:") {
            // PC:SP, separated by spaces; ESP-IDF has already put return addresses before their calls' ends.
            return line.dropFirst("Backtrace:".count).split(separator: " ").compactMap { pair in
                guard let colon = pair.firstIndex(of: ":") else { return nil }
                return number(pair[..<colon]).map { CodeAddress($0) }
            }
        }
        let isRegisters = line.hasPrefix("PC ") || line.hasPrefix("MEPC ")
        if isRegisters || line.hasPrefix("abort() was called at PC ") || line.hasPrefix("Saved PC:") {
            return registers.compactMap { name, isReturn in
                value(of: name, in: line).map { CodeAddress($0, isReturn: isReturn) }
            }
        }
        return []
    }

    /// The registers that hold code addresses, and whether a call returns to them.
    private static let registers = [("PC", false), ("MEPC", false), ("RA", true)]

    /// The number after a register's name: `PC      : 0x400d1234`, `at PC 0x400d1234`, `PC:0x400d1234`.
    private static func value(of name: String, in line: String) -> UInt64? {
        let words = line.split { $0 == " " || $0 == ":" }
        guard let index = words.firstIndex(of: name[...]), index + 1 < words.count else { return nil }
        return number(words[index + 1])
    }

    /// A number of at most 64 bits after `0x`.
    static func number(_ text: Substring) -> UInt64? {
        guard text.hasPrefix("0x") else { return nil }
        let digits = text.dropFirst(2).prefix { $0.isASCII && $0.isHexDigit }
        return UInt64(digits, radix: 16)
    }
}
