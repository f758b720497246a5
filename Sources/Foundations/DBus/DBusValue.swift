/// A value of a message's body.
public enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// A file descriptor that came with the message.
    case unixFD(DBusFileDescriptor)
    /// A value with its type.
    indirect case variant(DBusValue)
    /// An array of bytes, `ay`.
    case bytes([UInt8])
    /// An array of any other type; the type of its elements, since it may be empty.
    case array(DBusType, [DBusValue])
    case structure([DBusValue])
    /// A dictionary; the types of keys and values, since it may be empty. In the order of the message.
    case dictionary(DBusType, DBusType, [Entry])

    /// An entry of a dictionary.
    public struct Entry: Hashable, Sendable {
        /// The key, of a basic type.
        public var key: DBusValue
        /// The value.
        public var value: DBusValue

        /// An entry.
        public init(_ key: DBusValue, _ value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The dictionary `a{sv}` that options and properties are.
    public static func options(_ options: KeyValuePairs<String, DBusValue>) -> DBusValue {
        .dictionary(.string, .variant, options.map { Entry(.string($0.key), .variant($0.value)) })
    }

    /// Its type.
    public var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixFD: .unixFD
        case .variant: .variant
        case .bytes: .array(.byte)
        case .array(let element, _): .array(element)
        case .structure(let fields): .structure(fields.map(\.type))
        case .dictionary(let key, let value, _): .dictionary(key, value)
        }
    }

    /// Appends the code of its type.
    func appendCode(to codes: inout [UInt8]) {
        switch self {
        // Those whose type would be allocated, of every call.
        case .bytes:
            codes.append(UInt8(ascii: "a"))
            codes.append(UInt8(ascii: "y"))
        case .dictionary(.string, .variant, _): codes.append(contentsOf: Self.optionsCode)
        default: type.appendCode(to: &codes)
        }
    }

    private static let optionsCode = Array("a{sv}".utf8)
}

/// Values without their variants; `nil` for a value of another type.
extension DBusValue {
    /// The value within a variant, or the value itself.
    public var unwrapped: DBusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    /// A string, object path or signature.
    public var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// A boolean.
    public var bool: Bool? {
        if case .boolean(let value) = unwrapped { value } else { nil }
    }

    /// An integer of any width that fits.
    public var integer: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// An array of bytes.
    public var octets: [UInt8]? {
        if case .bytes(let value) = unwrapped { value } else { nil }
    }

    /// The elements of an array.
    public var elements: [DBusValue]? {
        if case .array(_, let values) = unwrapped { values } else { nil }
    }

    /// The entries of a dictionary.
    public var entries: [Entry]? {
        if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
    }

    /// The entries of a dictionary whose keys are strings or object paths, the values without their variants; the last
    /// one of equal keys.
    public var members: [String: DBusValue]? {
        guard let entries else { return nil }
        var members: [String: DBusValue] = [:]
        for entry in entries {
            guard let key = entry.key.text else { return nil }
            members[key] = entry.value.unwrapped
        }
        return members
    }

    /// A file descriptor.
    public var fileDescriptor: DBusFileDescriptor? {
        if case .unixFD(let descriptor) = unwrapped { descriptor } else { nil }
    }
}
