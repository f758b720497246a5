import BenchSuites
import MonotonicTime
import Testing

@Suite("Expressions")
struct ExpressionTests {
    @Test(
        "evaluate with the documented precedence and literals",
        arguments: [
            ("a * b & 0xff", 9 * 6 & 0xff), ("(a - b) & 0xff", 3), ("(b - a) & 0xff", 253), ("0b1010 + 0x_1_0", 26),
            ("a & 1 == 0", 0), ("a & 1 == 1", 1), ("1 + 2 << 3 | 1", 25), ("6 ^ 3 & 2", 4), ("-7 / 2", -3),
            ("-7 % 3", -1), ("~0", -1), ("!a", 0), ("!!a", 1), ("- -3", 3), ("'x'", 120), ("a > b ? 1 : 2", 1),
            ("a < b ? 1 : a == 9 ? 7 : 2", 7), ("[7, 8, 9][a % 3]", 7), ("[1, 2, [3, 4][1]][2]", 4),
            ("a && b", 1), ("a && 0", 0), ("0 || b", 1), ("0 || 0", 0), ("0 && 1 / 0", 0), ("1 || 1 / 0", 1),
            ("a == 9 && b >= 6 && b <= 6 && a != b", 1), ("1 << 62", 1 << 62), ("-1 >> 63", -1),
            ("9223372036854775807", Int64.max), ("2-1", 1),
        ] as [(String, Int64)])
    func evaluates(source: String, expected: Int64) throws {
        let expression = try Expression(source, parameters: ["a", "b"])
        var context = EvaluationContext(parameters: [9, 6])
        #expect(try expression.evaluate(&context) == expected)
        #expect(try expression.evaluate(&context) == expected, "a second time with the same context")
    }

    @Test(
        "that are malformed report the expected token and its position",
        arguments: [
            ("", 0, "expected a number, a name or '(', got the end"),
            ("a +", 3, "expected a number, a name or '(', got the end"),
            ("(a", 2, "expected ')', got the end"),
            ("a b", 2, "expected an operator or the end of the expression, got 'b'"),
            ("c + 1", 0, "unknown name 'c', expected one of: a, b"),
            ("a # 1", 2, "expected a number, a name or an operator, got '#'"),
            ("0xfg", 0, "expected a number such as 42, 0x2a or 0b101010 within 64 bits, got '0xfg'"),
            (
                "9223372036854775808", 0,
                "expected a number such as 42, 0x2a or 0b101010 within 64 bits, got '9223372036854775808'"
            ),
            ("'xy'", 0, "expected one printable ASCII character between single quotes"),
            ("a ? 1", 5, "expected ':', got the end"),
            ("[1, 2]", 6, "expected '[', got the end"),
            ("1 / 0", 2, "division by zero: 1 / 0"),
            ("1 % (2 - 2)", 2, "division by zero: 1 % 0"),
            ("9223372036854775807 + 1", 20, "9223372036854775807 + 1 overflows 64 bits"),
            ("1 << 64", 2, "1 << 64: expected a shift by 0...63 bits"),
            ("1 << 63", 2, "1 << 63 overflows 64 bits"),
            ("1 >> -1", 2, "1 >> -1: expected a shift by 0...63 bits"),
            ("[7, 8][2]", 0, "index 2 is outside the list, expected 0...1"),
            ("(-9223372036854775807 - 1) / -1", 27, "-9223372036854775808 / -1 overflows 64 bits"),
            ("-(-9223372036854775807 - 1)", 0, "-(-9223372036854775808) overflows 64 bits"),
        ] as [(String, Int, String)])
    func rejects(source: String, offset: Int, message: String) {
        #expect(throws: ExpressionError.self) { try Expression(source, parameters: ["a", "b"]) }
        do {
            _ = try Expression(source, parameters: ["a", "b"])
        } catch {
            #expect(error.message == message)
            #expect(error.offset == offset)
        }
    }

    @Test("with errors that depend on parameters fail when evaluated, at the operator")
    func runtimeFaults() throws {
        for (source, offset) in [
            ("1 / a", 2), ("[1, 2][a - 1]", 0), ("1 << (a - 1)", 2), ("9223372036854775807 * (a + 2)", 20),
        ] {
            let expression = try Expression(source, parameters: ["a"])
            var context = EvaluationContext(parameters: [0])
            let error = #expect(throws: ExpressionError.self) { try expression.evaluate(&context) }
            #expect(error?.offset == offset, "\(source)")
        }
    }

    @Test("nested too deeply are refused", arguments: ["(", "[", "!", "1?"])
    func depth(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(throws: ExpressionError.self) { try Expression(text, parameters: []) }
    }

    @Test("agree with a tree evaluated by Swift's own operators")
    func agreesWithReference() throws {
        var random = SeededRandom(seed: 7)
        var evaluated = 0
        for _ in 0..<20_000 {
            let tree = ReferenceTree.random(depth: 4, &random)
            let parameters = (0..<2).map { _ in Int64.random(in: -300...300, using: &random) }
            var context = EvaluationContext(parameters: parameters)
            let expected = tree.value(parameters)
            let source = tree.text
            let value: Int64?
            do {
                value = try Expression(source, parameters: ["a", "b"]).evaluate(&context)
            } catch {
                value = nil
            }
            #expect(value == expected, "\(source) with \(parameters)")
            if expected != nil { evaluated += 1 }
        }
        #expect(evaluated > 5_000)
    }

