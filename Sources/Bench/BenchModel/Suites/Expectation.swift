/// What an `expect` step waits for.
public enum Expectation: Sendable {
    /// A characteristic's value, sent by the server; the next one on this link must be this one.
    case value(ValueExpectation)
    /// A console line; lines before it are passed over.
    case console(ConsolePattern)
    /// The end of a connection, for this reason (HCI error code) or any.
    case disconnect(ClientReference, reason: Expression?)
    /// A servo on this pin, or on any, that is or moves like this.
    case servo(ServoExpectation, pin: Int?)
    /// A link that is protected like this.
    case security(ClientReference, SecurityExpectation)
    /// Bonds.
    case bonds(BondHolder, BondExpectation)
    /// The cut of the power that a step before has asked for.
    case powerCut
    /// None of these for the step's time.
    case nothing(Set<EventKind>)
}

/// A notification or indication that must come.
public struct ValueExpectation: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Who gets it.
    public var client: ClientReference
    /// Whether an indication, not a notification, must come.
    public var isIndication: Bool
    /// The value; `nil`: any.
    public var value: ValueTemplate?
}

/// How a console line must look.
public enum ConsolePattern: Sendable {
    /// The whole line is this text.
    case line(TextTemplate)
    /// Some part of the line matches this regular expression. `Regex` is not Sendable, so who runs the step
    /// compiles the pattern again; it is known to compile.
    case regex(String)
}

/// What `expect: {nothing: …}` can speak of.
public enum EventKind: String, Hashable, Sendable, CaseIterable {
    /// A notification on any link.
    case notification
    /// An indication on any link.
    case indication
    /// A console line that no expectation has passed yet.
    case console
    /// The end of any connection.
    case disconnect
    /// A servo that is attached, detached or sent to another angle.
    case servo
}
