public import ByteCodec

/// READ_FLASH: streams a region of flash; stub only.
///
/// The response is followed by raw frames of `packetSize` bytes, each acknowledged by a frame with the number of bytes
/// received so far (32 bits), and by a frame with the MD5 digest of all of them.
public struct ReadFlash: LoaderCommand, Hashable {
    /// 0xD2.
    public static let opcode = LoaderOpcode.readFlash
    /// The longest packet, in bytes.
    public static let maximumPacketSize: UInt32 = 4096

    /// The first address.
    public var offset: UInt32
    /// The number of bytes.
    public var count: UInt32
    /// The size of a packet, at most ``maximumPacketSize``.
    public var packetSize: UInt32
    /// The maximum number of unacknowledged packets.
    public var maximumInFlight: UInt32

    /// All parameters.
    public init(offset: UInt32, count: UInt32, packetSize: UInt32, maximumInFlight: UInt32) {
        self.offset = offset
        self.count = count
        self.packetSize = packetSize
        self.maximumInFlight = maximumInFlight
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        offset = try reader.uint32()
        count = try reader.uint32()
        packetSize = try reader.uint32()
        maximumInFlight = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(offset)
        writer.uint32(count)
        writer.uint32(packetSize)
        writer.uint32(maximumInFlight)
    }
}
