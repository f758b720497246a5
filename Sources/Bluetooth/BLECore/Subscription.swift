/// What a client asks a characteristic to send (Core 5.4, Vol 3 Part G 3.3.3.3).
public enum Subscription: String, Hashable, Sendable, CaseIterable, Codable {
    /// Nothing.
    case none
    /// Notifications.
    case notifications
    /// Indications; the client's stack confirms them by itself.
    case indications

    /// The value of the Client Characteristic Configuration.
    public var configuration: UInt16 {
        switch self {
        case .none: 0
        case .notifications: 1
        case .indications: 2
        }
    }
}
