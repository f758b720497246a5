/// Text with places for values, such as `Sending response:   {a * b & 0xff:02x}`.
///
/// A place holds an expression and, after a colon, a format: `d` (default), `x`, `X` or `b`, with a width and a
/// leading 0 as in printf. `{{` and `}}` stand for the braces themselves.
public struct TextTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case text([UInt8])
        case value(Expression, NumberFormat)
    }

    /// The text as the user wrote it.
    public let source: String
    /// The UTF-8 ranges of the places in ``source``, including their braces.
    let places: [Range<Int>]
    private let parts: [Part]

    /// Compiles `source` with the names of `parameters`. Offsets of errors count from the start of `source`.
    public init(_ source: String, parameters: [String]) throws(ExpressionError) {
        self.source = source
        let bytes = Array(source.utf8)
        var parts: [Part] = []
        var places: [Range<Int>] = []
        var text: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            let isDoubled = offset + 1 < bytes.count && bytes[offset + 1] == byte
            switch byte {
            case UInt8(ascii: "{") where !isDoubled:
                if !text.isEmpty { parts.append(.text(text)) }
                text.removeAll()
                let (part, end) = try Self.value(source, from: offset + 1, parameters)
                parts.append(part)
                places.append(offset..<end)
                offset = end
            case UInt8(ascii: "}") where !isDoubled:
                throw ExpressionError("a single '}' closes nothing, write '}}' for the brace itself", at: offset)
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                text.append(byte)
                offset += 2
            default:
                text.append(byte)
                offset += 1
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        self.parts = parts
        self.places = places
    }

    /// Reads a place from after its brace; returns it and the offset after the closing brace.
    private static func value(_ source: String, from start: Int, _ parameters: [String])
        throws(ExpressionError) -> (Part, Int)
    {
        var compiler = ExpressionCompiler(source, from: start, parameters: parameters)
        let code = try compiler.compilePrefix()
        let bytes = Array(source.utf8)
        let end = compiler.tokenOffset
        let expressionSource = String(decoding: bytes[start..<end], as: UTF8.self)
        let expression = try Expression(source: expressionSource, code: code)
        switch compiler.token {
        case .symbol("}"):
            return (.value(expression, NumberFormat()), end + 1)
        case .symbol(":"):
            guard let close = bytes[end...].firstIndex(of: UInt8(ascii: "}")) else {
                throw ExpressionError("expected '}' after the format, got the end", at: bytes.count)
            }
            let formatText = String(decoding: bytes[end + 1..<close], as: UTF8.self)
            return (.value(expression, try NumberFormat(formatText, at: end + 1)), close + 1)
        default:
            throw ExpressionError("expected ':' with a format or '}', got \(compiler.token.text)", at: end)
        }
    }

    /// The text if it has no places; else `nil`.
    public var constant: String? {
        switch (parts.count, parts.first) {
        case (0, _): ""
        case (1, .text(let bytes)): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// The UTF-8 text before the first place.
    var beginning: [UInt8] {
        if case .text(let bytes) = parts.first { bytes } else { [] }
    }

    /// Appends the UTF-8 text for the parameters in `context` to `output`.
    public func render(_ context: inout EvaluationContext, into output: inout [UInt8]) throws(ExpressionError) {
        for part in parts {
            switch part {
            case .text(let bytes): output.append(contentsOf: bytes)
            case .value(let expression, let format): format.write(try expression.evaluate(&context), to: &output)
            }
        }
    }

    /// The text for the parameters in `context`.
    public func rendered(_ context: inout EvaluationContext) throws(ExpressionError) -> String {
        var output: [UInt8] = []
        try render(&context, into: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// The format of a value in a ``TextTemplate``: the printf subset `[0][width][d|x|X|b]`.
struct NumberFormat: Hashable, Sendable {
    private static let lowerDigits = Array("0123456789abcdef".utf8)
    private static let upperDigits = Array("0123456789ABCDEF".utf8)
    private static let maximumWidth = 64

    private var radix: UInt64 = 10
    private var width = 0
    private var fill = UInt8(ascii: " ")
    private var isUpperCase = false

    /// Decimal, without a minimum width.
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
