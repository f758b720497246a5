import Synchronization

/// Counts the bytes of a monitor's input that the port has not accepted yet.
///
/// Input of a program is read as fast as the port accepts it. Keys are always read, since Ctrl-] must leave also while the
/// port accepts nothing; what is typed then is dropped from a limit on.
final class MonitorInput: Sendable {
    /// The bytes from which on a program waits.
    private static let programLimit = 4096
    /// The bytes from which on keys are not sent.
    private static let keyLimit = 1 << 20

    private let waits: Bool
    private let waiting = Mutex(0)
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Input that `waits` for the port, or keys.
    init(waits: Bool) {
        self.waits = waits
    }

    /// Whether so many bytes wait that no more can be sent.
    var isFull: Bool { waiting.withLock { $0 >= Self.keyLimit } }

    /// Says that bytes were read.
    func read(_ count: Int) { waiting.withLock { $0 += count } }

    /// Says that the port has accepted, or refused, what these bytes were for.
    func finished(_ count: Int) {
        waiting.withLock { $0 -= count }
        changed.yield()
    }

    /// Waits until more may be read, or the task is cancelled. One task waits at a time.
    func waitForRoom() async {
        guard isBusy else { return }
        for await _ in changes where !isBusy { return }
    }

    private var isBusy: Bool { waits && waiting.withLock { $0 >= Self.programLimit } }
}
