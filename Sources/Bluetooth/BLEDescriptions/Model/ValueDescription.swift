import SourceText

/// One of the values in a characteristic's value: a field of its bytes, bits of a field, or a result computed from
/// others. Immutable, and shared by the readings of the value.
public final class ValueDescription: Sendable {
    /// Its name, unique in the service, e.g. `relative`.
    public let name: String
    /// The unit shown to users, e.g. `%`.
    public let unit: String?
    /// The names of whole numbers.
    public let names: [(number: Int128, name: String)]
    /// The allowed numbers; others are decoded and marked.
    public let range: ClosedRange<Double>?
    /// The number of shown digits after the decimal point.
    public let decimals: Int?
    /// True for a list: the field is repeated until the end of the bytes.
    public let isList: Bool
    /// The wave of the value in a simulated peripheral.
    public let simulation: Wave?
    let source: Source

    init(
        name: String, unit: String?, names: [(number: Int128, name: String)], range: ClosedRange<Double>?,
        decimals: Int?, isList: Bool, simulation: Wave?, source: Source
    ) {
        self.name = name
        self.unit = unit
        self.names = names
        self.range = range
        self.decimals = decimals
        self.isList = isList
        self.simulation = simulation
        self.source = source
    }

    /// True for a number, or a list of numbers.
    package var isNumber: Bool {
        guard case .field(let alternatives) = source else { return true }
        return alternatives.first?.type.isNumber ?? true
    }

    /// The text shown to users: `40.2 %`, `on (1)`.
    package func text(_ content: DescribedContent) -> String {
        ValueRendering(self).text(whole(content)?.content ?? content)
    }

    /// True if two contents are equal: also a number and its name, or numbers that differ only by rounding.
    package func isEqual(_ left: DescribedContent, _ right: DescribedContent) -> Bool {
        let (left, right) = (whole(left)?.content ?? left, whole(right)?.content ?? right)
        guard let first = left.number, let second = right.number else { return left == right }
        return abs(first - second) <= 1e-9 * Swift.max(1, abs(first), abs(second))
    }

    enum Source: Sendable {
        /// A field: the first alternative whose condition is true.
        case field([Field])
        /// Bits of another value's field, which is a whole number.
        case bits(of: Int, lowest: Int, count: Int)
        /// Computed from earlier values.
        case computed(Formula, condition: Formula?)

        var isField: Bool { if case .field = self { true } else { false } }

        /// The range of its whole numbers; `nil`: not only whole numbers, or unknown.
        var integers: ClosedRange<Int128>? {
            switch self {
            case .bits(_, _, let count): return 0...(1 << Int128(count)) - 1
            case .field(let fields):
                guard fields.count == 1, case .none = fields[0].conversion else { return nil }
                return fields[0].type.integers
            case .computed: return nil
            }
        }

        /// The range of its numbers; `nil`: unknown.
        var numbers: ClosedRange<Double>? {
            if let integers { return Double(integers.lowerBound)...Double(integers.upperBound) }
            guard case .field(let fields) = self, fields.count == 1, let integers = fields[0].type.integers,
                case .linear(let scale, let offset) = fields[0].conversion
            else { return nil }
            let ends = [integers.lowerBound, integers.upperBound].map { Double($0) * scale + offset }
            return min(ends[0], ends[1])...max(ends[0], ends[1])
        }
    }

    /// A field of the bytes.
    struct Field: Sendable {
        /// The condition under which the field is present; `nil`: always.
        var condition: Formula?
        var type: FieldType
        /// Its offset; `nil`: after the previous field.
        var offset: Int?
        var isBigEndian: Bool
        var conversion: Conversion
    }

    /// The conversion of a raw number to a value.
    enum Conversion: Sendable {
        case none
        case linear(scale: Double, offset: Double)
        case formula(Formula)
    }
}

/// The encoding of a field.
enum FieldType: Hashable, Sendable {
    /// A whole number of `width` bytes.
    case integer(width: Int, isSigned: Bool)
    /// IEEE 754, 32 or 64 bits.
    case float32, float64
    /// IEEE 11073-20601: 16 bits with an exponent of 4 bits, or 32 bits with an exponent of 8 bits.
    case sfloat, float
    /// One byte; false is 0.
    case bool
    /// Text; the length in bytes, or `nil`: to the end.
    case utf8(Int?), utf16(Int?)
    /// Bytes; the length, or `nil`: to the end.
    case bytes(Int?)

    /// The types in a description; `u` and `i` may be followed by any number of whole bytes, up to 64 bits.
    static let words = [
        "u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "float32", "float64", "sfloat", "float",
        "bool", "utf8", "utf16", "bytes",
    ]

    /// The type with this name; `nil` if unknown.
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

    /// True if the value is a number.
    var isNumber: Bool {
        switch self {
        case .utf8, .utf16, .bytes: false
        default: true
        }
    }

    /// The range of its whole numbers; `nil` if the type is not a whole number.
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

/// The name of a value or characteristic, with the name of its service: `humidity.relative`.
package struct ValuePath {
    package let service: String
    package let rest: String

    /// - Throws: `unknownName` if it does not have two parts.
    package init(_ text: String, in description: PeripheralDescription) throws(DescriptionError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            let services = description.services.map(\.name)
            throw DescriptionError(
                .unknownName,
                "\(description.name): expected SERVICE.VALUE, got '\(text)'\(Suggestion.text(for: text, in: services)); services: \(services.list)"
            )
        }
        (service, rest) = (String(parts[0]), String(parts[1]))
    }
}

/// A characteristic of a description, or one of its values.
package struct DescribedPlace: Sendable {
    /// Its service.
    package let service: ServiceDescription
    /// The characteristic.
    package let characteristic: CharacteristicDescription
    /// The index of the value; `nil`: all of several values.
    package let value: Int?

    package init(service: ServiceDescription, characteristic: CharacteristicDescription, value: Int?) {
        self.service = service
        self.characteristic = characteristic
        self.value = value
    }
}

extension PeripheralDescription {
    /// The place named `path`, e.g. `humidity.relative` or `humidity.data`; if a characteristic and a value have the
    /// same name, the value.
    ///
    /// - Throws: `unknownName`.
    package func place(_ path: String) throws(DescriptionError) -> DescribedPlace {
        let names = try ValuePath(path, in: self)
        let service = try service(named: names.service)
        for characteristic in service.characteristics {
            if let value = characteristic.values.firstIndex(where: { $0.name == names.rest }) {
                return DescribedPlace(service: service, characteristic: characteristic, value: value)
            }
        }
        if let characteristic = service.characteristics.first(where: { $0.name == names.rest }) {
            let only = characteristic.values.count == 1 ? 0 : nil
            return DescribedPlace(service: service, characteristic: characteristic, value: only)
        }
        let known = service.characteristics.flatMap { [$0.name] + $0.values.map(\.name) }
        throw DescriptionError(unknown: "characteristic or value", names.rest, in: service.name, among: known)
    }

    /// All names: of services, characteristics and values.
    package var allNames: [String] {
        services.flatMap { service in
            [service.name]
                + service.characteristics.flatMap { characteristic in
                    ([characteristic.name] + characteristic.values.map(\.name)).map { "\(service.name).\($0)" }
                }
        }
    }
}
