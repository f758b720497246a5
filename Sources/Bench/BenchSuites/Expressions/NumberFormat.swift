/// How a place in a ``TextTemplate`` shows its value: the printf subset `[0][width][d|x|X|b]`.
struct NumberFormat: Hashable, Sendable {
    private static let lowerDigits = Array("0123456789abcdef".utf8)
    private static let upperDigits = Array("0123456789ABCDEF".utf8)
    private static let maximumWidth = 64

    private var radix: UInt64 = 10
    private var width = 0
    private var fill = UInt8(ascii: " ")
    private var isUpperCase = false

    /// Decimal, as wide as the number.
    init() {}

    init(_ text: String, at offset: Int) throws(ExpressionError) {
        let fault = ExpressionError("expected a format such as d, x, X, b or 02x, got '\(text)'", at: offset)
        guard let kind = text.last else { throw fault }
        var digits = text.dropLast()
        switch kind {
        case "d": radix = 10
        case "x": radix = 16
        case "X": (radix, isUpperCase) = (16, true)
        case "b": radix = 2
        default: throw fault
        }
        if digits.hasPrefix("0") {
            fill = UInt8(ascii: "0")
            digits = digits.dropFirst()
        }
        guard !digits.isEmpty else { return }
        guard let width = Int(digits), (1...Self.maximumWidth).contains(width) else { throw fault }
        self.width = width
    }

    func write(_ value: Int64, to output: inout [UInt8]) {
        let digits = isUpperCase ? Self.upperDigits : Self.lowerDigits
        var magnitude = value.magnitude
        let start = output.count
        repeat {
            output.append(digits[Int(magnitude % radix)])
            magnitude /= radix
        } while magnitude > 0
        let signWidth = value < 0 ? 1 : 0
        if fill == UInt8(ascii: "0") {
            while output.count - start + signWidth < width { output.append(fill) }
        }
        if value < 0 { output.append(UInt8(ascii: "-")) }
        while output.count - start < width { output.append(UInt8(ascii: " ")) }
        output[start...].reverse()
    }
}
