import ESPFlasher
import Synchronization

/// How much of a flash was written, for who interrupts it.
final class FlashExtent: Sendable, CustomStringConvertible {
    private enum State {
        case untouched
        case partial(FlashProgress)
        case complete
    }

    private let state = Mutex(State.untouched)

    /// The flasher is as far as `progress` says.
    func advance(to progress: FlashProgress) {
        state.withLock { $0 = .partial(progress) }
    }

    /// Everything was written and verified.
    func complete() {
        state.withLock { $0 = .complete }
    }

    /// What the flash holds, as the end of a sentence.
    var description: String {
        switch state.withLock({ $0 }) {
        case .untouched: "before anything was written: the flash is as it was; the board may wait for a reset"
        case .partial(let progress):
            "after \(progress.overallWritten) of \(progress.overallTotal) bytes: the flash is incomplete at the "
                + "\(progress.region), and the board may not start until it is flashed again"
        case .complete: "when everything was written and verified: reset the board, and it starts"
        }
    }
}
