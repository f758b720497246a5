import ByteCodec
import BenchExecutor
public import BLECentral
import BLECore
internal import MonotonicTime
import Synchronization

/// A search for peers with a time limit: one round, several rounds, or without end.
public struct TimedSearch: Sendable {
    /// The number of rounds.
    public enum Repetition: Sendable, Hashable {
        /// This many rounds, 1 or more.
        case times(Int)
        /// Rounds until its listener stops.
        case forever

        /// One round.
        public static let once = Repetition.times(1)
    }

    /// A result of the search.
    public enum Update: Sendable, Hashable {
        /// A peer was heard; the results of this round so far.
        case heard(SearchResults)
        /// A round has ended; its number, counted from 1, and its results.
        case roundEnded(Int, SearchResults)
    }

    /// The peers to search for.
    public var filter: ScanFilter
    /// The duration of a round.
    public var duration: Duration
    /// The number of rounds.
    public var repetition: Repetition
    /// The pause between two rounds.
    public var pause: Duration

    /// A search; the default: one round of 5 s, for all peers.
    public init(
        _ filter: ScanFilter = ScanFilter(allowsDuplicates: true), duration: Duration = .seconds(5),
        repetition: Repetition = .once, pause: Duration = .zero
    ) {
        self.filter = filter
        self.duration = duration
        self.repetition = repetition
        self.pause = pause
    }

    /// Runs the search; the stream ends after the last round. Each round begins without results.
    ///
    /// For a slow listener, newer results replace unread ones of the same round; each end of a round is reported.
    public func run(on central: Central) -> AsyncThrowingStream<Update, any Error> {
        let updates = SearchUpdates()
        let search = self
        let task = Task(executorPreference: central.executor) {
            do {
                try await search.work(central, updates)
                updates.finish(nil)
            } catch {
                updates.finish(error)
            }
        }
        let running = RunningSearch(task)
        return AsyncThrowingStream {
            try await withTaskCancellationHandler {
                try await updates.next()
            } onCancel: {
                running.end()
                updates.finish(nil)
            }
        }
    }

    private func work(_ central: Central, _ updates: SearchUpdates) async throws {
        var round = 0
        while !Task.isCancelled {
            round += 1
            let found = try await oneRound(central, updates)
            try Task.checkCancellation()
            updates.post(.roundEnded(round, found))
            if case .times(let count) = repetition, round >= count { return }
            if pause > .zero { try await BenchClock(central.executor).sleep(for: pause) }
        }
    }

    private func oneRound(_ central: Central, _ updates: SearchUpdates) async throws -> SearchResults {
        let sightings = try await central.sightings(filter)
        let listening = Task(executorPreference: central.executor) { () throws -> SearchResults in
            var results = SearchResults()
            for try await sighting in sightings {
                results.add(sighting)
                updates.post(.heard(results))
            }
            return results
        }
        let executor = central.executor
        let alarm = executor.schedule(at: executor.now.advanced(by: duration)) { listening.cancel() }
        defer { executor.cancel(alarm) }
        return try await withTaskCancellationHandler {
            try await listening.value
        } onCancel: {
            listening.cancel()
        }
    }
}

/// Ends the search when the stream is no longer referenced.
private final class RunningSearch: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit { task.cancel() }

    func end() { task.cancel() }
}

/// The results of a search: each peer once, with its last advertisement.
public struct SearchResults: Sendable, Hashable {
    /// A peer.
    public struct Found: Sendable, Hashable, Identifiable {
        /// The peer.
        public var id: PeerID
        /// Its name, from the newest advertisement that contains one.
        public var name: String?
        /// The signal strength in dBm; `nil` if not known.
        public var rssi: Int?
        /// Its newest advertisement.
        public var advertisement: Advertisement
        /// The number of its advertisements so far.
        public var count: Int
    }

    /// Limit of kept peers; beyond it, the weakest is dropped.
    public static let limit = 1000

    /// The peers, by identifier.
    public private(set) var peers: [PeerID: Found] = [:]

    /// No results yet.
    public init() {}

    /// Adds a received advertisement.
    public mutating func add(_ advertisement: Advertisement) {
        let former = peers[advertisement.peer]
        if former == nil, peers.count == Self.limit, let weakest = peers.values.max(by: Self.isNearer)?.id {
            peers[weakest] = nil
        }
        peers[advertisement.peer] = Found(
            id: advertisement.peer, name: advertisement.data.localName ?? former?.name, rssi: advertisement.knownRSSI,
            advertisement: advertisement, count: (former?.count ?? 0) + 1)
    }

    /// The peers by signal strength, strongest first, unknown strength last. Peers of equal strength are in the order
    /// of their identifiers.
    public var nearestFirst: [Found] { peers.values.sorted(by: Self.isNearer) }

    private static func isNearer(_ one: Found, _ other: Found) -> Bool {
        let (left, right) = (one.rssi ?? .min, other.rssi ?? .min)
        return left != right ? left > right : "\(one.id)" < "\(other.id)"
    }

    /// The nearest peer with this name.
    public func nearest(named name: String) -> Found? { nearestFirst.first { $0.name == name } }
}

/// The unread updates of a search: newer results replace older ones of the same round.
final class SearchUpdates: Sendable {
    private struct State {
        var waiting: [TimedSearch.Update] = []
        var listener: CheckedContinuation<TimedSearch.Update?, any Error>?
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    func post(_ update: TimedSearch.Update) {
        let listener = state.withLock { state -> CheckedContinuation<TimedSearch.Update?, any Error>? in
            guard state.end == nil else { return nil }
            if let listener = state.listener {
                state.listener = nil
                return listener
            }
            if case .heard? = state.waiting.last { state.waiting.removeLast() }
            state.waiting.append(update)
            return nil
        }
        listener?.resume(returning: update)
    }

    func finish(_ error: (any Error)?) {
        let listener = state.withLock { state -> CheckedContinuation<TimedSearch.Update?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failure($0) } ?? .success(())
            defer { state.listener = nil }
            return state.listener
        }
        if let error { listener?.resume(throwing: error) } else { listener?.resume(returning: nil) }
    }

    func next() async throws -> TimedSearch.Update? {
        try await withCheckedThrowingContinuation { continuation in
            let now = state.withLock { state -> Result<TimedSearch.Update?, any Error>? in
                if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
                if let end = state.end { return end.map { nil } }
                state.listener = continuation
                return nil
            }
            if let now { continuation.resume(with: now) }
        }
    }
}

/// The colour of a signal strength: red at −127 dBm, over yellow, to green at −20 dBm and above.
public struct SignalColor: Hashable, Sendable {
    /// 0...255
    public var red, green, blue: UInt8

    /// The weakest strength, in dBm.
    public static let weakest = -127
    /// The strength from which the colour is green.
    public static let strongest = -20

    /// The colour of a strength in dBm; grey for `nil`, an unknown strength.
    public init(rssi: Int?) {
        guard let rssi else {
            (red, green, blue) = (128, 128, 128)
            return
        }
        let span = Self.strongest - Self.weakest
        let part = min(max(rssi - Self.weakest, 0), span)
        // Hue 0° to 120°: first green is added to red, then red is removed.
        red = UInt8(min(255, 2 * 255 * (span - part) / span))
        green = UInt8(min(255, 2 * 255 * part / span))
        blue = 0
    }

    /// As in HTML: `#FF0000`.
    public var hexadecimal: String {
        "#" + Hexadecimal.string([red, green, blue]).uppercased()
    }
}
