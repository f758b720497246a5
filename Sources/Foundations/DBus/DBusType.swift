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
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .unixFD: "h"
        case .variant: "v"
        case .array(let element): "a" + element.code
        case .structure(let fields): "(" + fields.map(\.code).joined() + ")"
        case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
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
