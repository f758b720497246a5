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
        // Nothing follows the line's end.
        let end = line.firstIndex(of: 0x0A) ?? line.endIndex
        self.line = begins && line.count <= Self.limit && end >= line.count - 1 ? line : nil
    }

    /// Whether what was received may be such a line, or its beginning.
    var isPossible: Bool { line != nil }

    /// Whether such a line is all that was received.
    var isComplete: Bool {
        line.map { $0.starts(with: Self.beginning) && $0.suffix(2) == Self.end[...] } ?? false
    }

    /// The error of the connection called `name`: `busy` when a refusal is all that was received; otherwise `error`.
    func fault(_ error: TCPError) -> TCPError {
        guard let line, isComplete else { return error }
        let reason = line.dropFirst(Self.beginning.count).dropLast(Self.end.count)
        // It was received from another program and is printed on a terminal.
        let text = String(decoding: reason.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return TCPError(.busy, name: error.name, "the server refused the connection: \(text)")
    }
}
