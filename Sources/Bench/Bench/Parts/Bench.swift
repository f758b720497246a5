public import BenchExecutor

/// A bench: a board, centrals near it, and what else can be done with them. Nothing above knows more of a bench than
/// its parts and their abilities.
///
/// All parts live on ``executor``: they are actors that give it as their executor, and post their events to it.
public struct Bench: Sendable {
    /// Its name, e.g. `virtual`.
    public let name: String
    /// The executor of all its parts, and its clock.
    public let executor: BenchExecutor
    /// The board.
    public let board: any Board
    /// Centrals near the board.
    public let centrals: any CentralProvider
    /// The air between them, where it can be controlled.
    public let air: (any AirControl)?
    /// What the firmware stores, where it can be reached.
    public let storage: (any BoardStorage)?
    /// What is measured at the board's pins, where there are instruments.
    public let instruments: (any Instruments)?
    /// By what factor things may take longer than suites say, at least 1: their times are those of a virtual bench.
    ///
    /// It lengthens each `within` of a suite or test; times in which nothing must happen stay as they are.
    public let timeFactor: Double
    /// Everything the bench can do.
    public let abilities: Set<BenchAbility>

    /// A bench of these parts.
    public init(
        name: String, executor: BenchExecutor, board: any Board, centrals: any CentralProvider,
        air: (any AirControl)? = nil, storage: (any BoardStorage)? = nil, instruments: (any Instruments)? = nil,
        timeFactor: Double = 1
    ) {
        self.name = name
        self.executor = executor
        self.board = board
        self.centrals = centrals
        self.air = air
        self.storage = storage
        self.instruments = instruments
        self.timeFactor = max(1, timeFactor)
        var abilities = board.abilities.union(centrals.abilities)
        if let air { abilities.formUnion(air.airAbilities) }
        if let storage { abilities.formUnion(storage.storageAbilities) }
        if let instruments { abilities.formUnion(instruments.instrumentAbilities) }
        self.abilities = abilities
    }
}

/// What a bench was asked for and cannot do.
public struct UnsupportedByBench: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ability that it lacks.
    public let ability: BenchAbility

    /// A lack of `ability`.
    public init(_ ability: BenchAbility) { self.ability = ability }

    /// One line.
    public var description: String { "this bench has no \(ability)" }
}
