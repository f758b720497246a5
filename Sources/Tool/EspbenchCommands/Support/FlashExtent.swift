import ESPFlasher
import Synchronization

/// How much of the flash was written when flashing is interrupted.
final class FlashExtent: Sendable, CustomStringConvertible {
    private enum State {
        case untouched
        case partial(FlashProgress)
        case complete
    }

    private let state = Mutex(State.untouched)

    /// Records the flasher's progress.
    func advance(to progress: FlashProgress) {
        state.withLock { $0 = .partial(progress) }
    }

    /// Records that everything was written and verified.
    func complete() {
        state.withLock { $0 = .complete }
    }

    /// The content of the flash, as the end of a sentence.
    var description: String {
        switch state.withLock({ $0 }) {
        case .untouched: "before anything was written: the flash is unchanged; the board may wait for a reset"
        case .partial(let progress):
            "after \(progress.overallWritten) of \(progress.overallTotal) bytes: the flash is incomplete at the "
                + "\(progress.region), and the board may not start until it is flashed again"
        case .complete: "after everything was written and verified: reset the board to start it"
        }
    }
}
