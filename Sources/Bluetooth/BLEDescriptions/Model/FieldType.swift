/// How a field is encoded.
enum FieldType: Hashable, Sendable {
    /// A whole number of `width` bytes.
    case integer(width: Int, isSigned: Bool)
    /// IEEE 754, 32 or 64 bits.
    case float32, float64
    /// IEEE 11073-20601: 16 bits, of which 4 are the exponent; or 32 bits, of which 8 are.
    case sfloat, float
    /// One byte; false is 0.
    case bool
    /// Text, of so many bytes or to the end.
    case utf8(Int?), utf16(Int?)
    /// Bytes, so many or to the end.
    case bytes(Int?)

    /// The words of a description; after `u` and `i` any number of whole bytes up to 64 bits is allowed.
    static let words = [
        "u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "float32", "float64", "sfloat", "float",
        "bool", "utf8", "utf16", "bytes",
    ]

    /// The type of that word; `nil` for an unknown one.
    init?(_ word: String, length: Int?) {
        switch word {
        case "float32": self = .float32
        case "float64": self = .float64
        case "sfloat": self = .sfloat
        case "float": self = .float
        case "bool": self = .bool
        case "utf8": self = .utf8(length)
        case "utf16": self = .utf16(length)
        case "bytes": self = .bytes(length)
        default:
            guard let kind = word.first, kind == "u" || kind == "i", let bits = Int(word.dropFirst()),
                (8...64).contains(bits), bits.isMultiple(of: 8)
            else { return nil }
            self = .integer(width: bits / 8, isSigned: kind == "i")
        }
    }

    /// Its length in bytes; `nil`: to the end.
    var length: Int? {
        switch self {
        case .integer(let width, _): width
        case .bool: 1
        case .sfloat: 2
        case .float32, .float: 4
        case .float64: 8
        case .utf8(let length), .utf16(let length), .bytes(let length): length
        }
    }

    /// Whether its value is a number.
    var isNumber: Bool {
        switch self {
        case .utf8, .utf16, .bytes: false
        default: true
        }
    }

    /// The whole numbers it holds; `nil` when it is not one.
    var integers: ClosedRange<Int128>? {
        switch self {
        case .integer(let width, let isSigned):
            let values: Int128 = 1 << Int128(8 * width)
            return isSigned ? -values / 2...values / 2 - 1 : 0...values - 1
        case .bool: return 0...1
        default: return nil
        }
    }
}
