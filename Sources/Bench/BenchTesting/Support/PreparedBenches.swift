import Bench
import BenchExecutor
import ESPImage
import FirmwareBuild
import Synchronization
import Testing

/// Sketches that have been built, and kinds of benches whose boards have been flashed with them.
actor PreparedBenches {
    /// Those of the process: what suites share is built once.
    static let ofProcess = PreparedBenches()

    private struct Key: Hashable {
        let kind: String
        let sketch: String
        /// Where kinds are from that are not this machine's: their names may be the same.
        let place: SourceLocation?
    }

    private var layouts: [String: Task<FlashLayout, any Error>] = [:]
    /// Builds are done one after another: each uses every processor, and they share the host core.
    private var lastBuild: Task<FlashLayout, any Error>?
    private var benches: [Key: Task<PreparedBench, any Error>] = [:]
    /// What the boards hold of kinds that always use the same ones.
    private let flashed = Mutex<[String: String]>([:])

    /// The kind of bench that a test asks for, with its sketch.
    func bench(for setup: BenchSetup) async throws -> PreparedBench {
        switch setup.board {
        case .peripheral(let kind): return PreparedBench(kind)
        case .sketch(let name, let place, let benches, let hasOwnBenches):
            let kind = try benches().kind(TestEnvironment.benchName)
            let sketch = try TestEnvironment.sketch(name, testFile: place.filePath)
            return try await bench(of: kind, sketch, place: hasOwnBenches ? place : nil)
        }
    }

    private func bench(of kind: BenchKind, _ sketch: Sketch, place: SourceLocation?) async throws -> PreparedBench {
        let key = Key(kind: kind.name, sketch: sketch.folder, place: place)
        if let task = benches[key] { return try await task.value }
        let layout = layouts[sketch.folder] ?? build(sketch)
        let task = Task { try await PreparedBench(kind, sketch: sketch.folder, layout.value) }
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

    /// Whether the board of a new bench of this kind is to be flashed with a sketch, which is then taken for done.
    nonisolated func mustFlash(_ kind: BenchKind, _ sketch: String) -> Bool {
        // Where there may be any number of benches, each has a new board.
        guard kind.limit != nil else { return kind.flashed == nil }
        return flashed.withLock { $0.updateValue(sketch, forKey: kind.name) } != sketch
    }
}

/// A kind of bench whose boards are what a test is about.
final class PreparedBench: Sendable {
    let kind: BenchKind
    /// Makes a bench.
    let make: BenchKind.Maker
    /// What its boards run, where they can be flashed.
    private let firmware: (sketch: String, layout: FlashLayout)?

    /// A kind whose boards are not flashed.
    init(_ kind: BenchKind) {
        self.kind = kind
        make = kind.make
        firmware = nil
    }

    /// A kind whose boards run `sketch`.
    init(_ kind: BenchKind, sketch: String, _ layout: FlashLayout) async throws {
        self.kind = kind
        firmware = (sketch, layout)
        make = try await kind.maker(flashedWith: layout) ?? kind.make
    }

    /// Begins the use of a bench: the board as it was just flashed, switched on.
    func prepareBoard(_ session: BenchSession) async throws {
        await session.start()
        if let firmware, PreparedBenches.ofProcess.mustFlash(kind, firmware.sketch) {
            try await session.flash(firmware.layout)
        }
        await session.beginCase()
        try await session.restore()
    }
}
