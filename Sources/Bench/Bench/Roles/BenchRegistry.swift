public import BenchExecutor
internal import BenchModel
public import ESPImage

/// A kind of bench that a program offers.
public struct BenchKind: Sendable {
    /// The kind's name, e.g. `virtual`.
    public var name: String
    /// How its time passes.
    public var pace: BenchExecutor.Pace
    /// The most benches of this kind at a time: one, if they share a board; `nil`: any number.
    public var limit: Int?
    /// The most boards that each of these benches can have on one air; `nil`: any number.
    public var boardLimit: Int?
    /// Makes a bench on an executor; `seed` determines all randomness of the bench.
    public typealias Maker = @Sendable (_ seed: UInt64, BenchExecutor) async throws -> Bench

    /// Makes a bench with one board.
    public var make: Maker
    /// Makes benches with a board for each of these images; the boards are flashed once, on the given executor. `nil`:
    /// each bench flashes its boards itself.
    public var flashed: (@Sendable ([BoardImage], BenchExecutor) async throws -> Maker)?

    /// A kind.
    public init(
        name: String, pace: BenchExecutor.Pace, limit: Int? = nil, boardLimit: Int? = 1,
        make: @escaping Maker,
        flashed: (@Sendable ([BoardImage], BenchExecutor) async throws -> Maker)? = nil
    ) {
        self.name = name
        self.pace = pace
        self.limit = limit
        self.boardLimit = boardLimit
        self.make = make
        self.flashed = flashed
    }
}

extension BenchKind {
    /// Flashes a board with each of `images` and returns a maker of benches with these boards; `nil`: each bench
    /// flashes its boards itself.
    public func maker(flashedWith images: [BoardImage]) async throws -> Maker? {
        guard let flashed else { return nil }
        let executor = BenchExecutor(pace: pace)
        return try await executor.runOnThread { try await flashed(images, executor) }
    }

    /// True if benches can have this many boards on one air.
    public func canHave(boards count: Int) -> Bool { boardLimit.map { count <= $0 } ?? true }
}

/// A board to be created, and the contents of its flash.
public struct BoardImage: Sendable {
    /// The board's name.
    public var name: String
    /// The layout of its flash.
    public var layout: FlashLayout

    /// A board; by default the only one.
    public init(name: String = BenchBoard.onlyName, layout: FlashLayout) {
        self.name = name
        self.layout = layout
    }
}

/// The available kinds of benches; the program registers them.
public struct BenchRegistry: Sendable {
    private var kinds: [BenchKind] = []

    /// A registry without kinds.
    public init() {}

    /// Adds a kind; replaces an earlier kind of that name.
    public mutating func add(_ kind: BenchKind) {
        kinds.removeAll { $0.name == kind.name }
        kinds.append(kind)
    }

    /// The names of the kinds, in the order they were added.
    public var names: [String] { kinds.map(\.name) }

    /// The kind of this name.
    ///
    /// - Throws: ``UnknownBench``.
    public func kind(_ name: String) throws(UnknownBench) -> BenchKind {
        guard let kind = kinds.first(where: { $0.name == name }) else {
            throw UnknownBench(name: name, known: names)
        }
        return kind
    }
}

/// No kind of bench has this name.
public struct UnknownBench: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public var name: String
    /// The known names.
    public var known: [String]

    /// The error on one line.
    public var description: String {
        known.isEmpty
            ? "no bench '\(name)': this build of espbench has none"
            : "no bench '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: \(known.joined(separator: ", "))"
    }
}
