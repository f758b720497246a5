public import ByteCodec

/// Reads the RSSI of the peer (Core 5.4, Vol 4 Part E 7.5.4).
public struct HCIReadRSSI: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readRSSI
    /// The name in errors.
    public static let name: StaticString = "HCI Read RSSI"

    /// The connection.
    public var handle: UInt16

    /// The command with these parameters.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The connection.
        public var handle: UInt16
        /// In dBm; 127 is unknown.
        public var rssi: Int8

        /// An answer with these values.
        public init(status: HCIErrorCode, handle: UInt16, rssi: Int8) {
            self.status = status
            self.handle = handle
            self.rssi = rssi
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            rssi = try reader.int8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.int8(rssi)
        }
    }
}
