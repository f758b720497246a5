/// An operation of the calculator peripheral, with its number on the air.
public enum CalculatorOperation: UInt8, Sendable, CaseIterable {
    /// a + b
    case add = 0
    /// a − b
    case subtract = 1
    /// a × b
    case multiply = 2

    /// `+`, `-` or `×`.
    public var symbol: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "×"
        }
    }

    /// The result, which may not fit into the peripheral's 8 bits.
    public func result(_ a: UInt8, _ b: UInt8) -> Int {
        switch self {
        case .add: Int(a) + Int(b)
        case .subtract: Int(a) - Int(b)
        case .multiply: Int(a) * Int(b)
        }
    }
}
