/// Identifies a connection of a backend; never reused.
public struct ConnectionID: Hashable, Sendable, Codable {
    /// The number, counted from 1.
    public let rawValue: UInt32

    /// A connection by number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Identifies an attribute of the peer on one connection: a characteristic value or a descriptor.
///
/// The number is meaningful only to its backend; a stack that exposes attribute handles reports them in service
/// discovery.
public struct AttributeID: Hashable, Sendable, Codable {
    /// The backend's number.
    public let rawValue: UInt16

    /// An attribute by the backend's number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// Whether the server acknowledges a write.
public enum WriteKind: String, Sendable, Codable {
    /// ATT Write Request, or Prepare and Execute for long values.
    case withResponse
    /// ATT Write Command.
    case withoutResponse
}
