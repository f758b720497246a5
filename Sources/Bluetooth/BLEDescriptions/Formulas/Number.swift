/// A number in a formula: whole numbers are exact, and never wrap around.
enum Number: Hashable, Sendable {
    case integer(Int128)
    case real(Double)

    /// The number that `content` is; `nil` for texts, bytes and lists.
    init?(_ content: DescribedContent) {
        switch content {
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .flag(let value): self = .integer(value ? 1 : 0)
        case .text, .bytes, .list: return nil
        }
    }

    var double: Double {
        switch self {
        case .integer(let value): value.double
        case .real(let value): value
        }
    }

    var content: DescribedContent {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        }
    }

    var isTrue: Bool {
        switch self {
        case .integer(let value): value != 0
        case .real(let value): value != 0
        }
    }
}

extension Number: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        }
    }
}

extension Int128 {
    /// The nearest number; the standard library's way is slow, and few numbers are that long.
    var double: Double {
        let short = Int64(truncatingIfNeeded: self)
        return Int128(short) == self ? Double(short) : Double(self)
    }
}
