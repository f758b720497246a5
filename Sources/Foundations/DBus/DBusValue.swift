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
    /// A file descriptor received with the message.
    case unixFD(DBusFileDescriptor)
    /// A value with its type.
    indirect case variant(DBusValue)
    /// An array of bytes, `ay`.
    case bytes([UInt8])
    /// An array of any other type; with the type of its elements, since it may be empty.
    case array(DBusType, [DBusValue])
    case structure([DBusValue])
    /// A dictionary, in the order of the message; with the types of keys and values, since it may be empty.
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

    /// A dictionary `a{sv}`, the type of options and properties.
    public static func options(_ options: KeyValuePairs<String, DBusValue>) -> DBusValue {
        .dictionary(.string, .variant, options.map { Entry(.string($0.key), .variant($0.value)) })
    }

    /// The value's type.
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

    /// Appends the code of the value's type.
    func appendCode(to codes: inout [UInt8]) {
        switch self {
        // For these values, `type` would allocate in every call.
        case .bytes:
            codes.append(UInt8(ascii: "a"))
            codes.append(UInt8(ascii: "y"))
        case .dictionary(.string, .variant, _): codes.append(contentsOf: Self.optionsCode)
        default: type.appendCode(to: &codes)
        }
    }

    private static let optionsCode = Array("a{sv}".utf8)
}

/// Access to values within variants; `nil` for a value of another type.
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

    /// An integer of any width, if it fits.
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

    /// The entries of a dictionary whose keys are strings or object paths, the values without their variants; of equal
    /// keys, the last one counts.
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

/// A single complete type (D-Bus Specification, "Type System").
public enum DBusType: Hashable, Sendable {
    /// `y`, `b`, `n`, `q`, `i`, `u`, `x`, `t`, `d`.
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    /// `s`, `o`, `g`.
    case string, objectPath, signature
    /// `h`: a file descriptor.
    case unixFD
    /// `v`.
    case variant
    /// `a…`.
    indirect case array(DBusType)
    /// `(…)`; at least one field.
    case structure([DBusType])
    /// `a{…}`; the key is a basic type.
    indirect case dictionary(DBusType, DBusType)

    /// The alignment of a value, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// True if it may be the key of a dictionary.
    var isBasic: Bool {
        switch self {
        case .variant, .array, .structure, .dictionary: false
        default: true
        }
    }

    /// The code of the type.
    public var code: String {
        var codes: [UInt8] = []
        appendCode(to: &codes)
        return String(decoding: codes, as: UTF8.self)
    }

    func appendCode(to codes: inout [UInt8]) {
        switch self {
        case .byte: codes.append(UInt8(ascii: "y"))
        case .boolean: codes.append(UInt8(ascii: "b"))
        case .int16: codes.append(UInt8(ascii: "n"))
        case .uint16: codes.append(UInt8(ascii: "q"))
        case .int32: codes.append(UInt8(ascii: "i"))
        case .uint32: codes.append(UInt8(ascii: "u"))
        case .int64: codes.append(UInt8(ascii: "x"))
        case .uint64: codes.append(UInt8(ascii: "t"))
        case .double: codes.append(UInt8(ascii: "d"))
        case .string: codes.append(UInt8(ascii: "s"))
        case .objectPath: codes.append(UInt8(ascii: "o"))
        case .signature: codes.append(UInt8(ascii: "g"))
        case .unixFD: codes.append(UInt8(ascii: "h"))
        case .variant: codes.append(UInt8(ascii: "v"))
        case .array(let element):
            codes.append(UInt8(ascii: "a"))
            element.appendCode(to: &codes)
        case .structure(let fields):
            codes.append(UInt8(ascii: "("))
            for field in fields { field.appendCode(to: &codes) }
            codes.append(UInt8(ascii: ")"))
        case .dictionary(let key, let value):
            codes.append(UInt8(ascii: "a"))
            codes.append(UInt8(ascii: "{"))
            key.appendCode(to: &codes)
            value.appendCode(to: &codes)
            codes.append(UInt8(ascii: "}"))
        }
    }
}

extension DBusType {
    /// The greatest depth of arrays, and of structures (D-Bus Specification, "Valid Signatures").
    private static let depthLimit = 32
    private static let bytes: [DBusType] = [.array(.byte)]

    /// Parses a signature of any number of complete types.
    ///
    /// - Throws: code `protocolViolation` for an invalid signature.
    package static func parse(_ signature: String) throws(DBusError) -> [DBusType] {
        // The signatures of most messages.
        if signature.isEmpty { return [] }
        if signature == "ay" { return bytes }
        let codes = Array(signature.utf8)
        guard codes.count <= 255 else {
            throw DBusError(.protocolViolation, "signature: expected at most 255 codes, got \(codes.count)")
        }
        var position = 0
        var types: [DBusType] = []
        while position < codes.count { types.append(try parse(codes, &position, 0, 0)) }
        return types
    }

    private static func invalid(_ codes: [UInt8], _ position: Int, _ expected: String) -> DBusError {
        DBusError(
            .protocolViolation,
            "signature \"\(String(decoding: codes, as: UTF8.self))\": expected \(expected) at position \(position)")
    }

    private static func parse(
        _ codes: [UInt8], _ position: inout Int, _ arrays: Int, _ structures: Int
    ) throws(DBusError) -> DBusType {
        guard position < codes.count else { throw invalid(codes, position, "a type") }
        guard arrays <= depthLimit, structures <= depthLimit else {
            throw invalid(codes, position, "at most \(depthLimit) levels of nesting")
        }
        let code = codes[position]
        position += 1
        switch code {
        case UInt8(ascii: "a"):
            guard position < codes.count, codes[position] == UInt8(ascii: "{") else {
                return .array(try parse(codes, &position, arrays + 1, structures))
            }
            position += 1
            let key = try parse(codes, &position, arrays + 1, structures + 1)
            guard key.isBasic else { throw invalid(codes, position, "a key of a basic type") }
            let value = try parse(codes, &position, arrays + 1, structures + 1)
            try skip(UInt8(ascii: "}"), codes, &position)
            return .dictionary(key, value)
        case UInt8(ascii: "("):
            var fields: [DBusType] = []
            repeat {
                fields.append(try parse(codes, &position, arrays, structures + 1))
            } while position < codes.count && codes[position] != UInt8(ascii: ")")
            try skip(UInt8(ascii: ")"), codes, &position)
            return .structure(fields)
        default:
            guard let type = basic(code) else { throw invalid(codes, position - 1, "a type") }
            return type
        }
    }

    private static func skip(_ code: UInt8, _ codes: [UInt8], _ position: inout Int) throws(DBusError) {
        guard position < codes.count, codes[position] == code else {
            throw invalid(codes, position, "\"\(Character(UnicodeScalar(code)))\"")
        }
        position += 1
    }

    private static func basic(_ code: UInt8) -> DBusType? {
        switch UnicodeScalar(code) {
        case "y": .byte
        case "b": .boolean
        case "n": .int16
        case "q": .uint16
        case "i": .int32
        case "u": .uint32
        case "x": .int64
        case "t": .uint64
        case "d": .double
        case "s": .string
        case "o": .objectPath
        case "g": .signature
        case "h": .unixFD
        case "v": .variant
        default: nil
        }
    }
}
