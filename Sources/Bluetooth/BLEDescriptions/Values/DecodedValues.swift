import ByteCodec
import SourceText

/// The decoded value of a characteristic.
public struct DescribedReading: Sendable {
    /// The characteristic's description.
    public let characteristic: CharacteristicDescription
    /// The content of each described value; `nil` if not present.
    package let contents: [DescribedContent?]

    /// The present values, in the order of the description.
    public var values: [DescribedValue] { contents.indices.compactMap(value(at:)) }

    package func value(at index: Int) -> DescribedValue? {
        contents[index].map { DescribedValue(characteristic, description: characteristic.values[index], content: $0) }
    }

    /// The content of the value with this name; `nil` if not present, or not described.
    public subscript(name: String) -> DescribedContent? {
        characteristic.values.firstIndex { $0.name == name }.flatMap { contents[$0] }
    }

    /// All values in a line for users: `temperature 24.8 °C, relative 40.2 %`. A single value is shown without its
    /// name.
    public var text: String {
        let values = values
        return values.map { values.count == 1 ? $0.text : "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
}

/// The content of a described value.
public enum DescribedContent: Hashable, Sendable {
    /// A whole number.
    case integer(Int128)
    /// Another number, including NaN and infinity.
    case real(Double)
    /// True or false.
    case flag(Bool)
    /// A text.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// The numbers of a repeated field.
    case list([DescribedContent])

    /// The number; for a flag 0 or 1. `nil` for texts, bytes and lists.
    public var number: Double? {
        switch self {
        case .integer(let value): value.double
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
    /// The value's description.
    public let description: ValueDescription
    /// The content.
    public let content: DescribedContent
    private let characteristic: CharacteristicDescription

    init(_ characteristic: CharacteristicDescription, description: ValueDescription, content: DescribedContent) {
        self.characteristic = characteristic
        self.description = description
        self.content = content
    }

    /// The names of the service and the value, e.g. `humidity.relative`.
    public var path: String { "\(characteristic.path.prefix { $0 != "." }).\(name)" }

    /// Its name, e.g. `relative`.
    public var name: String { description.name }
    /// Its unit, e.g. `%`.
    public var unit: String? { description.unit }
    /// The number; `nil` for texts, bytes and lists.
    public var number: Double? { content.number }

    /// True if a number is in the described range, or no range is described.
    public var isInRange: Bool {
        guard let range = description.range, let number else { return true }
        return range.contains(number)
    }

    /// The text shown to users: `40.2 %`, `on (1)`, `"Count 7"`, `0.97, 0.98 s`.
    public var text: String { ValueRendering(description).text(content) }
}

/// Renders values for users.
struct ValueRendering {
    /// Limit of shown numbers in a list, characters of a text, or bytes; only the count of the others is shown.
    private static let longest = 64

    private let value: ValueDescription

    init(_ value: ValueDescription) {
        self.value = value
    }

    func text(_ content: DescribedContent) -> String {
        let text = plain(content) + (value.unit.map { " \($0)" } ?? "")
        guard let range = value.range, let number = content.number, !range.contains(number) else { return text }
        return "\(text) (outside \(number: range.lowerBound) to \(number: range.upperBound))"
    }

    private func plain(_ content: DescribedContent) -> String {
        switch content {
        case .integer(let number):
            value.names.first { $0.number == number }.map { "\($0.name) (\(number))" } ?? "\(number)"
        case .real(let number): DecimalText.text(number, decimals: value.shownDecimals)
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text):
            "\"\(String(text.prefix(Self.longest)).printable)\"" + (text.count > Self.longest ? " …" : "")
        case .bytes(let bytes): self.bytes(bytes)
        case .list(let list):
            list.isEmpty
                ? "(none)"
                : list.prefix(Self.longest).map(plain).joined(separator: ", ")
                    + (list.count > Self.longest ? " … (\(list.count))" : "")
        }
    }
}

extension ValueRendering {
    /// Hexadecimal digits, followed by the text if the bytes are printable text.
    private func bytes(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "(empty)" }
        let digits = Hexadecimal.string(Array(bytes.prefix(Self.longest)), separator: " ")
        if bytes.count > Self.longest { return "\(digits) … (\(bytes.count) bytes)" }
        guard bytes.count > 1, let text = String(validating: bytes, as: UTF8.self), text.printable == text else {
            return digits
        }
        return "\(digits)  \"\(text)\""
    }
}

extension ValueDescription {
    /// The number of shown digits after the point: as many as the described scale has, at most 3.
    var shownDecimals: Int {
        if let decimals { return decimals }
        guard case .field(let alternatives) = source else { return 2 }
        guard case .linear(let scale, _)? = alternatives.first?.conversion, scale != 0 else { return 2 }
        var (digits, step) = (0, abs(scale))
        while digits < 3, step < 1, step != step.rounded() {
            step *= 10
            digits += 1
        }
        return digits
    }
}

/// Decimal numbers with a fixed number of digits after the point.
enum DecimalText {
    static func text(_ number: Double, decimals: Int) -> String {
        if number.isNaN { return "not a number" }
        if number.isInfinite { return number > 0 ? "∞" : "−∞" }
        let power = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        guard let scaled = Int64(exactly: (number * power).rounded()) else { return "\(number)" }
        let digits = String(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

extension DefaultStringInterpolation {
    /// A number without `.0`.
    mutating func appendInterpolation(number: Double) {
        if let whole = Int64(exactly: number) { appendInterpolation(whole) } else { appendInterpolation(number) }
    }
}

/// The values of one characteristic's value so far, for the formulas of later values.
struct ValueScope {
    let characteristic: CharacteristicDescription
    private let context: DecodingContext
    /// The undecoded number of each value.
    private(set) var raws: [Number?] = []
    /// The content of each value; `nil` if not present.
    private(set) var contents: [DescribedContent?] = []

    init(_ characteristic: CharacteristicDescription, _ context: DecodingContext) {
        self.characteristic = characteristic
        self.context = context
        raws.reserveCapacity(characteristic.values.count)
        contents.reserveCapacity(characteristic.values.count)
    }

    mutating func append(_ raw: Number?, _ content: DescribedContent?) {
        raws.append(raw)
        contents.append(content)
    }

    /// The first alternative whose condition is true.
    func field(
        _ value: ValueDescription, _ alternatives: [ValueDescription.Field]
    ) throws(DescriptionError) -> ValueDescription.Field? {
        for field in alternatives where try holds(field.condition, value) { return field }
        return nil
    }

    /// Converts a raw number to its value.
    func converted(
        _ raw: Number, _ content: DescribedContent, _ field: ValueDescription.Field, _ value: ValueDescription
    ) throws(DescriptionError) -> DescribedContent {
        switch field.conversion {
        case .none: content
        case .linear(let scale, let offset): .real(raw.double * scale + offset)
        case .formula(let formula): try result(formula, raw, value).content
        }
    }

    func holds(_ condition: Formula?, _ value: ValueDescription) throws(DescriptionError) -> Bool {
        guard let condition else { return true }
        return try result(condition, nil, value).isTrue
    }

    func result(
        _ formula: Formula, _ raw: Number?, _ value: ValueDescription
    ) throws(DescriptionError) -> Number {
        do throws(FormulaError) {
            return try formula.evaluate { reference throws(FormulaError) in try resolve(reference, raw, formula) }
        } catch {
            throw DescriptionError(
                error.isMissingContext ? .missingContext : .noResult,
                "\(characteristic.path): '\(value.name)': \(error.message)")
        }
    }

    /// The numbers of a formula's names, for several evaluations.
    func numbers(of formula: Formula) -> [Number?] {
        formula.numbers { reference throws(FormulaError) in try resolve(reference, nil, formula) }
    }

    private func resolve(
        _ reference: Formula.Reference, _ raw: Number?, _ formula: Formula
    ) throws(FormulaError) -> Number {
        switch reference {
        case .ownRaw:
            if let raw { return raw }
        case .raw(let index):
            if let number = raws[index] { return number }
            throw absent(index)
        case .value(let index):
            if let number = contents[index].flatMap(Number.init) { return number }
            throw absent(index)
        case .context(let slot, let unread):
            if let number = context.number(slot) ?? unread.map({ .integer($0) }) { return number }
            throw FormulaError(
                message: "needs '\(formula.contextNames[slot] ?? "")', which was not read yet", isMissingContext: true)
        }
        throw FormulaError(message: "expected a number, there is none")
    }

    private func absent(_ index: Int) -> FormulaError {
        FormulaError(message: "needs '\(characteristic.values[index].name)', which is not present")
    }
}

/// The values read from a service that are needed to decode its other values: coefficients of a calibration, a range.
public struct DecodingContext: Sendable {
    /// The numbers by the index of the value in its service.
    private var numbers: [Number?] = []

    /// A context without values.
    public init() {}

    /// Keeps a value that was read or written.
    public mutating func note(_ reading: DescribedReading) {
        let first = reading.characteristic.firstSlot
        let end = first + reading.contents.count
        if numbers.count < end { numbers += Array(repeating: nil, count: end - numbers.count) }
        for (index, content) in reading.contents.enumerated() { numbers[first + index] = content.flatMap(Number.init) }
    }

    func number(_ slot: Int) -> Number? { numbers.indices.contains(slot) ? numbers[slot] : nil }
}

extension DescribedReading {
    /// The content that an assignment sets; `nil` if one of its sources is not present.
    package func content(
        of assignment: CharacteristicDescription.Assignment
    ) throws(DescriptionError) -> DescribedContent? {
        switch assignment.source {
        case .copy(let index): return contents[index]
        case .formula(let formula):
            do throws(FormulaError) {
                return try formula.evaluate { reference throws(FormulaError) in
                    if case .value(let index) = reference, let number = contents[index].flatMap(Number.init) {
                        return number
                    }
                    throw FormulaError(message: "needs a value that is not present")
                }.content
            } catch {
                throw DescriptionError(.noResult, "\(characteristic.path): \(error.message)")
            }
        }
    }

    /// The interval in a period register; `nil` for 0.
    package var period: Duration? {
        guard case .period = characteristic.role, let content = contents.first ?? nil,
            let milliseconds = content.number, milliseconds > 0, milliseconds < 1e12
        else { return nil }
        return .nanoseconds(Int64(milliseconds * 1e6))
    }
}
