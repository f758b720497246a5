public import BenchModel
public import BLEDescriptions
import Synchronization
public import SystemPackage

/// The events of a run, or of a stored timeline, as rows that can be read in any order.
///
/// The lines are stored in a file; the index in memory takes about three bytes per line. Rows are only added, unless a
/// followed file is replaced or truncated: then the store restarts, with another ``TimelineStatus/id``.
public final class TimelineStore: RunObserver, Sendable {
    /// The maximum number of notes; later ones are dropped.
    private static let maximumNotes = 16

    package struct State {
        package var index = TimelineIndex()
        package var file: LineFile?
        /// The number of restarts of the store.
        package var generation = 0
        /// Remarks on the timeline as a whole, for its readers.
        package var notes: [String] = []
        /// The number of events that could not be kept.
        package var dropped = 0
        /// True if the last line marks the end of the timeline.
        package var hasEnded = false
        /// The number of indexed bytes of a stored file, and the file's size; `nil` for a run.
        package var indexed: (bytes: Int64, of: Int64)?
        /// The unfinished line of a stored file.
        package var unfinished: UnfinishedLine?
        /// Counts changes, for tasks that wait for a change.
        package var version = 0
        package var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        package var lastWaiting = 0

        package mutating func note(_ text: String) {
            if notes.count < TimelineStore.maximumNotes { notes.append(text) }
        }
    }

    /// An incomplete line at the end of the file.
    package struct UnfinishedLine: Equatable {
        package var row: Int
        package var length: Int
        package var beginning: String
    }

    private let run: String
    let descriptions: [PeripheralDescription]
    private let writer = Mutex(TimelineLineWriter())
    private let state: Mutex<State>
    /// The maximum size of the file to which events are written, in bytes.
    private let limit: Int64

    /// A store that is filled by ``follow(_:wait:)``.
    ///
    /// - Parameters:
    ///   - run: distinguishes this store from that of another run of the program.
    ///   - descriptions: explain values, as in an `EventDescriber`.
    public init(run: String, descriptions: [PeripheralDescription] = []) {
        self.run = run
        self.descriptions = descriptions
        limit = 0
        state = Mutex(State())
    }

    /// A store of the events that it receives as an observer of a run.
    ///
    /// - Parameters:
    ///   - run: distinguishes this store from that of another run of the program.
    ///   - file: an empty file without other users, opened for reading and writing; the store closes it.
    ///   - limit: the maximum number of bytes written; later events are counted as dropped.
    ///   - descriptions: explain values, as in an `EventDescriber`.
    public init(
        run: String, recordingTo file: FileDescriptor, limit: Int64 = 2 << 30,
        descriptions: [PeripheralDescription] = []
    ) {
        self.run = run
        self.descriptions = descriptions
        self.limit = limit
        state = Mutex(State(file: LineFile(file, isAppended: true)))
    }

    /// A timeline consists of events.
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

    /// Changes the store, and notifies the tasks that wait for a change.
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

    /// The identifier of the current rows; with another identifier, row numbers mean other rows.
    package func id(_ state: State) -> String { "\(run)-\(state.generation)" }

    // MARK: Waiting

    /// Waits until the store has changed since `version`, or the task is cancelled; returns the new version.
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

extension TimelineStore {
    /// The number of bytes of the file that are read at once.
    private static let pieceSize = 256 << 10
    /// The number of bytes before the reading position that are compared; if they differ, the file was replaced.
    private static let seamLength = 64
    /// The maximum number of shown bytes of an unfinished line.
    private static let shownBeginning = 400

    /// Indexes a stored timeline, and then the lines added to it, until the task is cancelled. Rows can be read at
    /// once.
    ///
    /// A file that is truncated, rewritten or replaced is indexed again from its beginning, and a note reports that.
    /// After the file is removed, its rows are kept.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - wait: returns when the file should be checked again.
    /// - Throws: `Errno` when the file cannot be opened or read; also the errors of `wait`.
    public func follow(_ path: FilePath, wait: () async throws -> Void) async throws {
        var note: String?
        while true {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            let file = LineFile(descriptor, isAppended: false)
            begin(file, note: note)
            note = try await index(file, at: path, wait: wait)
        }
    }

