import Bench
import BenchExecutor
import ESPImage
import FirmwareBuild
import Synchronization
import Testing

/// Sketches that have been built, and kinds of benches whose boards have been flashed with them.
actor PreparedBenches {
    /// The prepared benches of the process, so that shared sketches are built only once.
    static let ofProcess = PreparedBenches()

    private struct Key: Hashable {
        let kind: String
        let boards: [SketchedBoard]
        /// The origin of kinds that a trait defines, since different traits may use the same names.
        let place: SourceLocation?
    }

    private var layouts: [String: Task<FlashLayout, any Error>] = [:]
    /// Builds are done one after another: each uses every processor, and they share the host core.
    private var lastBuild: Task<FlashLayout, any Error>?
    private var benches: [Key: Task<PreparedBench, any Error>] = [:]
    /// The sketch that was last flashed, for each kind that always uses the same boards.
    private let flashed = Mutex<[String: String]>([:])

    /// The kind of bench that a test requires, with the test's sketch.
    func bench(for setup: BenchSetup) async throws -> PreparedBench {
        switch setup.board {
        case .peripheral(let kind): return PreparedBench(kind)
        case .sketches(let boards, let place, let benches, let hasOwnBenches):
            let kind = try benches().kind(TestEnvironment.benchName)
            try Self.check(boards.map(\.board))
            let sketches = try boards.map { try TestEnvironment.sketch($0.name, testFile: place.filePath) }
            return try await bench(of: kind, boards.map(\.board), sketches, place: hasOwnBenches ? place : nil)
        }
    }

    /// Refuses boards that a test could not distinguish.
    private static func check(_ names: [String]) throws {
        guard !names.isEmpty, !names.contains(""), Set(names).count == names.count else {
            throw TestSetupError(
                """
                a bench with the boards [\(names.joined(separator: ", "))]: expected one or more boards with different \
                names
                """
            )
        }
    }

    private func bench(
        of kind: BenchKind, _ names: [String], _ sketches: [Sketch], place: SourceLocation?
    ) async throws -> PreparedBench {
        let boards = zip(names, sketches).map { SketchedBoard(name: $0, sketch: $1.folder) }
        let key = Key(kind: kind.name, boards: boards, place: place)
        if let task = benches[key] { return try await task.value }
        // A test that is cancelled because the bench has too few boards needs no builds.
        let layouts = kind.canHave(boards: sketches.count) ? sketches.map { self.layouts[$0.folder] ?? build($0) } : []
        let task = Task {
            var images: [BoardImage] = []
            for (name, layout) in zip(names, layouts) {
                images.append(BoardImage(name: name, layout: try await layout.value))
            }
            return try await PreparedBench(kind, boards, images)
        }
        benches[key] = task
        return try await task.value
    }

    private func build(_ sketch: Sketch) -> Task<FlashLayout, any Error> {
        let former = lastBuild
        let task = Task {
            _ = await former?.result
            return try await TestEnvironment.build(sketch)
        }
        lastBuild = task
        layouts[sketch.folder] = task
        return task
    }

    /// True if the board of a new bench of this kind must be flashed with a sketch; records the sketch as flashed.
    nonisolated func mustFlash(_ kind: BenchKind, _ sketch: String) -> Bool {
        // A kind without limit gives each bench a new board.
        guard kind.limit != nil else { return kind.flashed == nil }
        return flashed.withLock { $0.updateValue(sketch, forKey: kind.name) } != sketch
    }
}

/// A board by its name and its sketch's folder.
struct SketchedBoard: Hashable {
    let name: String
    let sketch: String
}

/// A kind of bench with the boards of a test.
final class PreparedBench: Sendable {
    let kind: BenchKind
    /// Makes a bench.
    let make: BenchKind.Maker
    /// The number of boards that a test requires.
    let boardCount: Int
    /// The firmware of the only board, if that board can be flashed.
    private let firmware: (sketch: String, layout: FlashLayout)?

    /// A kind whose boards are not flashed.
    init(_ kind: BenchKind) {
        self.kind = kind
        make = kind.make
        boardCount = 1
        firmware = nil
    }

    /// A kind whose benches have `boards`, with these images; the list is empty if it cannot have this many.
    init(_ kind: BenchKind, _ boards: [SketchedBoard], _ images: [BoardImage]) async throws {
        self.kind = kind
        boardCount = boards.count
        firmware = images.first.map { (boards[0].sketch, $0.layout) }
        make = images.isEmpty ? kind.make : try await kind.maker(flashedWith: images) ?? kind.make
    }

    /// Begins the use of a bench: the board in the state after flashing, switched on.
    func prepareBoard(_ session: BenchSession) async throws {
        await session.start()
        if let firmware, PreparedBenches.ofProcess.mustFlash(kind, firmware.sketch) {
            try await session.flash(firmware.layout)
        }
        await session.beginCase()
        try await session.restore()
    }
}
