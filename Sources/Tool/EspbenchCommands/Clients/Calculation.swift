package import BLEClients

/// A calculation as users write it: `9x6`.
package struct Calculation: Hashable, Sendable {
    /// The keys that enter it, with `=`.
    package let keys: [CalculatorModel.Key]

    /// Reads `9x6`, `9*6`, `9×6` or `2 - 9`; `nil` for anything else.
    package init?(_ text: String) {
        let text = text.filter { $0 != " " }
        let parts = text.split(omittingEmptySubsequences: false) { Self.operation($0) != nil }
        guard parts.count == 2, let operation = text.lazy.compactMap(Self.operation).first,
            parts.allSatisfy({ UInt8($0) != nil && $0.allSatisfy(\.isNumber) })
        else { return nil }
        let operands = parts.map { $0.utf8.map { CalculatorModel.Key.digit($0 &- 0x30) } }
        keys = operands[0] + [.operation(operation)] + operands[1] + [.equals]
    }

    /// The operation that a character stands for.
    static func operation(_ character: Character) -> CalculatorOperation? {
        switch character {
        case "+": .add
        case "-", "−": .subtract
        case "x", "X", "*", "×": .multiply
        default: nil
        }
    }
}

/// What a typed character does.
enum CalculatorKey: Hashable, Sendable {
    /// It is a key of the calculator.
    case press(CalculatorModel.Key)
    /// Disconnects, or connects.
    case toggleConnection
    /// Ends the program.
    case quit

    /// The meaning of a byte that was typed; `nil`: none.
    init?(_ byte: UInt8) {
        let character = Character(Unicode.Scalar(byte))
        switch character {
        case "0"..."9": self = .press(.digit(byte - 0x30))
        case "=", "\r", "\n": self = .press(.equals)
        case "\u{08}", "\u{7F}": self = .press(.back)
        case "c", "C": self = .press(.clear)
        case "d", "D": self = .toggleConnection
        case "q", "Q", "\u{04}": self = .quit
        default:
            guard let operation = Calculation.operation(character) else { return nil }
            self = .press(.operation(operation))
        }
    }
}
