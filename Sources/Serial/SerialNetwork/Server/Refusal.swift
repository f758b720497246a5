import SerialPort
import TCP

/// The line by which a ``SerialServer`` refuses a client before it closes: readable by people and by our clients.
struct Refusal {
    private static let beginning = Array("espbench: refused: ".utf8)
    private static let end = Array("\r\n".utf8)
    /// The longest line that is recognised as a refusal.
    private static let limit = 1024

    /// The bytes received, as long as they may be such a line.
    private var line: [UInt8]? = []

    /// The line with `reason`.
    static func line(_ reason: String) -> [UInt8] {
        beginning + Array(reason.utf8) + end
    }

    /// Receives bytes from the server.
    mutating func receive(_ bytes: [UInt8]) {
        guard let former = line else { return }
        let line = former + bytes
        let begins = zip(line, Self.beginning).allSatisfy { $0 == $1 }
        self.line = begins && line.count <= Self.limit ? line : nil
    }

    /// The error of the connection called `name`: `busy` when a refusal is all that was received; otherwise `error`.
    func fault(_ error: TCPError) -> TCPError {
        guard let line, line.starts(with: Self.beginning), line.suffix(2) == Self.end[...] else { return error }
        let reason = line.dropFirst(Self.beginning.count).dropLast(Self.end.count)
        // It was received from another program and is printed on a terminal.
        let text = String(decoding: reason.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return TCPError(.busy, name: error.name, "the server refused the connection: \(text)")
    }
}
