/// Properties and permissions of a characteristic or descriptor, with NimBLE's bits (`BLE_GATT_CHR_F_*`, the
/// `NIMBLE_PROPERTY` of sketches).
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Properties from NimBLE's bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Broadcast.
    public static let broadcast = GATTProperties(rawValue: 0x0001)
    /// Read.
    public static let read = GATTProperties(rawValue: 0x0002)
    /// Write without response. As in NimBLE this also permits write requests.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x0004)
    /// Write with response. As in NimBLE this also permits write commands.
    public static let write = GATTProperties(rawValue: 0x0008)
    /// Notify: the characteristic has a client configuration.
    public static let notify = GATTProperties(rawValue: 0x0010)
    /// Indicate: the characteristic has a client configuration.
    public static let indicate = GATTProperties(rawValue: 0x0020)
    /// Authenticated signed writes; only declared: NimBLE ignores signed writes, since it has no key.
    public static let authenticatedSignedWrites = GATTProperties(rawValue: 0x0040)
    /// Reliable writes.
    public static let reliableWrites = GATTProperties(rawValue: 0x0080)
    /// Writable auxiliaries.
    public static let writableAuxiliaries = GATTProperties(rawValue: 0x0100)
    /// Reading needs an encrypted link.
    public static let readEncrypted = GATTProperties(rawValue: 0x0200)
    /// Reading needs an encrypted link with an authenticated key.
    public static let readAuthenticated = GATTProperties(rawValue: 0x0400)
    /// Reading needs authorization, which is always refused.
    public static let readAuthorized = GATTProperties(rawValue: 0x0800)
    /// Writing needs an encrypted link.
    public static let writeEncrypted = GATTProperties(rawValue: 0x1000)
    /// Writing needs an encrypted link with an authenticated key.
    public static let writeAuthenticated = GATTProperties(rawValue: 0x2000)
    /// Writing needs authorization, which is always refused.
    public static let writeAuthorized = GATTProperties(rawValue: 0x4000)

    /// The octet of the characteristic declaration (Core 5.4, Vol 3 Part G 3.3.1.1).
    var declared: UInt8 {
        let extended: UInt8 = isDisjoint(with: [.reliableWrites, .writableAuxiliaries]) ? 0 : 0x80
        return UInt8(rawValue & 0x7F) | extended
    }

    /// The bits of a client configuration that a client may set (Core 5.4, Vol 3 Part G 3.3.3.3).
    var configurable: UInt16 {
        (contains(.notify) ? 1 : 0) | (contains(.indicate) ? 2 : 0)
    }
}
