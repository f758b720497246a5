import BLECentral
import Synchronization

/// A connection that a stack is about to make, and that nobody may want any more when it is there: in real time it would
/// stay, and keep the board from advertising.
final class ConnectionAttempt: Sendable {
    private enum State {
        case pending
        case ended(CentralLink)
        case abandoned
    }

    private let state = Mutex(State.pending)

    /// Says that the connection is there; returns whether nobody wants it.
    func hasEnded(with link: CentralLink) -> Bool {
        state.withLock { state in
            if case .abandoned = state { return true }
            state = .ended(link)
            return false
        }
    }

    /// Gives the attempt up; returns its link if it is there already.
    func abandon() -> CentralLink? {
        state.withLock { state in
            defer { state = .abandoned }
            if case .ended(let link) = state { return link }
            return nil
        }
    }
}
