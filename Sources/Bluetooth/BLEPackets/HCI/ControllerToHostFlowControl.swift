public import ByteCodec

/// Says whether the controller waits for the host's buffers (Core 5.4, Vol 4 Part E 7.3.38).
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

    /// Reads the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        enable = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(enable)
    }
}

/// Tells the controller what the host can hold (Core 5.4, Vol 4 Part E 7.3.39).
public struct HCIHostBufferSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.hostBufferSize
    /// The name in errors.
    public static let name: StaticString = "HCI Host Buffer Size"

    /// The longest ACL payload, in bytes.
    public var aclDataLength: UInt16
    /// The longest synchronous payload, in bytes.
    public var synchronousDataLength: UInt8
    /// How many ACL packets fit.
    public var aclPacketCount: UInt16
    /// How many synchronous packets fit.
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

    /// Reads the parameters.
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
