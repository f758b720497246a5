/// What a `power` step does.
public enum PowerAction: String, Hashable, Sendable, CaseIterable {
    /// Supplies the board.
    case on
    /// Cuts the supply.
    case off
    /// Cuts it and supplies it again.
    case cycle
}

/// What a cut of the power waits for.
public enum PowerCutPoint: Sendable {
    /// A console line is complete.
    case console(ConsolePattern)
    /// The firmware changes its NVS for the n-th time from the step on; the cut comes in the middle of it.
    case storageWrite(Expression)
    /// The board's radio sends or receives a PDU.
    case pdu(PDUPattern)
}

/// A `button` step.
public struct ButtonStep: Hashable, Sendable {
    /// What is done with a button.
    public enum Action: Hashable, Sendable {
        /// It is pressed for so long.
        case press(Duration)
        /// It is pressed and stays so.
        case hold
        /// It is let go.
        case release
    }

    /// The pin that it pulls to ground; BOOT is at 0.
    public var pin: Int
    /// What is done.
    public var action: Action

    /// The time a button is pressed for when a suite does not say.
    static let pressTime = Duration.milliseconds(100)
    /// The pins that there are.
    static let pins = 0...48
    /// The pin of the BOOT button.
    static let bootPin = 0
}

/// Where a servo has to be or how it has to move.
public enum ServoExpectation: Sendable {
    /// It is sent to this angle, in degrees.
    case angle(Expression)
    /// It is sent from one angle to another over at least one between them, and never back.
    case sweep(from: Expression, to: Expression)
    /// It gets no pulses.
    case detached
}
