public import SerialPort

/// How a board is put into its loader.
public struct ConnectOptions: Hashable, Sendable {
    /// What happens on the modem lines before the first SYNC.
    public enum Reset: Hashable, Sendable {
        /// The sequences for the kind of port, one after the other.
        case automatic
        /// This sequence at each attempt.
        case sequence(ResetSequence)
        /// None: the board is in its loader already, or the other side of the port resets it.
        case none
    }

    /// The reset.
    public var reset: Reset
    /// The number of attempts, each with a reset and ``Flasher/syncsPerAttempt`` SYNCs.
    public var attempts: Int

    /// By default seven attempts with the resets for the kind of port.
    public init(reset: Reset = .automatic, attempts: Int = 7) {
        self.reset = reset
        self.attempts = attempts
    }
}
