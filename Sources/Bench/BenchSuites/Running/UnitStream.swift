import Bench
import BenchModel
import Synchronization

/// The items of a unit on their way to the observers of the run: kept until every unit before it has ended, then passed
/// on as they come, with the times and numbers that they have in the whole run.
final class UnitStream: RunObserver {
    private enum Phase {
        case waiting([RunItem])
        case live(RunOffset)
        case dropped
    }

    private let recorder: EventRecorder
    private let phase = Mutex(Phase.waiting([]))

    /// A stream to the observers of `recorder`.
    init(to recorder: EventRecorder) {
        self.recorder = recorder
    }

    var wantsEvents: Bool { recorder.isObserved }
    var wantsInstances: Bool { recorder.wantsInstances }

    func receive(_ item: RunItem) {
        phase.withLock { phase in
            switch phase {
            case .waiting(var items):
                // Leaves the array the only reference to its elements.
                phase = .dropped
                items.append(item)
                phase = .waiting(items)
            case .live(let offset): recorder.relay(offset.moved(item))
            case .dropped: break
            }
        }
    }

    /// How many items wait.
    var waitingCount: Int {
        phase.withLock { if case .waiting(let items) = $0 { items.count } else { 0 } }
    }

    /// Passes on what waits, and everything that comes.
    func goLive(_ offset: RunOffset) {
        phase.withLock { phase in
            guard case .waiting(let items) = phase else { return }
            for item in items { recorder.relay(offset.moved(item)) }
            phase = .live(offset)
        }
    }

    /// Drops what waits, and everything that comes.
    func drop() {
        phase.withLock { $0 = .dropped }
    }
}
