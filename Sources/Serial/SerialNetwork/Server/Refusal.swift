import SerialPort
import TCP

/// The line by which a ``SerialServer`` refuses a client before it closes: readable to people, and to our own clients.
struct Refusal {
    private static let beginning = Array("espbench: refused: ".utf8)
    private static let end = Array("\r\n".utf8)
    /// The longest line that is taken for a refusal.
    private static let limit = 1024

    /// What has come, as long as it may be such a line.
    private var line: [UInt8]? = []

    /// The line with `reason`.
    static func line(_ reason: String) -> [UInt8] {
        beginning + Array(reason.utf8) + end
    }

    /// Takes what came from the server.
    mutating func receive(_ bytes: [UInt8]) {
        guard let former = line else { return }
        let line = former + bytes
        let begins = zip(line, Self.beginning).allSatisfy { $0 == $1 }
        self.line = begins && line.count <= Self.limit ? line : nil
    }

    /// What the end of the connection called `name` means: a port that another client has, when a refusal is all that
    /// came; else `error`.
    func fault(_ error: TCPError) -> TCPError {
        guard let line, line.starts(with: Self.beginning), line.suffix(2) == Self.end[...] else { return error }
        let reason = line.dropFirst(Self.beginning.count).dropLast(Self.end.count)
        // It came from another program, and goes to a terminal.
        let text = String(decoding: reason.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return TCPError(.busy, name: error.name, "the server refused the connection: \(text)")
    }
}
