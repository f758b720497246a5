public import ByteCodec

/// Reads the maximum data lengths of the controller (Core 5.4, Vol 4 Part E 7.8.46).
public struct HCILEReadMaximumDataLength: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadMaximumDataLength
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Maximum Data Length"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// Sent, in bytes.
        public var maximumTxOctets: UInt16
        /// Sent, in microseconds.
        public var maximumTxTime: UInt16
        /// Received, in bytes.
        public var maximumRxOctets: UInt16
        /// Received, in microseconds.
        public var maximumRxTime: UInt16

        /// An answer with these values.
        public init(
            status: HCIErrorCode, maximumTxOctets: UInt16, maximumTxTime: UInt16, maximumRxOctets: UInt16,
            maximumRxTime: UInt16
        ) {
            self.status = status
            self.maximumTxOctets = maximumTxOctets
            self.maximumTxTime = maximumTxTime
            self.maximumRxOctets = maximumRxOctets
            self.maximumRxTime = maximumRxTime
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            maximumTxOctets = try reader.uint16()
            maximumTxTime = try reader.uint16()
            maximumRxOctets = try reader.uint16()
            maximumRxTime = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(maximumTxOctets)
            writer.uint16(maximumTxTime)
            writer.uint16(maximumRxOctets)
            writer.uint16(maximumRxTime)
        }
    }
}
