public import BLECentral
import BenchExecutor
internal import MonotonicTime

/// A search for peers that ends by itself: once, several times, or for ever.
public struct TimedSearch: Sendable {
    /// How often it searches.
    public enum Repetition: Sendable, Hashable {
        /// This often, 1 or more.
        case times(Int)
        /// Until its listener goes away.
        case forever

        /// Once.
        public static let once = Repetition.times(1)
    }

    /// What it tells.
    public enum Update: Sendable, Hashable {
        /// Somebody was heard: what this round has found so far.
        case heard(SearchResults)
        /// The time of a round has passed: its number from 1 on, and what it found.
        case roundEnded(Int, SearchResults)
    }

    /// What it looks for.
    public var filter: ScanFilter
    /// How long a round takes.
    public var duration: Duration
    /// How many rounds there are.
    public var repetition: Repetition
    /// The pause between two rounds.
    public var pause: Duration

    /// A search; the default: one round of 5 s, for everybody.
    public init(
        _ filter: ScanFilter = ScanFilter(allowsDuplicates: true), duration: Duration = .seconds(5),
        repetition: Repetition = .once, pause: Duration = .zero
    ) {
        self.filter = filter
        self.duration = duration
        self.repetition = repetition
        self.pause = pause
    }

    /// Runs it; the stream ends after the last round. Each round begins with nothing found.
    ///
    /// While its listener is slow, results replace older ones of the same round; the end of no round is lost.
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

/// Ends the work when nobody refers to the stream any more.
private final class RunningSearch: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit { task.cancel() }

    func end() { task.cancel() }
}
