/// The calculator as its user sees and operates it: a pure state machine. It uses neither radio nor clock:
/// ``press(_:)`` returns the bytes to send, and received values are passed to it.
public struct CalculatorModel: Sendable, Hashable {
    /// A key.
    public enum Key: Sendable, Hashable {
        /// 0 to 9
        case digit(UInt8)
        /// `+`, `-`, `×`
        case operation(CalculatorOperation)
        /// `=`
        case equals
        /// Removes the last digit or the operation.
        case back
        /// Clears the calculation.
        case clear
    }

    /// A request, encoded in 3 bytes.
    public struct Request: Sendable, Hashable {
        /// The operands.
        public var a, b: UInt8
        /// The operation.
        public var operation: CalculatorOperation

        /// The bytes to write.
        public var bytes: [UInt8] { [a, b, operation.rawValue] }
    }

    /// The state of the last request.
    public enum Answer: Sendable, Hashable {
        /// No request was made, or a new calculation is being entered.
        case none
        /// The answer is awaited.
        case pending(Request)
        /// The answer was received.
        case value(Request, UInt8)
        /// No valid answer was received; the reason.
        case failed(Request, String)
    }

    /// The connection.
    public private(set) var link = ClientLink.disconnected
    /// The entered operands; `nil`: not entered (0 is a valid operand).
    public private(set) var a, b: UInt8?
    /// The entered operation.
    public private(set) var operation: CalculatorOperation?
    /// The last request.
    public private(set) var answer = Answer.none

    /// Nothing entered, not connected.
    public init() {}

    /// True if the keypad is shown: only while connected.
    public var isKeypadShown: Bool { link == .connected }

    /// True if an answer is awaited.
    public var isCalculating: Bool {
        if case .pending = answer { true } else { false }
    }

    // MARK: Keys

    /// Presses a key; returns the request to send, if the key completes one. Ignored without a connection, and while an
    /// answer is awaited.
    public mutating func press(_ key: Key) -> Request? {
        guard link == .connected else { return nil }
        guard !isCalculating else { return nil }
        switch key {
        case .digit(let digit):
            answer = .none
            if operation == nil { append(digit, to: &a) } else { append(digit, to: &b) }
        case .operation(let new):
            answer = .none
            // An operation needs a first operand.
            if a != nil { operation = new }
        case .equals:
            guard let a, let b, let operation else { return nil }
            let request = Request(a: a, b: b, operation: operation)
            answer = .pending(request)
            return request
        case .back:
            answer = .none
            if b != nil {
                b = Self.shortened(b)
            } else if operation != nil {
                operation = nil
            } else {
                a = Self.shortened(a)
            }
        case .clear: clear()
        }
        return nil
    }

    /// Appends a digit; ignored if the operand would exceed 255, the peripheral's maximum.
    private func append(_ digit: UInt8, to operand: inout UInt8?) {
        let value = Int(operand ?? 0) * 10 + Int(digit)
        if digit <= 9, let value = UInt8(exactly: value) { operand = value }
    }

    private static func shortened(_ operand: UInt8?) -> UInt8? {
        operand.flatMap { $0 < 10 ? nil : $0 / 10 }
    }

    private mutating func clear() {
        (a, b, operation, answer) = (nil, nil, nil, .none)
    }

    // MARK: Received values

    /// A value of the output characteristic. Ignored if no answer is awaited; a failure if it is not 1 byte.
    public mutating func receive(_ value: [UInt8]) {
        guard case .pending(let request) = answer else { return }
        if let byte = value.first, value.count == 1 {
            answer = .value(request, byte)
        } else {
            answer = .failed(request, "expected 1 byte, got \(value.count)")
        }
        forgetOperands()
    }

    /// The request could not be sent, or was not answered in time.
    public mutating func fail(_ why: String) {
        guard case .pending(let request) = answer else { return }
        answer = .failed(request, why)
        forgetOperands()
    }

    /// The connection has changed. Input for a former connection is not kept.
    public mutating func setLink(_ new: ClientLink) {
        guard new != link else { return }
        if link == .connected {
            let former = answer
            clear()
            switch former {
            case .pending(let request): answer = .failed(request, "the connection ended")
            case .failed: answer = former
            case .none, .value: break
            }
        } else if new == .connected {
            clear()
        }
        link = new
    }

    private mutating func forgetOperands() { (a, b, operation) = (nil, nil, nil) }

    // MARK: Texts

    /// The state of the connection, or `Calculating...`.
    public var status: String { isCalculating ? "Calculating..." : link.text("calculator") }

    /// The calculation: `9 ? 6 = ?`, `9 × 6 = 54`. If the result exceeds the peripheral's 8 bits, shows the true result
    /// and the received one.
    public var display: String {
        switch answer {
        case .none:
            if a == nil { return "" }
            return Self.text(a, operation, b) + " = ?"
        case .pending(let request): return Self.text(request.a, request.operation, request.b) + " = ?"
        case .value(let request, let byte):
            let calculation = Self.text(request.a, request.operation, request.b)
            let result = request.operation.result(request.a, request.b)
            if UInt8(truncatingIfNeeded: result) != byte {
                return "\(calculation) = \(result), but the calculator answered \(byte)"
            }
            return result == Int(byte)
                ? "\(calculation) = \(byte)" : "\(calculation) = \(result) (\(byte) in the calculator's 8 bits)"
        case .failed(let request, let why):
            return Self.text(request.a, request.operation, request.b) + " = ? \(why)"
        }
    }

    private static func text(_ a: UInt8?, _ operation: CalculatorOperation?, _ b: UInt8?) -> String {
        "\(a.map { "\($0)" } ?? "?") \(operation?.symbol ?? "?") \(b.map { "\($0)" } ?? "?")"
    }
}
