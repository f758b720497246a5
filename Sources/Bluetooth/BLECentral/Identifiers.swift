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

/// How a value is written, and whether the server acknowledges it.
public enum WriteKind: String, Sendable, Codable {
    /// ATT Write Request, or Prepare and Execute for long values.
    case withResponse
    /// ATT Write Command.
    case withoutResponse
    /// ATT Prepare Write, the echo of which is compared with the value, and Execute Write, however short the value is
    /// (Core 5.4, Vol 3 Part G 4.9.5). Requires ``CentralAbility/reliableWrites``.
    case reliable
}
