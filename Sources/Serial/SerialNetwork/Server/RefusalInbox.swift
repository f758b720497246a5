import Dispatch
import Inbox
import Synchronization
import TCP

/// The inbox of a client's connection. First bytes that may be a server's refusal are held until it is known that they are
/// none, or for a short time: a refusal is an error, and no data.
final class RefusalInbox: Sendable {
    /// A server that refuses a client closes the connection at once; a board that prints the same text does not.
    private static let holdingTime = DispatchTimeInterval.milliseconds(200)

    private struct State {
        var refusal = Refusal()
        var held: [UInt8] = []
        var isHolding = true
    }

    /// What is data.
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
