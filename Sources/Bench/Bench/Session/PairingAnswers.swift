/// How the user answers what a pairing asks.
public struct PairingAnswers: Hashable, Sendable {
    /// What the user enters when the pairing asks for a passkey.
    public enum Passkey: Hashable, Sendable {
        /// Nothing: being asked is a failure.
        case unexpected
        /// This number, 0...999999.
        case number(UInt32)
        /// The number in the newest console line that matches a regular expression: its first group, or all of it.
        case console(String)
        /// The number after that one, which is wrong.
        case wrongConsole(String)
        /// The user refuses.
        case refused
        /// Nobody answers.
        case unanswered
    }

    /// The passkey.
    public var passkey: Passkey
    /// The board on whose console passkeys are looked up; `nil`: any.
    public var board: BoardID?
    /// The answer to a numeric comparison; `nil`: such a request is a failure.
    public var confirmation: Bool?
    /// What the pairing asked for and neither says.
    var unexpected: String?
    /// Whether the pairing has asked for the passkey.
    var isPasskeyRequested = false
    /// Whether the pairing has asked for a comparison.
    var isComparisonRequested = false

    /// Answers.
    public init(passkey: Passkey = .unexpected, confirmation: Bool? = nil, board: BoardID? = nil) {
        self.board = board
        self.passkey = passkey
        self.confirmation = confirmation
    }

    /// What they answer and the pairing has not asked for, where it has asked for nothing else of theirs.
    var unrequested: String? {
        let hasPasskey = passkey != .unexpected
        if isPasskeyRequested && hasPasskey || isComparisonRequested && confirmation != nil { return nil }
        return hasPasskey ? "a passkey" : confirmation != nil ? "a comparison of numbers" : nil
    }

    /// The passkeys there are.
    public static let passkeys: ClosedRange<UInt32> = 0...999_999
}
