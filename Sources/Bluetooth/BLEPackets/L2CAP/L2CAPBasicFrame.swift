import ByteCodec

/// A B-frame: one PDU of a fixed channel (Core 5.4, Vol 3 Part A 3.1).
package struct L2CAPBasicFrame: Hashable, Sendable {
    /// The length of the header in bytes: length and channel.
    package static let headerLength = 4

    /// The channel of the PDU.
    package var channel: L2CAPChannelID
    /// The PDU, at most 65,535 bytes.
    package var payload: ArraySlice<UInt8>

    /// A frame.
    package init(channel: L2CAPChannelID, payload: ArraySlice<UInt8>) {
        self.channel = channel
        self.payload = payload
    }

    /// Parses an unfragmented frame; bytes after it remain unread.
    package init(from reader: inout ByteReader) throws(CodecError) {
        let length = Int(try reader.uint16())
        channel = L2CAPChannelID(rawValue: try reader.uint16())
        payload = try reader.slice(length)
    }

    /// Writes header and payload.
    package func write(to writer: inout ByteWriter) {
        writer.uint16(UInt16(truncatingIfNeeded: payload.count))
        writer.uint16(channel.rawValue)
        writer.append(payload)
    }
}

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
