public import BLEDescriptions
public import BenchModel
import Synchronization
public import SystemPackage

/// The events of a run, or of a stored timeline, as rows that can be read in any order.
///
/// The lines themselves are in a file; memory holds some three bytes for each. Rows are only added, except when a followed
/// file is replaced or truncated: then the store begins anew, with another ``TimelineStatus/id``.
public final class TimelineStore: RunObserver, Sendable {
    /// How many notes are kept; later ones are dropped.
    private static let maximumNotes = 16

    package struct State {
        package var index = TimelineIndex()
        package var file: LineFile?
        /// How often the store has begun anew.
        package var generation = 0
        /// What whoever reads the timeline has to know about it as a whole.
        package var notes: [String] = []
        /// How many events could not be kept.
        package var dropped = 0
        /// Whether the last line says that nothing follows.
        package var hasEnded = false
        /// How many bytes of a stored file are indexed, and how many it has; `nil` for a run.
        package var indexed: (bytes: Int64, of: Int64)?
        /// A line of a stored file that has begun and not ended.
        package var unfinished: UnfinishedLine?
        /// Counts changes, for those who wait for one.
        package var version = 0
        package var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        package var lastWaiting = 0

        package mutating func note(_ text: String) {
            if notes.count < TimelineStore.maximumNotes { notes.append(text) }
        }
    }

    /// What is there of a line without an end.
    package struct UnfinishedLine: Equatable {
        package var row: Int
        package var length: Int
        package var beginning: String
    }

    private let run: String
    let descriptions: [PeripheralDescription]
    private let writer = Mutex(TimelineLineWriter())
    private let state: Mutex<State>
    /// The largest file that events are written to, in bytes.
    private let limit: Int64

    /// A store that is filled by ``follow(_:wait:)``.
    ///
    /// - Parameters:
    ///   - run: tells this store from that of another run of the program.
    ///   - descriptions: say what values mean, as of an `EventDescriber`.
    public init(run: String, descriptions: [PeripheralDescription] = []) {
        self.run = run
        self.descriptions = descriptions
        limit = 0
        state = Mutex(State())
    }

    /// A store of the events that it receives as an observer of a run.
    ///
    /// - Parameters:
    ///   - run: tells this store from that of another run of the program.
    ///   - file: an empty file that nobody else uses, opened for reading and writing; the store closes it.
    ///   - limit: how many bytes are written at most; events after that are counted as dropped.
    ///   - descriptions: say what values mean, as of an `EventDescriber`.
    public init(
        run: String, recordingTo file: FileDescriptor, limit: Int64 = 2 << 30,
        descriptions: [PeripheralDescription] = []
    ) {
        self.run = run
        self.descriptions = descriptions
        self.limit = limit
        state = Mutex(State(file: LineFile(file, isAppended: true)))
    }

    /// A timeline is made of events.
    public var wantsEvents: Bool { true }

    /// Adds an event.
    public func receive(_ item: RunItem) {
        guard case .event(let event) = item else { return }
        // One event at a time, so that lines are in the file in the order of the index.
        writer.withLock { writer in
            writer.removeAll()
            writer.append(event)
            record(writer.bytes)
        }
    }

    private func record(_ line: [UInt8]) {
        change { state in
            guard let file = state.file, state.dropped == 0 else {
                state.dropped += 1
                return
            }
            guard state.index.end + Int64(line.count) <= limit else {
                state.note("events are no longer kept: the timeline has reached its limit of \(limit >> 20) MiB")
                state.dropped += 1
                return
            }
            do {
                try file.append(line)
                state.index.append(line.dropLast())
            } catch {
                state.note("events are no longer kept: the timeline's file could not be written: \(error)")
                state.dropped += 1
            }
        }
    }

    /// Changes the store, and tells those who wait for it.
    package func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            state.version += 1
            defer { state.waiting.removeAll() }
            return state.waiting.isEmpty ? [] : Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    package func withState<Result>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    /// The identifier of the rows as they are now: with another one, row numbers mean other rows.
    package func id(_ state: State) -> String { "\(run)-\(state.generation)" }

    // MARK: Waiting

    /// Waits until the store has changed since `version`, or the task is cancelled; returns the version then.
    public func change(after version: Int) async -> Int {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.version == version, !Task.isCancelled else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        return withState(\.version)
    }
}
