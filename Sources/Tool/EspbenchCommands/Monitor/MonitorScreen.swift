import Dispatch
import Synchronization

/// Standard output of a command that follows something. A terminal that is stopped (Ctrl-S), or slow, does not keep the source from being read: the
/// bytes wait in memory, up to a limit.
final class MonitorScreen: Sendable {
    /// The bytes from which on the console waits.
    private static let limit = 16 << 20

    private let output: Output
    private let queue: DispatchQueue?
    private let waiting = Mutex(0)
    private let isReleased = Atomic(false)
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// A screen that writes to `output`, on a thread of its own if `isThreaded`.
    init(_ output: Output, isThreaded: Bool) {
        self.output = output
        queue = isThreaded ? DispatchQueue(label: "monitor's screen") : nil
    }

    /// Writes `bytes`.
    func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        guard let queue else { return output.data(bytes) }
        waiting.withLock { $0 += bytes.count }
        queue.async { [self] in
            output.data(bytes)
            waiting.withLock { $0 -= bytes.count }
            changed.yield()
        }
    }

    /// Waits while too much has to be shown, until ``release()``. One task waits at a time.
    func waitForRoom() async {
        await wait { !self.isReleased.load(ordering: .acquiring) && self.waiting.withLock { $0 >= Self.limit } }
    }

    /// Waits until everything is shown, or the task is cancelled; nothing can be waited for after that.
    func waitUntilShown() async {
        await wait { self.waiting.withLock { $0 > 0 } }
    }

    /// Whether all that was written is shown.
    var isIdle: Bool { waiting.withLock { $0 == 0 } }

    /// Waits until what was written before is shown, also when the task is cancelled.
    func flush() async {
        guard let queue else { return }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Lets nobody wait for room any more: the session ends.
    func release() {
        isReleased.store(true, ordering: .releasing)
        changed.yield()
    }

    private func wait(while isBusy: () -> Bool) async {
        guard isBusy() else { return }
        for await _ in changes where !isBusy() { return }
    }
}
