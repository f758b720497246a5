public import ByteCodec

/// A B-frame: one PDU of a fixed channel (Core 5.4, Vol 3 Part A 3.1).
public struct L2CAPBasicFrame: Hashable, Sendable {
    /// The length of the header in bytes: length and channel.
    public static let headerLength = 4

    /// The channel the PDU is for.
    public var channel: L2CAPChannelID
    /// The PDU, at most 65,535 bytes.
    public var payload: ArraySlice<UInt8>

    /// A frame.
    public init(channel: L2CAPChannelID, payload: ArraySlice<UInt8>) {
        self.channel = channel
        self.payload = payload
    }

    /// Parses an unfragmented frame; bytes after it stay unread.
    public init(from reader: inout ByteReader) throws(CodecError) {
        let length = Int(try reader.uint16())
        channel = L2CAPChannelID(rawValue: try reader.uint16())
        payload = try reader.slice(length)
    }

    /// Writes header and payload.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(UInt16(truncatingIfNeeded: payload.count))
        writer.uint16(channel.rawValue)
        writer.append(payload)
    }
}
