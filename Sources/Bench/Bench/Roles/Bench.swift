public import BenchExecutor
public import BLECentral

/// A bench: one or more boards, centrals near them, and its other abilities. Higher layers use a bench only through its
/// parts and their abilities.
///
/// All parts live on ``executor``: they are actors that give it as their executor, and post their events to it.
public struct Bench: Sendable {
    /// The bench's name, e.g. `virtual`.
    public let name: String
    /// The executor of all its parts, and its clock.
    public let executor: BenchExecutor
    /// The boards, at least one.
    public let boards: [BenchBoard]
    /// Centrals near the boards.
    public let centrals: any CentralProvider
    /// The air between them, where it can be controlled.
    public let air: (any AirControl)?
    /// The factor by which time limits are longer than in suites, at least 1: the times in suites are those of a
    /// virtual bench.
    ///
    /// It lengthens each `within` of a suite or test; a time in which no event may occur is not lengthened.
    public let timeFactor: Double
    /// All abilities of the bench; an ability of boards is included only if every board has it.
    public let abilities: Set<BenchAbility>

    /// A bench with one board.
    public init(
        name: String, executor: BenchExecutor, board: any Board, centrals: any CentralProvider,
        air: (any AirControl)? = nil, storage: (any BoardStorage)? = nil, instruments: (any Instruments)? = nil,
        timeFactor: Double = 1
    ) {
        self.init(
            name: name, executor: executor,
            boards: [BenchBoard(name: BenchBoard.onlyName, board: board, storage: storage, instruments: instruments)],
            centrals: centrals, air: air, timeFactor: timeFactor)
    }

    /// A bench of these parts.
    ///
    /// - Parameter boards: at least one; their names differ.
    public init(
        name: String, executor: BenchExecutor, boards: [BenchBoard], centrals: any CentralProvider,
        air: (any AirControl)? = nil, timeFactor: Double = 1
    ) {
        precondition(!boards.isEmpty, "a bench has at least one board")
        self.name = name
        self.executor = executor
        self.boards = boards
        self.centrals = centrals
        self.air = air
        self.timeFactor = max(1, timeFactor)
        var abilities = boards.dropFirst().reduce(boards[0].abilities) { $0.intersection($1.abilities) }
        abilities.formUnion(centrals.abilities)
        if let air { abilities.formUnion(air.airAbilities) }
        self.abilities = abilities
    }

    /// The only board, or the first of several.
    public var board: any Board { boards[0].board }
}

/// A board of a bench, with its storage and instruments.
public struct BenchBoard: Sendable {
    /// The name of the only board of a bench.
    public static let onlyName = "board"

    /// The board's name in events and failures, if there are several boards.
    public let name: String
    /// The board.
    public let board: any Board
    /// Access to the data that the firmware stores; `nil`: the bench has none.
    public let storage: (any BoardStorage)?
    /// The instruments at the board's pins; `nil`: the bench has none.
    public let instruments: (any Instruments)?
    /// The world around the board; `nil`: the bench does not drive it.
    public let world: (any BoardWorld)?

    /// A board.
    public init(
        name: String, board: any Board, storage: (any BoardStorage)? = nil, instruments: (any Instruments)? = nil,
        world: (any BoardWorld)? = nil
    ) {
        self.world = world
        self.name = name
        self.board = board
        self.storage = storage
        self.instruments = instruments
    }

    /// The abilities of the board and its parts.
    var abilities: Set<BenchAbility> {
        var abilities = board.abilities
        if let storage { abilities.formUnion(storage.storageAbilities) }
        if let instruments { abilities.formUnion(instruments.instrumentAbilities) }
        if let world { abilities.formUnion(world.worldAbilities) }
        return abilities
    }
}

/// One of ``Bench/boards``.
public struct BoardID: Hashable, Sendable {
    /// The only board, or the first of several.
    public static let first = BoardID(index: 0)

    /// The board's index.
    public let index: Int

    /// The board at an index of ``Bench/boards``.
    public init(index: Int) { self.index = index }
}

/// An ability that was needed and that the bench lacks.
public struct UnsupportedByBench: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ability that it lacks.
    public let ability: BenchAbility

    /// The error for a bench that lacks `ability`.
    public init(_ ability: BenchAbility) { self.ability = ability }

    /// The error on one line.
    public var description: String { "this bench has no \(ability)" }
}

/// An ability that not every bench has. A case with a step that needs an ability the bench lacks is skipped.
public enum BenchAbility: Hashable, Sendable, CustomStringConvertible {
    /// The board's supply can be switched.
    case power
    /// The board can be reset by its EN pin.
    case reset
    /// An image can be written to the board.
    case flash
    /// The board's console can be read and typed into.
    case console
    /// The board's buttons can be pressed, on any pin.
    case buttons
    /// The board's BOOT button on pin 0 can be pressed.
    case bootButton
    /// The supply can be cut at a chosen event.
    case powerCut
    /// The supply's voltage can drop for a moment, down to the brownout detector's limit.
    case brownout
    /// Faults, losses and path loss between the board and the centrals can be set.
    case airControl
    /// Described peripherals can be played beside the boards.
    case simulation
    /// Pairings with the board can be overheard.
    case eavesdropping
    /// Bonds stored by the firmware can be read and changed while it runs, without its knowledge.
    case boardStorage
    /// All data that the firmware stores can be erased while the firmware does not run.
    case storageErase
    /// The signal of a servo is measured.
    case servo
    /// The levels of pins that the firmware drives are measured.
    case outputPins
    /// PWM signals are measured.
    case pwm
    /// Simulated parts can be wired to the board.
    case parts
    /// A master on the board's I²C buses can address the firmware.
    case i2cMaster
    /// Bytes can be exchanged with the board's UARTs beside the console.
    case uarts
    /// Centrals can have an identity address that the suite chooses.
    case centralAddresses
    /// There can be more than one central at a time.
    case severalCentrals
    /// The bench can have this many boards on one air, each with its own sketch.
    case boards(Int)
    /// The bench can have this many centrals at a time; set only on benches with a limit.
    case centrals(Int)
    /// The stack of every central can do this.
    case central(CentralAbility)

    /// As reports show it.
    public var description: String {
        switch self {
        case .power: "power"
        case .reset: "reset"
        case .flash: "flash"
        case .console: "console"
        case .buttons: "buttons"
        case .bootButton: "a BOOT button on pin 0"
        case .powerCut: "power cuts at events"
        case .brownout: "brownouts"
        case .airControl: "air control"
        case .simulation: "simulated peripherals"
        case .eavesdropping: "eavesdropping"
        case .boardStorage: "access to the board's bonds without a restart"
        case .storageErase: "erasing of the NVS"
        case .servo: "servo measurement"
        case .outputPins: "levels of output pins"
        case .pwm: "PWM measurement"
        case .parts: "simulated parts"
        case .i2cMaster: "a master on the I²C buses"
        case .uarts: "UARTs beside the console"
        case .centralAddresses: "addresses of centrals"
        case .severalCentrals: "several centrals at a time"
        case .boards(let count): "\(count) boards on one air"
        case .centrals(let count): "\(count) centrals at a time"
        case .central(let ability): "a central with \(ability)"
        }
    }
}
