/// Gives the lines that a monitor shows below a console's lines: the places of a crash's code addresses in the source.
///
/// Of a program that is known the places stand below each line; of another one below the line with its digest, once that
/// has told which one it is.
public struct CrashLines: Sendable {
    /// Finds a program by the beginning of its digest.
    public typealias Search = @Sendable (_ digest: String) -> (any AddressResolver)?

    /// How many addresses wait for the digest.
    private static let maximumPending = 64

    private let symbols: (any AddressResolver)?
    private let search: Search
    private var decoder = BacktraceDecoder()
    private var pending: [String] = []

    /// Lines for the program that `symbols` knows; `nil`: for any that `search` finds.
    public init(symbols: (any AddressResolver)?, search: @escaping Search = { _ in nil }) {
        self.symbols = symbols
        self.search = search
    }

    /// Whether ``lines(below:)`` may have lines for `line`: otherwise it need not be called.
    public func mayDecode(_ line: String) -> Bool {
        line.hasPrefix("ELF file SHA256: ") || !BacktraceDecoder.addresses(in: line).isEmpty
    }

    /// The lines to show below `line`, which is the next of the console.
    public mutating func lines(below line: String) async -> [String] {
        if let symbols { return await DecodedLines.text(for: line, symbols) }
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
}
