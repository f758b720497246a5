public import ByteCodec

/// A Bluetooth device address: 48 bits and a type, public or random (Core 5.4, Vol 6 Part B 1.3).
public struct DeviceAddress: Hashable, Sendable {
    /// The two kinds of address, with their HCI numbers.
    public enum Kind: UInt8, Sendable, Codable {
        /// Public: assigned by the manufacturer.
        case `public` = 0
        /// Static random or private.
        case random = 1
    }

    /// Public or random.
    public var kind: Kind
    /// The address as a number: the first byte of its text form is the most significant.
    public var value: UInt64

    /// An address from its number; bits above 48 are ignored.
    public init(_ value: UInt64, _ kind: Kind) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// From text of six hexadecimal bytes with colons, most significant first, e.g. `24:0A:C4:00:01:10`.
    public init?(_ text: some StringProtocol, _ kind: Kind) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }), let bytes = Hexadecimal.bytes(text),
            bytes.count == 6
        else { return nil }
        self.init(bytes.reduce(0) { $0 << 8 | UInt64($1) }, kind)
    }

    /// True if it is a resolvable private address: random, with the two highest bits 01 (Core 5.4, Vol 6 Part B
    /// 1.3.2.2).
    public var isResolvablePrivate: Bool { kind == .random && value >> 46 == 0b01 }

    /// True if it can be an identity address: public or static random (Core 5.4, Vol 3 Part H 3.6.5).
    public var isIdentity: Bool { kind == .public || value >> 46 == 0b11 }

    /// Parses the six little-endian bytes of HCI and the link layer.
    public init(from reader: inout ByteReader, _ kind: Kind) throws(CodecError) {
        let low = UInt64(try reader.uint32())
        let high = UInt64(try reader.uint16())
        self.init(high << 32 | low, kind)
    }

    /// Writes the six bytes, little-endian.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(UInt32(truncatingIfNeeded: value))
        writer.uint16(UInt16(truncatingIfNeeded: value >> 32))
    }

    /// The six bytes of HCI and the link layer, little-endian.
    package var littleEndianBytes: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// Upper-case bytes with colons, most significant first.
    public var description: String {
        Hexadecimal.string(littleEndianBytes.reversed(), separator: ":").uppercased()
    }
}
