import BenchModel
import CommandSupport
internal import Console
import Dispatch
import Synchronization

/// Standard output of a command that follows a source. A stopped (Ctrl-S) or slow terminal does not stop the source:
/// bytes wait in memory, up to a limit.
package final class MonitorScreen: Sendable {
    /// The number of waiting bytes above which the source must wait.
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

    /// Waits while too many bytes are waiting, until ``release()``. One task waits at a time.
    package func waitForRoom() async {
        await wait { !self.isReleased.load(ordering: .acquiring) && self.waiting.withLock { $0 >= Self.limit } }
    }

    /// Waits until all bytes are shown, or the task is cancelled; no later call can wait.
    func waitUntilShown() async {
        await wait { self.waiting.withLock { $0 > 0 } }
    }

    /// True if all written bytes are shown.
    package var isIdle: Bool { waiting.withLock { $0 == 0 } }

    /// Waits until all bytes written earlier are shown, even if the task is cancelled.
    package func flush() async {
        guard let queue else { return }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Ends all waiting for room: the session ends.
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
/// Input of a program is read as fast as the port accepts it. Keys are always read, since Ctrl-] must work even while
/// the port accepts no bytes; above a limit, typed bytes are dropped.
final class MonitorInput: Sendable {
    /// The number of waiting bytes above which a program's input is not read.
    private static let programLimit = 4096
    /// The number of waiting bytes above which keys are dropped.
    private static let keyLimit = 1 << 20

    private let waits: Bool
    private let waiting = Mutex(0)
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Counts a program's input, which `waits` for the port, or keys.
    init(waits: Bool) {
        self.waits = waits
    }

    /// True if so many bytes wait that further ones must be dropped.
    var isFull: Bool { waiting.withLock { $0 >= Self.keyLimit } }

    /// Records that bytes were read.
    func read(_ count: Int) { waiting.withLock { $0 += count } }

    /// Records that the port has accepted or refused these bytes.
    func finished(_ count: Int) {
        waiting.withLock { $0 -= count }
        changed.yield()
    }

    /// Waits until further bytes may be read, or the task is cancelled. One task waits at a time.
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
            // A backslash and what is behind it may be text, or stand for a byte.
            if Array(line.text.utf8) != line.bytes { json.hexadecimal("bytes", line.bytes) }
        }
    }

    /// A line of the monitor itself.
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