    @Test("from random bytes give a value or an error")
    func arbitraryText() {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("ab01x'()[],?:+-*/%&|^~!<>={} ")
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let text = String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
            var context = EvaluationContext(parameters: [1, 2])
            _ = try? Expression(text, parameters: ["a", "b"]).evaluate(&context)
            _ = try? TextTemplate(text, parameters: ["a", "b"]).rendered(&context)
        }
    }
}

/// A tree of operations with its text and its value, with which the compiler is compared.
indirect enum ReferenceTree {
    case number(Int64)
    case parameter(Int)
    case unary(String, ReferenceTree)
    case binary(String, ReferenceTree, ReferenceTree)
    case conditional(ReferenceTree, ReferenceTree, ReferenceTree)

    static func random(depth: Int, _ random: inout SeededRandom) -> ReferenceTree {
        let choice = depth == 0 ? Int.random(in: 0...1, using: &random) : Int.random(in: 0...9, using: &random)
        func child() -> ReferenceTree { .random(depth: depth - 1, &random) }
        switch choice {
        case 0: return .number(Int64.random(in: 0...70, using: &random))
        case 1: return .parameter(Int.random(in: 0...1, using: &random))
        case 2: return .unary(["-", "~", "!"][Int.random(in: 0...2, using: &random)], child())
        case 3: return .conditional(child(), child(), child())
        default:
            let operators = [
                "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
            ]
            return .binary(operators[Int.random(in: 0..<operators.count, using: &random)], child(), child())
        }
    }

    /// Parenthesised only where the documented precedence requires it.
    var text: String {
        switch self {
        case .number(let value): "\(value)"
        case .parameter(let index): ["a", "b"][index]
        case .unary(let symbol, let operand):
            operand.level < 10 ? "\(symbol)(\(operand.text))" : "\(symbol)\(operand.text)"
        case .binary(_, let left, let right):
            "\(left.wrapped(below: level)) \(symbol) \(right.wrapped(below: level + 1))"
        case .conditional(let test, let yes, let no):
            "\(test.wrapped(below: 1)) ? \(yes.text) : \(no.text)"
        }
    }

    private var symbol: String {
        if case .binary(let symbol, _, _) = self { return symbol }
        return ""
    }

    private var level: Int {
        switch self {
        case .number, .parameter: return 11
        case .unary: return 10
        case .conditional: return 0
        case .binary(let symbol, _, _):
            let levels = [
                ["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"],
                ["*", "/", "%"],
            ]
            return (levels.firstIndex { $0.contains(symbol) } ?? 0) + 1
        }
    }

    private func wrapped(below level: Int) -> String {
        self.level < level ? "(\(text))" : text
    }

    /// The value; `nil` where evaluation must fail.
    func value(_ parameters: [Int64]) -> Int64? {
        switch self {
        case .number(let value): return value
        case .parameter(let index): return parameters[index]
        case .unary(let symbol, let operand):
            guard let value = operand.value(parameters) else { return nil }
            switch symbol {
            case "-": return value == .min ? nil : -value
            case "~": return ~value
            default: return value == 0 ? 1 : 0
            }
        case .conditional(let test, let yes, let no):
            guard let test = test.value(parameters) else { return nil }
            return test != 0 ? yes.value(parameters) : no.value(parameters)
        case .binary(let symbol, let left, let right):
            guard let first = left.value(parameters) else { return nil }
            if symbol == "&&", first == 0 { return 0 }
            if symbol == "||", first != 0 { return 1 }
            guard let second = right.value(parameters) else { return nil }
            return Self.apply(symbol, first, second)
        }
    }

    private static func apply(_ symbol: String, _ left: Int64, _ right: Int64) -> Int64? {
        func exact(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
            result.overflow ? nil : result.partialValue
        }
        switch symbol {
        case "+": return exact(left.addingReportingOverflow(right))
        case "-": return exact(left.subtractingReportingOverflow(right))
        case "*": return exact(left.multipliedReportingOverflow(by: right))
        case "/": return right == 0 ? nil : exact(left.dividedReportingOverflow(by: right))
        case "%": return right == 0 ? nil : exact(left.remainderReportingOverflow(dividingBy: right))
        case "&": return left & right
        case "|": return left | right
        case "^": return left ^ right
        case "<<":
            guard (0...63).contains(right) else { return nil }
            if right == 63 { return left == 0 ? 0 : left == -1 ? .min : nil }
            return exact(left.multipliedReportingOverflow(by: 1 << right))
        case ">>": return (0...63).contains(right) ? left >> right : nil
        case "==": return left == right ? 1 : 0
        case "!=": return left != right ? 1 : 0
        case "<": return left < right ? 1 : 0
        case "<=": return left <= right ? 1 : 0
        case ">": return left > right ? 1 : 0
        case ">=": return left >= right ? 1 : 0
        default: return right != 0 ? 1 : 0
        }
    }
}
