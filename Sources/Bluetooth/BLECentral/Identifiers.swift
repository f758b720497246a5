/// Names one connection of one backend; never used twice.
public struct ConnectionID: Hashable, Sendable, Codable {
    /// The number, counted from 1.
    public let rawValue: UInt32

    /// A connection by number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Names one attribute of the peer on one connection: the value of a characteristic, or a descriptor.
///
/// The number means nothing but to its backend; where a stack shows handles, the attribute's is in what discovery finds.
public struct AttributeID: Hashable, Sendable, Codable {
    /// A number the backend gives.
    public let rawValue: UInt16

    /// An attribute by the backend's number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// With or without an acknowledgement of the server.
public enum WriteKind: String, Sendable, Codable {
    /// ATT Write Request, or Prepare and Execute for long values.
    case withResponse
    /// ATT Write Command.
    case withoutResponse
}

/// What a client asks a characteristic to send (Core 5.4, Vol 3 Part G 3.3.3.3).
public enum Subscription: UInt16, Sendable, Codable {
    /// Nothing.
    case none = 0
    /// Notifications.
    case notifications = 1
    /// Indications; the backend confirms them by itself.
    case indications = 2
}
