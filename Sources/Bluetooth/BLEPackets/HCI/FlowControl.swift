import ByteCodec

/// Enables or disables flow control to the host (Core 5.4, Vol 4 Part E 7.3.38).
package struct HCISetControllerToHostFlowControl: HCICommand {
    package static let opcode = HCIOpcode.setControllerToHostFlowControl
    package static let name: StaticString = "HCI Set Controller To Host Flow Control"

    /// 0 off, 1 ACL, 2 synchronous, 3 both.
    package var enable: UInt8

    package init(enable: UInt8) {
        self.enable = enable
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        enable = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(enable)
    }
}

/// Sets the host's buffers (Core 5.4, Vol 4 Part E 7.3.39).
package struct HCIHostBufferSize: HCICommand {
    package static let opcode = HCIOpcode.hostBufferSize
    package static let name: StaticString = "HCI Host Buffer Size"

    /// The longest ACL payload, in bytes.
    package var aclDataLength: UInt16
    /// The longest synchronous payload, in bytes.
    package var synchronousDataLength: UInt8
    /// The number of ACL buffers.
    package var aclPacketCount: UInt16
    /// The number of synchronous buffers.
    package var synchronousPacketCount: UInt16

    package init(
        aclDataLength: UInt16, synchronousDataLength: UInt8, aclPacketCount: UInt16,
        synchronousPacketCount:
            UInt16
    ) {
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        aclDataLength = try reader.uint16()
        synchronousDataLength = try reader.uint8()
        aclPacketCount = try reader.uint16()
        synchronousPacketCount = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(aclDataLength)
        writer.uint8(synchronousDataLength)
        writer.uint16(aclPacketCount)
        writer.uint16(synchronousPacketCount)
    }
}

/// The number of completed packets of one connection: acknowledged by the peer, or processed by the host.
package struct HCICompletedPackets: Hashable, Sendable {
    /// The connection.
    package var handle: UInt16
    /// The number since the last report.
    package var count: UInt16

    /// A report about one connection.
    package init(handle: UInt16, count: UInt16) {
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

/// The controller has room again for this many packets (Core 5.4, Vol 4 Part E 7.7.19).
package struct HCINumberOfCompletedPackets: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.numberOfCompletedPackets
    package static let name: StaticString = "HCI Number Of Completed Packets"

    /// By connection; at most 63.
    package var connections: [HCICompletedPackets]

    package init(connections: [HCICompletedPackets]) {
        self.connections = connections
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        connections = try HCICompletedPackets.list(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        HCICompletedPackets.write(connections, to: &writer)
    }
}

/// The host has room again for this many packets (Core 5.4, Vol 4 Part E 7.3.40). The controller answers only on error.
package struct HCIHostNumberOfCompletedPackets: HCICommand {
    package static let opcode = HCIOpcode.hostNumberOfCompletedPackets
    package static let name: StaticString = "HCI Host Number Of Completed Packets"

    /// By connection; at most 63.
    package var connections: [HCICompletedPackets]

    package init(connections: [HCICompletedPackets]) {
        self.connections = connections
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        connections = try HCICompletedPackets.list(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        HCICompletedPackets.write(connections, to: &writer)
    }
}

/// The host has sent more than the controller can hold (Core 5.4, Vol 4 Part E 7.7.26).
package struct HCIDataBufferOverflow: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.dataBufferOverflow
    package static let name: StaticString = "HCI Data Buffer Overflow"

    /// 0 synchronous, 1 ACL, 2 isochronous.
    package var linkType: UInt8

    package init(linkType: UInt8) {
        self.linkType = linkType
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        linkType = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(linkType)
    }
}
