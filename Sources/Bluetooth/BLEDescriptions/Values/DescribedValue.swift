import ByteCodec

/// What a described value holds.
public enum DescribedContent: Hashable, Sendable {
    /// A whole number.
    case integer(Int128)
    /// Another number; not a number and infinity are possible.
    case real(Double)
    /// True or false.
    case flag(Bool)
    /// A text.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// Numbers of a repeated field.
    case list([DescribedContent])

    /// The number; of a flag 0 or 1. `nil` for texts, bytes and lists.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .flag(let value): value ? 1 : 0
        case .text, .bytes, .list: nil
        }
    }
}

extension DescribedContent: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral
{
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(Int128(value)) }
    /// Another number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// A text, or the name of a number.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension DescribedContent: CustomStringConvertible {
    /// The number, text or bytes.
    public var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .real(let value): "\(number: value)"
        case .flag(let value): "\(value)"
        case .text(let value): value
        case .bytes(let value): Hexadecimal.string(value, separator: " ")
        case .list(let list): "[\(list.map(\.description).joined(separator: ", "))]"
        }
    }
}

/// A value with its name and unit.
public struct DescribedValue: Sendable {
    /// What is known of it.
    public let description: ValueDescription
    /// The name of the service and its own, e.g. `humidity.relative`.
    public let path: String
    /// What it holds.
    public let content: DescribedContent

    /// Its name, e.g. `relative`.
    public var name: String { description.name }
    /// Its unit, e.g. `%`.
    public var unit: String? { description.unit }
    /// The number; `nil` for texts, bytes and lists.
    public var number: Double? { content.number }

    /// Whether a number is in the described range; true without one.
    public var isInRange: Bool {
        guard let range = description.range, let number else { return true }
        return range.contains(number)
    }

    /// For people: `40.2 %`, `on (1)`, `"Count 7"`, `0.97, 0.98 s`.
    public var text: String { ValueRendering(description).text(content) }
}
