/// Gives the lines that a monitor shows below a console's lines: the places of a crash's code addresses in the source.
///
/// Of a program that is known the places stand below each line; of another one below the line with its digest, once that
/// has told which one it is.
public struct CrashLines: Sendable {
    /// Finds a program by the beginning of its digest.
    public typealias Search = @Sendable (_ digest: String) -> (any AddressResolver)?

    /// How many addresses wait for the digest.
    private static let maximumPending = 64
    private static let digestPrefix = "ELF file SHA256: "

    private let symbols: (any AddressResolver)?
    private let search: Search
    private var decoder = BacktraceDecoder()
    private var dump = CrashDumpReader()
    private var pending: [String] = []

    /// Lines for the program that `symbols` knows; `nil`: for any that `search` finds.
    public init(symbols: (any AddressResolver)?, search: @escaping Search = { _ in nil }) {
        self.symbols = symbols
        self.search = search
    }

    /// Whether ``lines(below:)`` may have lines for `line`: otherwise it need not be called.
    public func mayDecode(_ line: String) -> Bool {
        if line.hasPrefix(Self.digestPrefix) { return true }
        if let symbols, symbols.knowsCode {
            return dump.concerns(line) || CodeWords.contains(line) && !BootLog.contains(line)
        }
        return !BacktraceDecoder.addresses(in: line).isEmpty
    }

    /// The lines to show below `line`, which is the next of the console.
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

/// Words in a line that may be code addresses of an ESP chip: `0x4` and seven more digits, as ESP-IDF's monitor takes them.
enum CodeWords {
    /// Whether `line` may have one; quick.
    static func contains(_ line: String) -> Bool {
        var former: (UInt8, UInt8) = (0, 0)
        for byte in line.utf8 {
            if byte == UInt8(ascii: "4"), former == (UInt8(ascii: "0"), UInt8(ascii: "x")) { return true }
            former = (former.1, byte)
        }
        return false
    }

    /// The words, each once; that of the register RA is one that a call returns to.
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
