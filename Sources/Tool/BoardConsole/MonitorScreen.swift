import BenchModel
import CommandSupport
internal import Console
import Dispatch
import Synchronization

/// Standard output of a command that follows something. A terminal that is stopped (Ctrl-S), or slow, does not keep the source from being read: the
/// bytes wait in memory, up to a limit.
package final class MonitorScreen: Sendable {
    /// The bytes from which on the console waits.
    private static let limit = 16 << 20

    private let output: Output
    private let queue: DispatchQueue?
    private let waiting = Mutex(0)
    private let isReleased = Atomic(false)
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// A screen that writes to `output`, on a thread of its own if `isThreaded`.
    package init(_ output: Output, isThreaded: Bool) {
        self.output = output
        queue = isThreaded ? DispatchQueue(label: "monitor's screen") : nil
    }

    /// Writes `bytes`.
    package func write(_ bytes: [UInt8]) {
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
    package func waitForRoom() async {
        await wait { !self.isReleased.load(ordering: .acquiring) && self.waiting.withLock { $0 >= Self.limit } }
    }

    /// Waits until everything is shown, or the task is cancelled; nothing can be waited for after that.
    func waitUntilShown() async {
        await wait { self.waiting.withLock { $0 > 0 } }
    }

    /// True if all that was written is shown.
    package var isIdle: Bool { waiting.withLock { $0 == 0 } }

    /// Waits until what was written before is shown, also when the task is cancelled.
    package func flush() async {
        guard let queue else { return }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Lets nobody wait for room any more: the session ends.
    package func release() {
        isReleased.store(true, ordering: .releasing)
        changed.yield()
    }

    private func wait(while isBusy: () -> Bool) async {
        guard isBusy() else { return }
        for await _ in changes where !isBusy() { return }
    }
}

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

    /// True if so many bytes wait that no more can be sent.
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

/// A monitor's output for programs: a JSON object on each line.
///
/// | event | fields |
/// |---|---|
/// | `line`, `partial` | `time_ms`, `text`; `level` and `tag` of a line of a log |
/// | `note` | `text`: a place of a crash, a lost or new connection |
/// | `end` | `reason`, `exit` |
enum MonitorJSON {
    /// A line, complete or not.
    static func line(_ line: MonitorView.Line, seconds: Double) -> [UInt8] {
        object(line.isComplete ? "line" : "partial") { json in
            json.key("time_ms")
            json.integer(Int64(seconds * 1000))
            if let log = line.log {
                json.string("level", log.level.letter)
                json.string("tag", log.tag)
            }
            json.string("text", line.text)
        }
    }

    /// A line of the monitor's own.
    static func note(_ text: String) -> [UInt8] {
        object("note") { $0.string("text", text) }
    }

    /// The end of the session.
    static func end(_ reason: ExitReason) -> [UInt8] {
        object("end") { json in
            json.string("reason", "\(reason)")
            json.key("exit")
            json.integer(Int64(reason.rawValue))
        }
    }

    private static func object(_ event: String, _ fields: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("event", event)
            fields(&json)
        }
        return json.bytes + [0x0A]
    }
}
