import ByteCodec
import SourceText

/// Values as people read them.
struct ValueRendering {
    /// More numbers of a list, characters of a text or bytes are counted, not shown.
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
    /// Hexadecimal digits, and the text that they are, if they are a printable one.
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
    /// The digits after the point that say something: as many as the described scale has, at most 3.
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
