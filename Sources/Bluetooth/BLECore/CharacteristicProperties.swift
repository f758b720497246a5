/// The properties of a characteristic declaration (Core 5.4, Vol 3 Part G 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable, Codable {
    /// The octet.
    public let rawValue: UInt8

    /// Properties from the octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Broadcast.
    public static let broadcast = CharacteristicProperties(rawValue: 0x01)
    /// Read.
    public static let read = CharacteristicProperties(rawValue: 0x02)
    /// Write without response.
    public static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    /// Write with response.
    public static let write = CharacteristicProperties(rawValue: 0x08)
    /// Notify.
    public static let notify = CharacteristicProperties(rawValue: 0x10)
    /// Indicate.
    public static let indicate = CharacteristicProperties(rawValue: 0x20)
    /// Authenticated signed writes.
    public static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 0x40)
    /// Extended properties.
    public static let extendedProperties = CharacteristicProperties(rawValue: 0x80)
}

extension CharacteristicProperties {
    /// All properties, with their names in suites and reports.
    public static let named: [(name: String, property: CharacteristicProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("write without response", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("signed write", .authenticatedSignedWrites), ("extended", .extendedProperties),
    ]

    /// The names of the properties, separated by commas.
    public var names: String { names(separator: ", ") }

    package func names(separator: String) -> String {
        Self.named.filter { contains($0.property) }.map(\.name).joined(separator: separator)
    }
}

/// A client's subscription to a characteristic (Core 5.4, Vol 3 Part G 3.3.3.3).
public enum Subscription: String, Hashable, Sendable, CaseIterable, Codable {
    /// No subscription.
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

/// The link security required to read or write an attribute (Core 5.4, Vol 3 Part F 3.2.5).
public enum AttributeProtection: Hashable, Sendable {
    /// No security.
    case none
    /// An encrypted link.
    case encrypted
    /// A link encrypted with an authenticated key (MITM protection).
    case authenticated
}
