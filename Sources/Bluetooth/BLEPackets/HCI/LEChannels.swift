import ByteCodec

/// Data channels, one bit each: bit 0 is channel 0 (Core 5.4, Vol 4 Part E 7.8.19); all values of 40 bits are accepted.
package struct HCIChannelMap: RawRepresentable, Hashable, Sendable {
    /// The bits; bits from 40 on are not encoded.
    package let rawValue: UInt64

    /// Channels by their bits.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Channels 0 to 36.
    package static let all = HCIChannelMap(rawValue: 0x1F_FFFF_FFFF)

    /// Reads five octets.
    package init(from reader: inout ByteReader) throws(CodecError) {
        let low = try reader.uint32()
        rawValue = UInt64(low) | UInt64(try reader.uint8()) << 32
    }

    /// Writes five octets.
    package func write(to writer: inout ByteWriter) {
        writer.uint32(UInt32(truncatingIfNeeded: rawValue))
        writer.uint8(UInt8(truncatingIfNeeded: rawValue >> 32))
    }
}

/// Classifies the data channels as bad or unknown (Core 5.4, Vol 4 Part E 7.8.19).
package struct HCILESetHostChannelClassification: HCICommand {
    package static let opcode = HCIOpcode.leSetHostChannelClassification
    package static let name: StaticString = "HCI LE Set Host Channel Classification"

    /// The channels that the host does not know to be bad; at least one.
    package var channelMap: HCIChannelMap

    package init(channelMap: HCIChannelMap) {
        self.channelMap = channelMap
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        channelMap = try HCIChannelMap(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        channelMap.write(to: &writer)
    }
}

/// Reads the channel map of a connection (Core 5.4, Vol 4 Part E 7.8.20).
package struct HCILEReadChannelMap: HCIConnectionCommand {
    package static let opcode = HCIOpcode.leReadChannelMap
    package static let name: StaticString = "HCI LE Read Channel Map"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The connection.
        package var handle: UInt16
        /// The channels in use.
        package var channelMap: HCIChannelMap

        /// An answer with these values.
        package init(status: HCIErrorCode, handle: UInt16, channelMap: HCIChannelMap) {
            self.status = status
            self.handle = handle
            self.channelMap = channelMap
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            channelMap = try HCIChannelMap(from: &reader)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            channelMap.write(to: &writer)
        }
    }
}

/// The channel selection algorithm of a new connection (Core 5.4, Vol 4 Part E 7.7.65.20).
package struct HCILEChannelSelectionAlgorithm: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .channelSelectionAlgorithm
    package static let name: StaticString = "HCI LE Channel Selection Algorithm"

    /// The connection.
    package var handle: UInt16
    /// 0: algorithm 1, 1: algorithm 2.
    package var algorithm: UInt8

    package init(handle: UInt16, algorithm: UInt8) {
        self.handle = handle
        self.algorithm = algorithm
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        algorithm = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint8(algorithm)
    }
}
