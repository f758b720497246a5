import ByteCodec

/// A Bluetooth UUID of 16, 32 or 128 bits (Core 5.4, Vol 3 Part B 2.5.1).
///
/// Equality is by value on the Bluetooth base UUID: `0x2902` equals `00002902-0000-1000-8000-00805F9B34FB`.
public struct BLEUUID: Hashable, Sendable {
    /// The most and the least significant 64 bits of the 128-bit form.
    private let high: UInt64
    private let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An assigned 16-bit UUID.
    public init(_ value: UInt16) {
        self.init(high: UInt64(value) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// A 32-bit UUID on the base UUID.
    public init(uint32 value: UInt32) {
        self.init(high: UInt64(value) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// Parses text: 4, 8 or 32 hexadecimal digits in either case; 32 digits with or without hyphens at the usual
    /// places.
    public init?(_ text: some StringProtocol) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        // The check of the length excludes separators at other places, which hexadecimal text may have.
        guard groups == [4] || groups == [8] || groups == [32] || groups == [8, 4, 4, 4, 12],
            let bytes = Hexadecimal.bytes(text), bytes.count * 2 == groups.reduce(0, +)
        else { return nil }
        switch bytes.count {
        case 2: self.init(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        case 4: self.init(uint32: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self.init(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }

    /// From a string literal; a literal that ``init(_:)`` does not accept is a programming error.
    public init(literal text: StaticString, file: StaticString = #fileID, line: UInt = #line) {
        guard let uuid = BLEUUID("\(text)") else {
            preconditionFailure("expected a UUID, got '\(text)'", file: file, line: line)
        }
        self = uuid
    }

    /// From the little-endian bytes of a PDU: 2, 4 or 16 bytes.
    public init?(littleEndian bytes: some BidirectionalCollection<UInt8>) {
        let value = { (part: any Sequence<UInt8>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 2, 4: self.init(uint32: UInt32(truncatingIfNeeded: value(bytes.reversed())))
        case 16: self.init(high: value(bytes.suffix(8).reversed()), low: value(bytes.prefix(8).reversed()))
        default: return nil
        }
    }

    /// The 16-bit form, if it has one.
    public var uint16: UInt16? {
        low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh
            ? UInt16(truncatingIfNeeded: high >> 32) : nil
    }

    /// The shortest little-endian form allowed in ATT PDUs: 2 or 16 bytes.
    public var attBytes: [UInt8] {
        if let short = uint16 { return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)] }
        return bytes128
    }

    /// The 128-bit form, 16 bytes little-endian.
    public var bytes128: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> (8 * UInt64($0 % 8))) }
    }
}

extension BLEUUID: CustomStringConvertible, Codable {
    /// `2902`, or 32 upper-case digits with hyphens.
    public var description: String {
        if uint16 != nil { return Hexadecimal.string(attBytes.reversed()).uppercased() }
        let text = Array(Hexadecimal.string(bytes128.reversed()).uppercased())
        let parts = [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    /// Encodes as ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes from text, parsed by ``init(_:)-(StringProtocol)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let uuid = BLEUUID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a Bluetooth UUID")
        }
        self = uuid
    }
}
