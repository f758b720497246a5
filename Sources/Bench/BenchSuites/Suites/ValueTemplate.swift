public import BenchModel
import MonotonicTime

/// Bytes of a characteristic's value, computed from the parameters.
public struct ValueTemplate: Sendable {
    enum Element: Sendable {
        case byte(Expression, SourcePosition)
        case repeated(Expression, SourcePosition, times: Expression, SourcePosition)
        case text(TextTemplate, SourcePosition)
        case random(count: Expression, seed: Expression, SourcePosition)
        case handle(UUIDReference, plus: Expression, SourcePosition)
        case described(DescribedTemplate)
    }

    /// The valid repetitions of a byte, numbers of random bytes, and lengths of the whole value. A stream may be longer
    /// than an attribute value (512 bytes; Core 5.4, Vol 3 Part F 3.2.9), whose length the board checks.
    static let counts: ClosedRange<Int64> = 0...1_000_000

    /// The valid distances from a characteristic's handle.
    static let handleOffsets: ClosedRange<Int64> = 0...0xFF

    let elements: [Element]

    /// True if the value is empty for all parameters.
    var isKnownEmpty: Bool {
        elements.allSatisfy { element in
            switch element {
            case .repeated(_, _, let times, _): times.constant == 0
            case .random(let count, _, _): count.constant == 0
            case .text(let template, _): template.source.isEmpty
            case .byte, .handle, .described: false
            }
        }
    }

    /// The number of bytes, if it is known before the suite runs; `nil`: it depends on parameters, or on a description.
    var knownCount: Int? {
        var count = 0
        for element in elements {
            switch element {
            case .byte: count += 1
            case .repeated(_, _, let times, _):
                guard let times = times.constant else { return nil }
                count += Int(clamping: times)
            case .random(let random, _, _):
                guard let random = random.constant else { return nil }
                count += Int(clamping: random)
            case .text, .handle, .described: return nil
            }
        }
        return count
    }

    /// True if all bytes are 0 for all parameters.
    var isKnownZero: Bool {
        elements.allSatisfy { element in
            switch element {
            case .byte(let byte, _), .repeated(let byte, _, _, _): byte.constant == 0
            case .text, .random, .handle, .described: false
            }
        }
    }

    /// True if the suite gives the value as text, so that failures show it as text.
    var isText: Bool {
        if case .text? = elements.first { true } else { false }
    }

    /// Appends the bytes for the parameters in `context` to `output`.
    ///
    /// - Throws: ``EvaluationError`` when an expression fails, a byte is not 0...255, or a count or the total length is
    ///   not in ``counts``.
    public func evaluate(_ context: inout EvaluationContext, into output: inout [UInt8]) throws(EvaluationError) {
        let start = output.count
        func checkLength(_ position: SourcePosition) throws(EvaluationError) {
            let count = output.count - start
            guard Self.counts.contains(Int64(count)) else {
                throw EvaluationError(
                    "expected at most \(Self.counts.upperBound) bytes together, got \(count)", position)
            }
        }
        for element in elements {
            switch element {
            case .byte(let expression, let position):
                output.append(try Self.byte(expression, position, &context))
            case .repeated(let expression, let position, let times, let timesPosition):
                let byte = try Self.byte(expression, position, &context)
                let count = try times.evaluate(&context, at: timesPosition)
                guard Self.counts.contains(count) else {
                    throw EvaluationError(
                        "expected 'times' of \(Self.counts.lowerBound)...\(Self.counts.upperBound) "
                            + "from '\(times.source)', got \(count)", timesPosition)
                }
                output.append(contentsOf: repeatElement(byte, count: Int(count)))
                try checkLength(timesPosition)
            case .random(let count, let seed, let position):
                let wanted = try count.evaluate(&context, at: position)
                guard Self.counts.contains(wanted) else {
                    throw EvaluationError(
                        "expected 0...\(Self.counts.upperBound) random bytes from '\(count.source)', got \(wanted)",
                        position)
                }
                var random = SeededRandom(seed: UInt64(bitPattern: try seed.evaluate(&context, at: position)))
                for _ in 0..<wanted { output.append(UInt8(truncatingIfNeeded: random.next())) }
                try checkLength(position)
            case .described(let template): output += try template.evaluate(&context)
            case .text(let template, let position):
                do throws(ExpressionError) {
                    try template.render(&context, into: &output)
                } catch {
                    throw EvaluationError(error.message, position.advanced(by: error.offset))
                }
            case .handle(let uuid, let offset, let position):
                guard let handle = context.handles.indices.contains(uuid.index) ? context.handles[uuid.index] : nil
                else {
                    throw EvaluationError("the board has no such characteristic", position)
                }
                let distance = try offset.evaluate(&context, at: position)
                guard Self.handleOffsets.contains(distance) else {
                    throw EvaluationError(
                        "expected 'plus' of 0...\(Self.handleOffsets.upperBound) from '\(offset.source)', got \(distance)",
                        position)
                }
                let number = handle &+ UInt16(distance)
                output += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
        }
    }

    private static func byte(_ expression: Expression, _ position: SourcePosition, _ context: inout EvaluationContext)
        throws(EvaluationError) -> UInt8
    {
        let value = try expression.evaluate(&context, at: position)
        guard let byte = UInt8(exactly: value) else {
            throw EvaluationError(
                "expected a byte 0...255 from '\(expression.source)', got \(value) ('& 0xff' takes the low 8 bits)",
                position)
        }
        return byte
    }
}

/// The error of a value that could not be computed while a suite runs, with the position in the suite's file.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, with the expected and the received text; one line.
    public let message: String
    /// The position in the suite's file.
    public let position: SourcePosition

    init(_ message: String, _ position: SourcePosition) {
        self.message = message
        self.position = position
    }

    /// The message with line and column.
    public var description: String { "line \(position.line), column \(position.column): \(message)" }
}

extension Expression {
    /// The value; errors get their position in the suite's file, where the expression begins at `position`.
    public func evaluate(_ context: inout EvaluationContext, at position: SourcePosition)
        throws(EvaluationError) -> Int64
    {
        do throws(ExpressionError) {
            return try evaluate(&context)
        } catch {
            throw EvaluationError(error.message, position.advanced(by: error.offset))
        }
    }
}

/// The pattern of a console line, with places for parameters.
package enum ConsoleTemplate: Sendable {
    /// The whole line is this text.
    case line(TextTemplate)
    /// A part of the line matches this regular expression, which is known to compile.
    case regex(String)
    /// The line meets conditions.
    case match(MatchTemplate)
}
