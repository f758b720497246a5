/// The value of a key, of one of NVS's types.
public enum NVSValue: Hashable, Sendable {
    /// `nvs_set_u8`
    case uint8(UInt8)
    /// `nvs_set_i8`
    case int8(Int8)
    /// `nvs_set_u16`
    case uint16(UInt16)
    /// `nvs_set_i16`
    case int16(Int16)
    /// `nvs_set_u32`
    case uint32(UInt32)
    /// `nvs_set_i32`
    case int32(Int32)
    /// `nvs_set_u64`
    case uint64(UInt64)
    /// `nvs_set_i64`
    case int64(Int64)
    /// `nvs_set_str`: the bytes without the terminating NUL; none of them is 0.
    case string([UInt8])
    /// `nvs_set_blob`
    case blob([UInt8])

    /// Its type.
    public var type: NVSType {
        switch self {
        case .uint8: .uint8
        case .int8: .int8
        case .uint16: .uint16
        case .int16: .int16
        case .uint32: .uint32
        case .int32: .int32
        case .uint64: .uint64
        case .int64: .int64
        case .string: .string
        case .blob: .blob
        }
    }

    /// The bytes in flash: little-endian; a string with its NUL.
    public var bytes: [UInt8] {
        switch self {
        case .uint8(let value): [value]
        case .int8(let value): [UInt8(bitPattern: value)]
        case .uint16(let value): littleEndianBytes(value)
        case .int16(let value): littleEndianBytes(UInt16(bitPattern: value))
        case .uint32(let value): littleEndianBytes(value)
        case .int32(let value): littleEndianBytes(UInt32(bitPattern: value))
        case .uint64(let value): littleEndianBytes(value)
        case .int64(let value): littleEndianBytes(UInt64(bitPattern: value))
        case .string(let text): text + [0]
        case .blob(let bytes): bytes
        }
    }

    /// The value of `type` decoded from `bytes`, the reverse of ``bytes``; `nil` when they are invalid.
    public init?(_ bytes: ArraySlice<UInt8>, type: NVSType) {
        switch type {
        case .string:
            guard let end = bytes.firstIndex(of: 0), end == bytes.endIndex - 1 else { return nil }
            self = .string(Array(bytes[..<end]))
        case .blob: self = .blob(Array(bytes))
        default:
            self.init(integer: bytes, type: type)
            guard self.bytes.count == bytes.count else { return nil }
        }
    }

    /// The integer of `type` that `bytes` begin with; `nil` for another type.
    init?(integer bytes: ArraySlice<UInt8>, type: NVSType) {
        let word = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch type {
        case .uint8: self = .uint8(UInt8(truncatingIfNeeded: word))
        case .int8: self = .int8(Int8(truncatingIfNeeded: word))
        case .uint16: self = .uint16(UInt16(truncatingIfNeeded: word))
        case .int16: self = .int16(Int16(truncatingIfNeeded: word))
        case .uint32: self = .uint32(UInt32(truncatingIfNeeded: word))
        case .int32: self = .int32(Int32(truncatingIfNeeded: word))
        case .uint64: self = .uint64(word)
        case .int64: self = .int64(Int64(bitPattern: word))
        default: return nil
        }
    }
}

/// The type of an entry (`nvs_type_t`, `nvs_types.hpp`); open, since flash may hold anything.
public struct NVSType: RawRepresentable, Hashable, Sendable {
    /// The byte in the entry.
    public let rawValue: UInt8

    /// A type by its byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `NVS_TYPE_U8`
    public static let uint8 = NVSType(rawValue: 0x01)
    /// `NVS_TYPE_I8`
    public static let int8 = NVSType(rawValue: 0x11)
    /// `NVS_TYPE_U16`
    public static let uint16 = NVSType(rawValue: 0x02)
    /// `NVS_TYPE_I16`
    public static let int16 = NVSType(rawValue: 0x12)
    /// `NVS_TYPE_U32`
    public static let uint32 = NVSType(rawValue: 0x04)
    /// `NVS_TYPE_I32`
    public static let int32 = NVSType(rawValue: 0x14)
    /// `NVS_TYPE_U64`
    public static let uint64 = NVSType(rawValue: 0x08)
    /// `NVS_TYPE_I64`
    public static let int64 = NVSType(rawValue: 0x18)
    /// `NVS_TYPE_STR`
    public static let string = NVSType(rawValue: 0x21)
    /// `NVS_TYPE_BLOB`
    public static let blob = NVSType(rawValue: 0x42)

    /// A blob as version 1 of the format stored it: in one page, without an index.
    static let legacyBlob = NVSType(rawValue: 0x41)
    /// A chunk of a blob.
    static let blobData = NVSType(rawValue: 0x42)
    /// The entry that names a blob's chunks.
    static let blobIndex = NVSType(rawValue: 0x48)

    /// True if data entries follow the first one.
    var hasData: Bool { self == .string || self == .legacyBlob || self == .blobData }
    /// True if the value is in the entry itself.
    var isInteger: Bool { [0x01, 0x02, 0x04, 0x08].contains(rawValue & ~0x10) }
}

func littleEndianBytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
