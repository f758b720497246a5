/// Converts bytes to text and back, two lower-case hexadecimal digits a byte; also converts numbers.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// `bytes` as text, with `separator` between them.
    public static func string(_ bytes: some Collection<UInt8>, separator: String = "") -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * (2 + separator.utf8.count))
        for byte in bytes {
            if !text.isEmpty { text.append(contentsOf: separator.utf8) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `value` as `0x` and at least `digits` digits.
    public static func number(
        _ value: some BinaryInteger, digits: Int = 1, uppercase: Bool = false
    ) -> String {
        "0x" + self.digits(value, count: digits, uppercase: uppercase)
    }

    /// `value` as at least `count` digits, with leading zeros.
    public static func digits(_ value: some BinaryInteger, count: Int, uppercase: Bool = false) -> String {
        let text = String(value, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The bytes in `text`; spaces, colons and hyphens between digits are skipped. `nil` when it contains anything else
    /// or an odd number of digits.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "-"): continue
            default: return nil
            }
            if let first = high {
                result.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? result : nil
    }
}
