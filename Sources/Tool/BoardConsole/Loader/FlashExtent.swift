import CommandSupport
import ESPFlasher
import Synchronization

/// How much of the flash was written when flashing is interrupted.
package final class FlashExtent: Sendable, CustomStringConvertible {
    private enum State {
        case untouched
        case partial(FlashProgress)
        case erased
        case complete
    }

    private let state = Mutex(State.untouched)
    private let restarted = Mutex(false)

    package init() {}

    /// True if nothing was erased or written.
    package var isUntouched: Bool {
        if case .untouched = state.withLock({ $0 }) { true } else { false }
    }

    /// The failure of a command that `signal` ended.
    package func interrupted(by signal: String) -> CommandFailure {
        let isPartial =
            switch state.withLock({ $0 }) {
            case .partial, .erased: true
            case .untouched, .complete: false
            }
        // Only an incomplete flash needs the hint to flash again.
        return CommandFailure(
            .interrupted, "interrupted by \(signal) \(self)", code: isPartial ? "flash.interrupted" : "interrupted")
    }

    /// True if the command has restarted the board itself.
    package var isRestarted: Bool {
        get { restarted.withLock { $0 } }
        set { restarted.withLock { $0 = newValue } }
    }

    /// Records the flasher's progress.
    package func advance(to progress: FlashProgress) {
        if progress.phase == .comparing, isUntouched { return }
        state.withLock { $0 = .partial(progress) }
    }

    /// Records that the whole flash is being erased.
    package func beginErase() {
        state.withLock { $0 = .erased }
    }

    /// Records that everything was written and verified.
    package func complete() {
        state.withLock { $0 = .complete }
    }

    /// The content of the flash, as the end of a sentence.
    package var description: String {
        switch state.withLock({ $0 }) {
        case .untouched: "before the flash was changed; the board may wait for a reset"
        case .partial(let progress):
            "after \(progress.overallWritten) of \(progress.overallTotal) bytes: the flash is incomplete at "
                + "\(progress.region), and the board may not start until it is flashed again"
        case .erased: "while the flash was being erased: it is incomplete until it is flashed again"
        case .complete: "after everything was written and verified: reset the board to start it"
        }
    }
}
