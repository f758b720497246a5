public import BLECore

/// A `subscribe` or `unsubscribe` step.
public struct SubscribeStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Whose subscription.
    public var client: ClientReference
    /// Notifications, indications or nothing.
    public var kind: SubscriptionKind
    /// The error that must come.
    public var expectedError: ExpectedError?
}

/// What a `subscribe` step asks for.
public enum SubscriptionKind: String, Hashable, Sendable, CaseIterable {
    /// Nothing any more.
    case none
    /// Notifications.
    case notifications
    /// Indications.
    case indications
}

/// A `write` step.
public struct WriteStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Who writes.
    public var client: ClientReference
    /// What is written.
    public var value: ValueTemplate
    /// Whether the server acknowledges.
    public var hasResponse: Bool
    /// The error that must come.
    public var expectedError: ExpectedError?
}

/// A `read` step.
public struct ReadStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Who reads.
    public var client: ClientReference
    /// What must be read; `nil`: anything.
    public var value: ValueTemplate?
    /// The error that must come.
    public var expectedError: ExpectedError?
}

/// An `mtu` step.
public struct MTUStep: Hashable, Sendable {
    /// The MTUs there are: from LE's least to what the longest attribute value needs.
    public static let range = 23...517

    /// Who asks.
    public var client: ClientReference
    /// What it offers.
    public var offer: Expression
    /// What must come out; `nil`: anything.
    public var effective: Expression?
}

/// A `discover` step: services that must be there.
public struct DiscoverStep: Hashable, Sendable {
    /// One service that must be there, with exactly these characteristics in this order.
    public struct Service: Hashable, Sendable {
        /// Its UUID.
        public var uuid: UUIDReference
        /// Its characteristics with exactly these properties.
        public var characteristics: [Characteristic]
    }

    /// One characteristic that must be there.
    public struct Characteristic: Hashable, Sendable {
        /// Its UUID.
        public var uuid: UUIDReference
        /// Its properties.
        public var properties: CharacteristicProperties
    }

    /// Who looks.
    public var client: ClientReference
    /// What must be there.
    public var services: [Service]
}

/// An `att` step: an ATT PDU, right or wrong, past the stack that would not send it.
public struct AttributePDUStep: Sendable {
    /// Who sends.
    public var client: ClientReference
    /// The PDU's bytes, with the opcode.
    public var pdu: ValueTemplate
    /// What must come back.
    public var answer: Answer
    /// The longest wait for the answer; when none may come, the whole wait.
    public var timeout: Duration
    /// The error that must come.
    public var expectedError: ExpectedError?

    /// What an `att` step says about what comes back.
    public enum Answer: Sendable {
        /// A response, whatever it is; none for a command.
        case any
        /// This PDU.
        case pdu(ValueTemplate)
        /// Nothing.
        case silence
    }
}
