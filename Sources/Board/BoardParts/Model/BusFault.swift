/// A fault of a part on an I²C bus, for tests of how firmware handles it.
public struct BusFault: Hashable, Sendable {
    /// The kinds of faults.
    public enum Kind: Hashable, Sendable {
        /// The part does not acknowledge its address (`nil`), or the n-th byte that is written to it, counted from 1.
        case noAcknowledgement(byte: Int?)
        /// It holds SCL low for a time after it has acknowledged its address.
        case stretchedClock(Duration)
        /// A bit, 0 to 7, of the n-th byte is inverted, counted from 1; of those the part sends, or that are written to it.
        case invertedBit(Int, byte: Int, isWritten: Bool)
        /// SDA is held low from now on, for a time or (`nil`) until the faults are cleared. The nine clocks of a bus
        /// recovery do not end it.
        case heldData(for: Duration?)
    }

    /// The kind.
    public var kind: Kind
    /// The transaction with the part that has the fault, counted from 1; without meaning for `heldData`.
    public var transaction: Int
    /// True if every later transaction has it, too.
    public var isRepeated: Bool

    /// A fault.
    public init(_ kind: Kind, transaction: Int = 1, isRepeated: Bool = false) {
        self.kind = kind
        self.transaction = transaction
        self.isRepeated = isRepeated
    }
}