    private func begin(_ file: LineFile, note: String?) {
        change { state in
            if state.file != nil { state.generation += 1 }
            state.index = TimelineIndex()
            state.file = file
            state.notes = note.map { [$0] } ?? []
            state.hasEnded = false
            state.unfinished = nil
            state.indexed = (0, 0)
        }
    }

    /// Indexes a file until it must be indexed again from its beginning; returns the reason.
    private func index(_ file: LineFile, at path: FilePath, wait: () async throws -> Void) async throws -> String {
        var splitter = LineSplitter()
        var position: Int64 = 0
        var seam: [UInt8] = []
        while true {
            try Task.checkCancellation()
            let piece = try file.read(at: position, count: Self.pieceSize)
            position += Int64(piece.count)
            seam = (seam + piece.suffix(Self.seamLength)).suffix(Self.seamLength)
            let size = try file.stat().size
            if !piece.isEmpty || withState({ $0.indexed?.of != size }) {
                add(piece, &splitter, position: position, size: size)
            }
            guard piece.isEmpty else {
                await Task.yield()
                continue
            }
            try await wait()
            if let stat = try? path.stat(), stat.size >= 0 {
                let own = try file.stat()
                if (stat.deviceID, stat.inode) != (own.deviceID, own.inode) {
                    // The former file may have unread lines that were added before it was replaced.
                    guard own.size <= position else { continue }
                    return "the file was replaced by another one of its name: this is the new one"
                }
            }
            if try file.stat().size < position { return "the file was truncated: this is what it has now" }
            if try file.read(at: position - Int64(seam.count), count: seam.count) != seam {
                return "the file was rewritten: these are its new contents"
            }
        }
    }

    private func add(_ piece: [UInt8], _ splitter: inout LineSplitter, position: Int64, size: Int64) {
        change { state in
            let hadRows = state.index.rowCount > 0
            splitter.split(piece, into: &state.index)
            if !hadRows, state.index.rowCount > 0, let line = Self.firstLine(state), let note = Self.versionNote(line) {
                state.note(note)
            }
            state.indexed = (position, max(position, size))
            state.hasEnded = state.index.lastKind == TimelineEnded.kind && splitter.length == 0
            state.unfinished =
                splitter.length == 0
                ? nil
                : UnfinishedLine(
                    row: state.index.rowCount, length: splitter.length,
                    beginning: String(decoding: splitter.beginning.prefix(Self.shownBeginning), as: UTF8.self)
                        .printable)
        }
    }

    private static func firstLine(_ state: State) -> ArraySlice<UInt8>? {
        let bytes = try? state.file?.read(at: 0, count: TimelineBlock.maximumLength)
        return bytes?.prefix { $0 != UInt8(ascii: "\n") }
    }

    /// The remark on the version of a timeline that begins with `line`.
    private static func versionNote(_ line: ArraySlice<UInt8>) -> String? {
        let versions = TimelineReader.formatVersions
        guard let fields = try? EventFields(line, line: 1), (try? fields.string("kind")) == TimelineBegan.kind else {
            return "not a timeline from its beginning: expected a first line of kind '\(TimelineBegan.kind)'"
        }
        guard let version = try? fields.integer("version") else {
            return "the first line does not say which version of the format this is"
        }
        if version > versions.upperBound {
            return "a newer espbench wrote this timeline (version \(version), this one reads up to "
                + "\(versions.upperBound)): kinds that it does not know are shown as they are"
        }
        if version < versions.lowerBound { return "no espbench wrote this timeline: its version is \(version)" }
        if version < 3 {
            return "an older espbench wrote this timeline (version \(version)): it does not say whether it is complete"
        }
        return nil
    }
}

extension TimelineStore {
    /// The minimum interval between two updates of browsers.
    private static let interval = Duration.milliseconds(50)

    /// Sends the numbers of rows to browsers whenever rows are added, until the task is cancelled. A browser fetches
    /// the rows that it shows, so that a slow browser delays nothing and loses no rows.
    public func publish(to hub: LiveHub, time: LiveTime) async throws {
        var version = -1
        while true {
            try Task.checkCancellation()
            version = await change(after: version)
            hub.set("timeline", counts)
            try await time.sleep(Self.interval)
        }
    }
}
