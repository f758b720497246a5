import Dispatch
import Synchronization

/// Standard output of a monitor. A terminal that is stopped (Ctrl-S), or slow, does not keep the port from being read: the
/// bytes wait in memory, up to a limit.
final class MonitorScreen: Sendable {
    /// The bytes from which on the console waits.
    private static let limit = 16 << 20

    private let output: Output
    private let queue: DispatchQueue?
    private let waiting = Mutex(0)

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
        }
    }

    /// Whether what was written has to be shown before more is.
    var isFull: Bool { waiting.withLock { $0 >= Self.limit } }

    /// Whether everything is written.
    var isEmpty: Bool { waiting.withLock { $0 == 0 } }
}
