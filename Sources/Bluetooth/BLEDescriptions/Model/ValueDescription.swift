/// One of the values in a characteristic's value: a field of its bytes, bits of a field, or computed from others.
public struct ValueDescription: Sendable {
    /// Its name, unique in the service, e.g. `relative`.
    public let name: String
    /// The unit for people, e.g. `%`.
    public let unit: String?
    /// The names of whole numbers.
    public let names: [(number: Int128, name: String)]
    /// The numbers that are allowed; others are decoded, and marked.
    public let range: ClosedRange<Double>?
    /// The digits after the decimal point for people.
    public let decimals: Int?
    /// Whether it is a list: the field is repeated until the end of the bytes.
    public let isList: Bool
    /// How a simulated peripheral gets it.
    public let simulation: Wave?
    let source: Source

    /// Whether it is a number, or a list of numbers.
    package var isNumber: Bool {
        guard case .field(let alternatives) = source else { return true }
        return alternatives.first?.type.isNumber ?? true
    }

    /// For people: `40.2 %`, `on (1)`.
    package func text(_ content: DescribedContent) -> String {
        ValueRendering(self).text(RawSearch.whole(content, self)?.content ?? content)
    }

    /// Whether two contents are the same: a number and its name, or numbers that differ by rounding only.
    package func isEqual(_ left: DescribedContent, _ right: DescribedContent) -> Bool {
        let (left, right) = (
            RawSearch.whole(left, self)?.content ?? left, RawSearch.whole(right, self)?.content ?? right
        )
        guard let first = left.number, let second = right.number else { return left == right }
        return abs(first - second) <= 1e-9 * Swift.max(1, abs(first), abs(second))
    }

    enum Source: Sendable {
        /// A field, as the first alternative describes it whose condition holds.
        case field([Field])
        /// Bits of the whole number that is another value's field.
        case bits(of: Int, lowest: Int, count: Int)
        /// Computed from values before it.
        case computed(Formula, condition: Formula?)

        var isField: Bool { if case .field = self { true } else { false } }

        /// The whole numbers that it can be; `nil`: others, too, or that is not known.
        var integers: ClosedRange<Int128>? {
            switch self {
            case .bits(_, _, let count): return 0...(1 << Int128(count)) - 1
            case .field(let fields):
                guard fields.count == 1, case .none = fields[0].conversion else { return nil }
                return fields[0].type.integers
            case .computed: return nil
            }
        }

        /// The numbers between which it is; `nil`: that is not known.
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
        /// When it is there; `nil`: always.
        var condition: Formula?
        var type: FieldType
        /// Its offset; `nil`: after the field before it.
        var offset: Int?
        var isBigEndian: Bool
        var conversion: Conversion
    }

    /// How a raw number becomes a value.
    enum Conversion: Sendable {
        case none
        case linear(scale: Double, offset: Double)
        case formula(Formula)
    }
}
