/// A client's subscription to a characteristic (Core 5.4, Vol 3 Part G 3.3.3.3).
public enum Subscription: String, Hashable, Sendable, CaseIterable, Codable {
    /// Nothing.
    case none
    /// Notifications.
    case notifications
    /// Indications, which the client's stack confirms.
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
