import BLECentral
import Synchronization

/// A connection that a stack is about to make, and that nobody may want any more when it is there: in real time it would
/// stay, and keep the board from advertising.
final class ConnectionAttempt: Sendable {
    private enum State {
        case pending
        case ended(ConnectionID)
        case abandoned
    }

    private let state = Mutex(State.pending)

    /// Says that the connection is there; returns whether nobody wants it.
    func hasEnded(with connection: ConnectionID) -> Bool {
        state.withLock { state in
            if case .abandoned = state { return true }
            state = .ended(connection)
            return false
        }
    }

    /// Gives the attempt up; returns its connection if it is there already.
    func abandon() -> ConnectionID? {
        state.withLock { state in
            defer { state = .abandoned }
            if case .ended(let connection) = state { return connection }
            return nil
        }
    }
}
