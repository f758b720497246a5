public import BLECore
internal import ByteCodec

/// The type of an attribute in the form in which it was registered or requested.
///
/// NimBLE never matches a 16-bit UUID with its own 128-bit form, so here they are two types.
public enum AttributeType: Hashable, Sendable {
    /// An assigned number.
    case uuid16(UInt16)
    /// A 128-bit UUID, even if it is based on the Bluetooth Base UUID.
    case uuid128(BLEUUID)

    /// The shortest form of `uuid`.
    public init(_ uuid: BLEUUID) {
        self = uuid.uint16.map { .uuid16($0) } ?? .uuid128(uuid)
    }

    /// The type from 2 or 16 little-endian bytes of a PDU; `nil` for another number.
    public init?(littleEndian bytes: ArraySlice<UInt8>) {
        switch bytes.count {
        case 2: self = .uuid16(UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8)
        case 16:
            guard let uuid = BLEUUID(littleEndian: bytes) else { return nil }
            self = .uuid128(uuid)
        default: return nil
        }
    }

    /// The little-endian bytes: 2 or 16.
    public var bytes: [UInt8] {
        switch self {
        case .uuid16(let value): [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        case .uuid128(let uuid): uuid.bytes128
        }
    }
}

/// The types that make up a GATT database (Assigned Numbers 3.5 and 3.7, 3.8).
extension AttributeType {
    static let primaryService = AttributeType.uuid16(0x2800)
    static let secondaryService = AttributeType.uuid16(0x2801)
    static let characteristic = AttributeType.uuid16(0x2803)
    static let clientCharacteristicConfiguration = AttributeType.uuid16(0x2902)

    /// True if an attribute of this type opens a service.
    var isService: Bool { self == .primaryService || self == .secondaryService }
}
