/// An address in the flash as people and build files write it: `0x10000`, `65536`, `64K` or `1M`.
public struct FlashAddress: Hashable, Sendable {
    /// The address.
    public let value: UInt32

    /// Parses an address; `nil` when `text` is none, or beyond 4 GB.
    public init?(_ text: String) {
        var digits = text[...]
        var factor: UInt32 = 1
        if let last = digits.last, let unit = ["k": UInt32(1 << 10), "m": 1 << 20][last.lowercased()] {
            factor = unit
            digits = digits.dropLast()
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard let first = digits.first, first.isHexDigit, let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        value = product
    }

    /// Whether `text` is written as a number, which may be too large for an address.
    public static func isNumber(_ text: String) -> Bool {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return !text.isEmpty && text.allSatisfy(\.isNumber) }
        return text.count > 2 && text.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
