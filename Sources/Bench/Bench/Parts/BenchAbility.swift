/// Something that one bench can do and another cannot. A step says what it needs; a case with a step that needs more
/// than the bench has is skipped.
public enum BenchAbility: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The board's supply can be switched.
    case power
    /// The board can be reset by its EN pin.
    case reset
    /// An image can be written to the board.
    case flash
    /// The board's console can be read and typed into.
    case console
    /// The board's buttons can be pressed.
    case buttons
    /// The supply can be cut at a chosen event.
    case powerCut = "power cuts at events"
    /// Faults, losses and path loss between the board and the centrals can be set.
    case airControl = "air control"
    /// Somebody can listen to the pairings of the board.
    case eavesdropping
    /// What the firmware stores can be read and changed behind its back: NVS and bonds.
    case boardStorage = "board storage"
    /// The signal of a servo is measured.
    case servo = "servo measurement"
    /// Centrals can have an address that the suite chooses.
    case centralAddresses = "central addresses"
    /// Centrals choose how they pair, and answer what a pairing asks.
    case pairingControl = "pairing control"
    /// Centrals can delete a bond, and count those they have.
    case centralBonds = "bonds of centrals"
    /// Centrals show private addresses when asked to.
    case privacy
    /// Centrals can exchange the ATT MTU when asked to.
    case mtuExchange = "MTU exchange"
    /// Centrals can send ATT PDUs past their stack.
    case rawATT = "raw ATT PDUs"
    /// Centrals know why a link ended.
    case disconnectReason = "disconnect reasons"
    /// Centrals know the size of a link's key.
    case keySize = "key sizes"

    /// As reports show it.
    public var description: String { rawValue }
}
