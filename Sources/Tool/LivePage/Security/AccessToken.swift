/// The secret part of the page's address: whoever does not know it sees nothing.
public struct AccessToken: Sendable, CustomStringConvertible {
    /// How many characters it has at least.
    public static let minimumLength = 22

    private let bytes: [UInt8]

    /// A new token of 128 bits.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<2).flatMap { _ in
            let digits = String(generator.next(), radix: 16)
            return Array((String(repeating: "0", count: 16 - digits.count) + digits).utf8)
        }
    }

    /// A token that was chosen before; `nil` unless it has ``minimumLength`` to 64 letters, digits, `-` and `_`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (Self.minimumLength...64).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        self.bytes = bytes
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Whether `text` is the token. Takes equally long for all texts of a length, so that time tells nothing of it.
    package func matches(_ text: some StringProtocol) -> Bool {
        var difference: UInt8 = 0
        var count = 0
        for byte in text.utf8 {
            difference |= byte ^ bytes[count % bytes.count]
            count += 1
        }
        return difference == 0 && count == bytes.count
    }

    /// The token.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
