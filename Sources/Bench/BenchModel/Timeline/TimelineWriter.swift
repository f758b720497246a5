import MonotonicTime
import Synchronization

/// Writes every event of a run as JSON Lines: the timeline's file.
public final class TimelineWriter: RunObserver {
    /// Takes bytes of the file, in order.
    public typealias Sink = @Sendable ([UInt8]) throws -> Void

    private static let chunkSize = 64 * 1024

    private struct State {
        var writer = TimelineLineWriter()
        var failure: (any Error)?
        var events = 1
        var last = MonotonicInstant.zero
        var hasEnded = false
    }

    private let sink: Sink
    private let state: Mutex<State>

    /// The writer of a run with this seed; `sink` gets the file's bytes.
    public init(seed: UInt64, sink: @escaping Sink) {
        self.sink = sink
        var state = State()
        state.writer.append(BenchEvent(time: .zero, source: "suite", payload: TimelineBegan(seed: seed)))
        self.state = Mutex(state)
    }

    /// A timeline consists of events.
    public var wantsEvents: Bool { true }

    /// Adds an event; results are not part of a timeline.
    public func receive(_ item: RunItem) {
        guard case .event(let event) = item else { return }
        state.withLock { state in
            guard state.failure == nil else { return }
            state.writer.append(event)
            state.events += 1
            state.last = event.time
            if state.writer.count >= Self.chunkSize { flush(&state) }
        }
    }

    /// Adds the last line, and passes the remaining bytes to the sink.
    ///
    /// - Throws: the first error of the sink, now or earlier; later bytes were not passed to it.
    public func finish() throws {
        try state.withLock { state in
            if !state.hasEnded {
                state.hasEnded = true
                let end = TimelineEnded(events: state.events)
                state.writer.append(BenchEvent(time: state.last, source: "suite", payload: end))
            }
            flush(&state)
            if let failure = state.failure { throw failure }
        }
    }

    private func flush(_ state: inout State) {
        guard state.failure == nil, !state.writer.bytes.isEmpty else { return }
        do {
            try sink(state.writer.bytes)
        } catch {
            state.failure = error
        }
        state.writer.removeAll()
    }
}

/// Writes events as JSON Lines: one object a line, keys in a fixed order, integers only, so that equal runs give
/// equal bytes.
///
/// Each line has `t` (nanoseconds on the bench's clock), `source`, `kind` and, within a case, `case` (its number), then
/// the kind's own keys. Values are lower-case hexadecimal text.
public struct TimelineLineWriter: Sendable {
    private var json = JSONWriter()

    /// A writer with nothing written.
    public init() {}

    /// The lines written so far.
    public var bytes: [UInt8] { json.bytes }

    /// The number of bytes written so far.
    public var count: Int { json.bytes.count }

    /// Discards the bytes written so far.
    public mutating func removeAll() {
        json.bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the line of `event`.
    public mutating func append(_ event: BenchEvent) {
        json.event(event)
        json.bytes.append(UInt8(ascii: "\n"))
        json.startOver()
    }
}

extension JSONWriter {
    /// Writes an event as an object.
    public mutating func event(_ event: BenchEvent) {
        object { json in
            json.key("t")
            json.integer(event.time.nanoseconds)
            json.string("source", event.source)
            json.string("kind", type(of: event.payload).kind)
            if event.caseNumber > 0 { json.integer("case", event.caseNumber) }
            event.payload.write(to: &json)
        }
    }
}
