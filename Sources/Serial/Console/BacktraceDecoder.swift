/// Finds code addresses in the output of ESP-IDF's panic handler, and collects the backtrace of a crash. A pure state
/// machine; an ``AddressResolver`` finds the places in the source.
///
/// Sources: ESP-IDF v5 `components/esp_system/port/panic_handler.c`, `port/arch/xtensa/panic_arch.c`,
/// `port/arch/riscv/panic_arch.c`, `debug_helpers.c`.
public struct BacktraceDecoder: Sendable {
    /// The code addresses of the last crash, innermost first; empty before a crash.
    public private(set) var addresses: [CodeAddress] = []
    /// True if the crash's addresses are complete.
    public private(set) var isComplete = false

    /// The beginning of the digest of the crashed program's ELF file, in hexadecimal, once it was printed.
    public private(set) var digest: String?

    /// A decoder that may start at any line of a console.
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

    /// The code addresses in a line of a panic: the program counters of a backtrace, or the code addresses of a
    /// register dump; empty for any other line.
    public static func addresses(in line: String) -> [CodeAddress] {
        if line.hasPrefix("Backtrace:") {
            // PC:SP, separated by spaces; ESP-IDF has already moved return addresses back into their call instructions.
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

    /// The registers that contain code addresses; true for a return address.
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

/// Finds the places in the source that addresses of a program belong to.
public protocol AddressResolver: Sendable {
    /// The frames of each address, in order: the frames of functions inlined there come first. An address outside the
    /// program has no frames.
    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]]

    /// True if the program's file identifies code addresses; every code address in a line is then looked up.
    var knowsCode: Bool { get }

    /// True if the program has code at `address`; `false` if unknown.
    func isCode(_ address: UInt64) -> Bool

    /// True if a call may return to `address`: the instruction before it is a call. `false` if unknown.
    func isReturnAddress(_ address: UInt64) -> Bool

    /// The calls that led to a crash, by the program's call frame information; `nil` if the resolver does not unwind.
    func unwind(_ dump: CrashDump) -> UnwoundStack?

    /// The note for a crash of another program, from the beginning of its digest; `nil` unless the program is known to
    /// differ from this one.
    func mismatch(digest: String) -> String?
}

extension AddressResolver {
    /// By default, code addresses are unknown.
    public var knowsCode: Bool { false }
    /// Not known.
    public func isCode(_ address: UInt64) -> Bool { false }
    /// Not known.
    public func isReturnAddress(_ address: UInt64) -> Bool { false }
    /// Does not unwind.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { nil }
    /// Not known.
    public func mismatch(digest: String) -> String? { nil }
}

/// An address of a program's code in a console line.
public struct CodeAddress: Hashable, Sendable {
    /// The address as it was printed.
    public var value: UInt64
    /// True for a return address: the call instruction precedes it.
    public var isReturn: Bool

    /// An address.
    public init(_ value: UInt64, isReturn: Bool = false) {
        self.value = value
        self.isReturn = isReturn
    }
}

/// A frame of a backtrace: an address of the program, and its source location if known.
public struct CodeFrame: Hashable, Sendable {
    /// The address, as the console printed it.
    public var address: UInt64
    /// The function with its parameters' types, as C++ writes it; `nil` when the program has no symbol there.
    public var function: String?
    /// The path of the source file, as passed to the compiler.
    public var file: String?
    /// The line in ``file``, from 1.
    public var line: Int?
    /// True if the function was inlined into that of the next frame, so that both frames have the same address.
    public var isInlined: Bool
    /// True if ``file`` is one of the sketch's own files, not of a library.
    public var isOfSketch = false

    /// A frame.
    public init(
        address: UInt64, function: String? = nil, file: String? = nil, line: Int? = nil, isInlined: Bool = false
    ) {
        self.address = address
        self.function = function
        self.file = file
        self.line = line
        self.isInlined = isInlined
    }

    /// True if the function belongs to the virtual board, not to the sketch.
    public var isOfVirtualChip: Bool {
        guard let function else { return false }
        return function.hasPrefix("espbench::") || function.hasPrefix("espbench_")
            || function.hasPrefix("__sanitizer_cov_trace_pc")
    }

    /// The source location in short, `Lamp.ino:42`; `nil` if unknown.
    public var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }

    /// The function and its place, e.g. `Callbacks::onWrite(NimBLECharacteristic*) at Lamp.ino:42`; the address if both
    /// are unknown.
    public var text: String {
        let function = function ?? "0x\(String(address, radix: 16))"
        return place.map { "\(function) at \($0)" } ?? function
    }
}

/// The lines that a monitor shows below the dump of a RISC-V chip: the calls that led to the crash, found by the
/// program's call frame information, and possible callers where that information ends.
enum CrashBacktrace {
    /// The maximum number of possible callers shown.
    static let maximumCandidates = 32

