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

/// The number of completed packets of one connection: acknowledged by the peer, or processed by the host.
public struct HCICompletedPackets: Hashable, Sendable {
    /// The connection.
    public var handle: UInt16
    /// The number since the last report.
    public var count: UInt16

    /// A report about one connection.
    public init(handle: UInt16, count: UInt16) {
        self.handle = handle
        self.count = count
    }

    fileprivate static func list(from reader: inout ByteReader) throws(CodecError) -> [HCICompletedPackets] {
        let count = Int(try reader.uint8())
        guard reader.remaining >= 4 * count else {
            throw CodecError(
                "\(reader.subject)", .truncated(expected: 4 * count, got: reader.remaining), offset: reader.offset)
        }
        var list: [HCICompletedPackets] = []
        list.reserveCapacity(count)
        for _ in 0..<count {
            list.append(HCICompletedPackets(handle: try reader.uint16(), count: try reader.uint16()))
        }
        return list
    }

    fileprivate static func write(_ list: [HCICompletedPackets], to writer: inout ByteWriter) {
        writer.uint8(UInt8(truncatingIfNeeded: list.count))
        for completed in list {
            writer.uint16(completed.handle)
            writer.uint16(completed.count)
        }
    }
}

/// The controller has room again for so many packets (Core 5.4, Vol 4 Part E 7.7.19).
public struct HCINumberOfCompletedPackets: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.numberOfCompletedPackets
    /// The name in errors.
    public static let name: StaticString = "HCI Number Of Completed Packets"

    /// By connection; at most 63.
    public var connections: [HCICompletedPackets]

    /// The event with these parameters.
    public init(connections: [HCICompletedPackets]) {
        self.connections = connections
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        connections = try HCICompletedPackets.list(from: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        HCICompletedPackets.write(connections, to: &writer)
    }
}

/// The host has room again for so many packets (Core 5.4, Vol 4 Part E 7.3.40). It is answered only on error.
public struct HCIHostNumberOfCompletedPackets: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.hostNumberOfCompletedPackets
    /// The name in errors.
    public static let name: StaticString = "HCI Host Number Of Completed Packets"

    /// By connection; at most 63.
    public var connections: [HCICompletedPackets]

    /// The command with these parameters.
    public init(connections: [HCICompletedPackets]) {
        self.connections = connections
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        connections = try HCICompletedPackets.list(from: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        HCICompletedPackets.write(connections, to: &writer)
    }
}

/// The host has sent more than the controller can hold (Core 5.4, Vol 4 Part E 7.7.26).
public struct HCIDataBufferOverflow: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.dataBufferOverflow
    /// The name in errors.
    public static let name: StaticString = "HCI Data Buffer Overflow"

    /// 0 synchronous, 1 ACL, 2 isochronous.
    public var linkType: UInt8

    /// The event with these parameters.
    public init(linkType: UInt8) {
        self.linkType = linkType
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        linkType = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(linkType)
    }
}
