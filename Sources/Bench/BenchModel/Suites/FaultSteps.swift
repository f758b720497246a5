public import BLEPackets

/// A `fault` step.
public enum FaultStep: Sendable {
    /// Something is done to a PDU on the air.
    case add(AirFault)
    /// No fault any more, and the air as it was.
    case clear
}

/// A fault on the air, which comes once unless it says otherwise.
public struct AirFault: Sendable {
    /// What is done.
    public enum Action: Sendable {
        /// The PDU does not arrive, and its sender does not notice.
        case drop
        /// Noise: the link layer has to send it again.
        case corrupt
        /// Somebody changes this byte of it, counted from the opcode (0), and the checksum with it.
        case alter(byte: Expression)
        /// Somebody sends it once more.
        case replay
        /// It arrives later.
        case delay(Duration)
        /// From there on the two sides do not hear each other.
        case cut
        /// The link ends instead of it, for this HCI reason.
        case disconnect(reason: Expression)
    }

    /// Which PDU.
    public var pattern: PDUPattern
    /// What is done to it.
    public var action: Action
    /// Whether it is done to every such PDU from that one on.
    public var isRepeated = false

    /// The bytes that can be altered, counted from the opcode.
    public static let bytes: ClosedRange<Int64> = 0...511
}

/// One PDU on the air: the n-th of a kind, from the step on.
public struct PDUPattern: Sendable {
    /// Who sends.
    public enum Sender: String, Hashable, Sendable, CaseIterable {
        /// The board.
        case board
        /// A central.
        case central
    }

    /// The kind.
    public var kind: PDUKind
    /// Who sends; `nil`: anyone.
    public var sender: Sender?
    /// Which of these PDUs, counted from 1.
    public var count: Expression
}

/// A `radio` step: how well the air carries between the board and everyone, until it is said anew or cleared.
public struct RadioStep: Sendable {
    /// Of a hundred PDUs, how many are lost; `nil`: as it was.
    public var loss: Expression?
    /// By how many decibels a signal is weaker at the other end; `nil`: as it was.
    public var pathLoss: Expression?

    /// The losses there are, in percent.
    public static let losses: ClosedRange<Int64> = 0...100
    /// The path losses there are, in dB.
    public static let pathLosses: ClosedRange<Int64> = 0...200
}
