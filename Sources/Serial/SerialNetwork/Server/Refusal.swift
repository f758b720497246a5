import Dispatch
import Inbox
internal import SerialPort
import Synchronization
import TCP

/// The line by which a ``SerialServer`` refuses a client before it closes: readable by people and by our clients.
struct Refusal {
    private static let beginning = Array("espbench: refused: ".utf8)
    private static let end = Array("\r\n".utf8)
    /// The longest line that is recognised as a refusal.
    private static let limit = 1024

    /// The bytes received, while they may be a refusal; otherwise `nil`.
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

    /// True if the bytes received may be a refusal or its beginning.
    var isPossible: Bool { line != nil }

    /// True if a refusal is all that was received.
    var isComplete: Bool {
        line.map { $0.starts(with: Self.beginning) && $0.suffix(2) == Self.end[...] } ?? false
    }

    /// The error of the connection called `name`: `busy` when a refusal is all that was received; otherwise `error`.
    func fault(_ error: TCPError) -> TCPError {
        guard let line, isComplete else { return error }
        let reason = line.dropFirst(Self.beginning.count).dropLast(Self.end.count)
        // The reason comes from another program, and is printed on a terminal.
        let text = String(decoding: reason.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return TCPError(.busy, name: error.name, "the server refused the connection: \(text)")
    }
}

/// The inbox of a client's connection. Initial bytes that may be a server's refusal are held back until they are known
/// not to be one, or for a short time: a refusal is reported as an error, not as data.
final class RefusalInbox: Sendable {
    /// A server that refuses a client closes the connection at once; a board that prints the same text does not.
    private static let holdingTime = DispatchTimeInterval.milliseconds(200)

    private struct State {
        var refusal = Refusal()
        var held: [UInt8] = []
        var isHolding = true
    }

    /// The inbox of data, without refusals.
    let inbox: TCPInbox
    private let state = Mutex(State())

    /// The inbox of the connection called `name`.
    init(name: String) {
        inbox = TCPInbox(name: name)
    }

    /// Receives the connection's next data.
    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let isFirst = state.withLock { state in
            state.refusal.receive(bytes)
            let isFirst = state.held.isEmpty
            state.held += bytes
            if !state.isHolding || !state.refusal.isPossible { pass(&state) }
            return isFirst && state.isHolding
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.holdingTime) { [weak self] in
            guard let self else { return }
            state.withLock { self.pass(&$0) }
        }
    }

    private func pass(_ state: inout State) {
        state.isHolding = false
        if !state.held.isEmpty { inbox.append(state.held) }
        state.held = []
    }

    /// The error to report when the connection ends with `error`.
    func fault(_ error: TCPError) -> TCPError {
        state.withLock { $0.refusal.fault(error) }
    }

    /// Ends the connection, after its data.
    func finish(_ error: TCPError) {
        let fault = state.withLock { state in
            if state.refusal.isComplete { state.held = [] }
            pass(&state)
            return state.refusal.fault(error)
        }
        inbox.finish(fault)
    }

    /// Discards what was received.
    func discard() throws(TCPError) {
        state.withLock { $0.held = [] }
        try inbox.discard()
    }
}
