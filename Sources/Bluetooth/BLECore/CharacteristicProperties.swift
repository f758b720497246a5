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