    static func lines(of dump: CrashDump, _ program: any AddressResolver) async -> [String] {
        guard let unwound = program.unwind(dump) else { return await candidates(dump, above: nil, program) }
        var lines = ["--- backtrace:"]
        for (address, frames) in zip(unwound.addresses, await program.frames(at: unwound.addresses)) {
            lines += frames.isEmpty ? ["--- \(hex(address.value)): not in the program"] : DecodedLines.text(of: frames)
        }
        guard let reason = unwound.reason else { return lines }
        lines.append("--- the backtrace ends here: \(reason)")
        guard unwound.mayHaveCallers else { return lines }
        let shown = Set(unwound.addresses.map(\.value))
        return lines + (await candidates(dump, above: unwound.callersStart, program, without: shown))
    }

    /// Possible callers: the return address in RA if no call was found, and each stack word from `start` on that points
    /// behind a call instruction. Some words may be left from calls that have returned.
    private static func candidates(
        _ dump: CrashDump, above start: UInt32?, _ program: any AddressResolver, without shown: Set<UInt64> = []
    ) async -> [String] {
        let words = dump.memory.filter { $0.key >= start ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
        var found: [CodeAddress] = []
        for word in (shown.count > 1 ? [] : [dump.registers[1] ?? 0]) + words {
            let address = UInt64(word)
            guard found.count < maximumCandidates, program.isReturnAddress(address), !shown.contains(address),
                found.last?.value != address
            else { continue }
            found.append(CodeAddress(address, isReturn: true))
        }
        let frames = await program.frames(at: found).flatMap(\.self)
        guard !frames.isEmpty else { return [] }
        return ["--- possible callers, by words of the stack that are behind a call:"]
            + DecodedLines.text(of: frames, mark: "maybe ")
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}

/// The calls that led to a crash, found by a program's call frame information.
public struct UnwoundStack: Hashable, Sendable {
    /// Why there are no more frames.
    public enum End: Hashable, Sendable {
        /// The outermost function: no function called it.
        case outermost
        /// The return address is 0, as in a task's first function, or after it was overwritten.
        case returnsToZero
        /// The program has no call frame information for this address.
        case noInformation(UInt32)
        /// The call frame information of this address cannot be used, for this reason.
        case unusable(UInt32, String)
        /// A function returns to this address, where the program has no code.
        case outsideProgram(UInt32)
        /// A function returns to this address, which does not follow a call.
        case noCall(UInt32)
        /// The memory at this address, which contains a saved register, was not printed.
        case notDumped(UInt32)
        /// A required register was not printed: its number.
        case noRegister(Int)
        /// The function at this address has not saved its return address, and called a function that does not return.
        case notSaved(UInt32)
        /// A function's frame ends at this address, not above the frame of the function that it called.
        case notGrowing(UInt32)
        /// The limit on the number of frames was reached.
        case tooMany
    }

    /// The addresses in the functions, innermost first; inlined functions have no entries of their own.
    public var addresses: [CodeAddress]
    /// Why the list ends.
    public var end: End
    /// The first stack address that may contain the return address of a further caller, if known.
    public var callersStart: UInt32?

    /// A result.
    public init(addresses: [CodeAddress], end: End, callersStart: UInt32?) {
        self.addresses = addresses
        self.end = end
        self.callersStart = callersStart
    }

    /// Why the backtrace is incomplete; `nil` when it is complete.
    var reason: String? {
        func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16) }
        switch end {
        case .outermost: return nil
        case .returnsToZero: return "the return address is 0, as that of a task's first function"
        case .noInformation(let address): return "the program has no call frame information for \(hex(address))"
        case .unusable(let address, let why): return "call frame information for \(hex(address)) cannot be used: \(why)"
        case .outsideProgram(let address): return "the return address \(hex(address)) is not in the program"
        case .noCall(let address):
            return "there is no call before the return address \(hex(address)): the stack may be overwritten"
        case .notDumped(let address): return "the stack at \(hex(address)) was not printed"
        case .noRegister(let number): return "register x\(number) was not printed"
        case .notSaved(let address):
            return
                "the function at \(hex(address)) has not saved where it returns to, as the one it called does not return"
        case .notGrowing(let address):
            return "the next frame would end at \(hex(address)), not above this one: the stack may be overwritten"
        case .tooMany: return "more than \(addresses.count) frames"
        }
    }

    /// True if words of the stack may be return addresses of further callers.
    var mayHaveCallers: Bool {
        switch end {
        case .outermost, .tooMany: false
        case .returnsToZero, .noInformation, .unusable, .outsideProgram, .noCall, .notDumped, .noRegister, .notSaved,
            .notGrowing:
            true
        }
    }
}
