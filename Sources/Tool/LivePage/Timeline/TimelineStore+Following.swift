import BenchModel
public import SystemPackage

extension TimelineStore {
    /// So many bytes of the file are read at once.
    private static let pieceSize = 256 << 10
    /// So many bytes before the place of reading are compared: where they differ, the file was written anew.
    private static let seamLength = 64
    /// How much of an unfinished line is shown, in bytes.
    private static let shownBeginning = 400

    /// Indexes a stored timeline, and then what is added to it, until the task is cancelled. Rows can be read from the
    /// beginning.
    ///
    /// A file that is truncated, written anew or replaced by another of its name is indexed from its beginning, and a
    /// note tells so. One that is removed stays as it is.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - wait: returns when it is time to look whether there is more.
    /// - Throws: `Errno` when the file cannot be opened or read, and what `wait` throws.
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

    /// Indexes a file until it has to be read from its beginning; returns why.
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
                    // What was added to the former file until it was replaced is still in it.
                    guard own.size <= position else { continue }
                    return "the file was replaced by another one of its name: this is the new one"
                }
            }
            if try file.stat().size < position { return "the file was truncated: this is what it has now" }
            if try file.read(at: position - Int64(seam.count), count: seam.count) != seam {
                return "the file was written anew: this is what it has now"
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

    /// What is to be said of the version of a timeline that begins with `line`.
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
