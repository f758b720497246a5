public import ByteCodec

/// Enables or disables flow control to the host (Core 5.4, Vol 4 Part E 7.3.38).
public struct HCISetControllerToHostFlowControl: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.setControllerToHostFlowControl
    /// The name in errors.
    public static let name: StaticString = "HCI Set Controller To Host Flow Control"

    /// 0 off, 1 ACL, 2 synchronous, 3 both.
    public var enable: UInt8

    /// The command with these parameters.
    public init(enable: UInt8) {
        self.enable = enable
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        enable = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(enable)
    }
}

/// Sets the host's buffers (Core 5.4, Vol 4 Part E 7.3.39).
public struct HCIHostBufferSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.hostBufferSize
    /// The name in errors.
    public static let name: StaticString = "HCI Host Buffer Size"

    /// The longest ACL payload, in bytes.
    public var aclDataLength: UInt16
    /// The longest synchronous payload, in bytes.
    public var synchronousDataLength: UInt8
    /// The number of ACL buffers.
    public var aclPacketCount: UInt16
    /// The number of synchronous buffers.
    public var synchronousPacketCount: UInt16

    /// The command with these parameters.
    public init(
        aclDataLength: UInt16, synchronousDataLength: UInt8, aclPacketCount: UInt16,
        synchronousPacketCount:
            UInt16
    ) {
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        aclDataLength = try reader.uint16()
        synchronousDataLength = try reader.uint8()
        aclPacketCount = try reader.uint16()
        synchronousPacketCount = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(aclDataLength)
        writer.uint8(synchronousDataLength)
        writer.uint16(aclPacketCount)
        writer.uint16(synchronousPacketCount)
    }
}
