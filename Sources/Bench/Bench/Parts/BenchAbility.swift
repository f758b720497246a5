public import BLECentral

/// Something that one bench can do and another cannot. A step says what it needs; a case with a step that needs more
/// than the bench has is skipped.
public enum BenchAbility: Hashable, Sendable, CustomStringConvertible {
    /// The board's supply can be switched.
    case power
    /// The board can be reset by its EN pin.
    case reset
    /// An image can be written to the board.
    case flash
    /// The board's console can be read and typed into.
    case console
    /// The board's buttons can be pressed, whatever pin they are on.
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
    /// Somebody can listen to the pairings of the board.
    case eavesdropping
    /// What the firmware stores can be read and changed behind its back, while it runs: bonds.
    case boardStorage
    /// Everything that the firmware stores can be erased, while it does not run.
    case storageErase
    /// The signal of a servo is measured.
    case servo
    /// Bytes can be exchanged with the board's UARTs beside the console.
    case uarts
    /// Centrals can have an identity address that the suite chooses.
    case centralAddresses
    /// There can be more than one central at a time.
    case severalCentrals
    /// There can be so many boards on one air, each with a sketch of its own.
    case boards(Int)
    /// There can be so many centrals at a time, where their number is limited.
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
        case .uarts: "UARTs beside the console"
        case .centralAddresses: "addresses of centrals"
        case .severalCentrals: "several centrals at a time"
        case .boards(let count): "\(count) boards on one air"
        case .centrals(let count): "\(count) centrals at a time"
        case .central(let ability): "a central with \(ability)"
        }
    }
}
