public import BenchModel
import Synchronization

/// Keeps what happened on a bench: the last events always, for the context of a failure, and all of them as JSON
/// Lines when a file is asked for.
public final class TimelineRecorder: Sendable {
    /// Takes bytes of the timeline's file, in order.
    public typealias Sink = @Sendable ([UInt8]) throws -> Void

    /// How many events a failure's context can show.
    private static let ringCapacity = 64
    private static let chunkSize = 64 * 1024

    private struct State {
        var ring: [BenchEvent] = []
        var next = 0
        var writer = TimelineLineWriter()
        var failure: (any Error)?
    }

    private let sink: Sink?
    private let state: Mutex<State>

    /// A recorder; `sink` gets the file's bytes, `nil` when no file is asked for.
    public init(sink: Sink? = nil) {
        self.sink = sink
        var state = State()
        state.ring.reserveCapacity(Self.ringCapacity)
        self.state = Mutex(state)
    }

    /// Whether a file is written, so that events made only for it are worth making.
    public var isWriting: Bool { sink != nil }

    /// Adds an event.
    public func record(_ event: BenchEvent) {
        state.withLock { state in
            guard event.payload.isContext else { return append(event, &state) }
            let last = (state.next + Self.ringCapacity - 1) % Self.ringCapacity
            let newest = state.ring.count < Self.ringCapacity ? state.ring.count - 1 : last
            if newest >= 0, event.payload.goesOn(state.ring[newest].payload) {
                state.ring[newest] = event
            } else if state.ring.count < Self.ringCapacity {
                state.ring.append(event)
            } else {
                state.ring[state.next] = event
                state.next = (state.next + 1) % Self.ringCapacity
            }
            append(event, &state)
        }
    }

    /// The last events, oldest first.
    public var recentEvents: [BenchEvent] {
        state.withLock { Array($0.ring[$0.next...] + $0.ring[..<$0.next]) }
    }

    /// Hands what is left to the sink.
    ///
    /// - Throws: the first error of the sink, now or earlier; nothing was handed over after it.
    public func finish() throws {
        try state.withLock { state in
            flush(&state)
            if let failure = state.failure { throw failure }
        }
    }

    private func append(_ event: BenchEvent, _ state: inout State) {
        guard sink != nil, state.failure == nil else { return }
        state.writer.append(event)
        if state.writer.count >= Self.chunkSize { flush(&state) }
    }

    private func flush(_ state: inout State) {
        guard let sink, state.failure == nil, !state.writer.bytes.isEmpty else { return }
        do {
            try sink(state.writer.bytes)
        } catch {
            state.failure = error
        }
        state.writer.removeAll()
    }
}

extension BenchEvent.Payload {
    /// Whether people see by it what led to a failure: neither packets, nor empty lines of the console, nor registers.
    fileprivate var isContext: Bool {
        switch self {
        case .hci: false
        case .console(let line): !line.allSatisfy(\.isWhitespace) && !line.isRegisterDump
        default: true
        }
    }

    /// Whether it is only the next step of the movement that `former` was: of a sweep the last angle is enough.
    fileprivate func goesOn(_ former: BenchEvent.Payload) -> Bool {
        guard case .servo(let pin, true, .some) = self, case .servo(pin, true, .some) = former else { return false }
        return true
    }
}

extension String {
    /// Whether the line is of ESP-IDF's dump of registers: `PC      : 0x400d1234  PS      : 0x00060030 …`.
    fileprivate var isRegisterDump: Bool {
        utf8.dropFirst(8).starts(with: ": 0x".utf8)
    }
}
