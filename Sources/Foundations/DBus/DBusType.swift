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

    /// The alignment of its values, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }

    /// Whether it may be the key of a dictionary.
    var isBasic: Bool {
        switch self {
        case .variant, .array, .structure, .dictionary: false
        default: true
        }
    }

    /// Its code.
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
    /// The greatest depth of arrays, and that of structures (D-Bus Specification, "Valid Signatures").
    private static let depthLimit = 32
    private static let bytes: [DBusType] = [.array(.byte)]

    /// Parses a signature of any number of complete types.
    ///
    /// - Throws: code `protocolViolation` for one that is not valid.
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
