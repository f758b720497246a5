import ByteCodec

/// A channel identifier (Core 5.4, Vol 3 Part A 2.1); open for any value.
public struct L2CAPChannelID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// A channel by number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The Attribute Protocol on an LE link.
    public static let attribute = L2CAPChannelID(rawValue: 0x0004)
    /// LE signalling.
    public static let signalling = L2CAPChannelID(rawValue: 0x0005)
    /// The Security Manager on an LE link.
    public static let securityManager = L2CAPChannelID(rawValue: 0x0006)
}

extension L2CAPChannelID: CustomStringConvertible {
    /// `CID 0x0004`.
    public var description: String {
        "CID 0x"
            + Hexadecimal.string([UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)])
            .uppercased()
    }
}
