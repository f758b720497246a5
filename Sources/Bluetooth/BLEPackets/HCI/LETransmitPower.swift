public import ByteCodec

/// Reads the range of transmit powers (Core 5.4, Vol 4 Part E 7.8.74).
public struct HCILEReadTransmitPower: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadTransmitPower
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Transmit Power"

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
        /// In dBm.
        public var minimum: Int8
        /// In dBm.
        public var maximum: Int8

        /// An answer with these values.
        public init(status: HCIErrorCode, minimum: Int8, maximum: Int8) {
            self.status = status
            self.minimum = minimum
            self.maximum = maximum
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            minimum = try reader.int8()
            maximum = try reader.int8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(minimum)
            writer.int8(maximum)
        }
    }
}

/// Reads the RF path gain (Core 5.4, Vol 4 Part E 7.8.75).
public struct HCILEReadRFPathCompensation: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadRFPathCompensation
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read RF Path Compensation"

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
        /// In 0.1 dB.
        public var tx: Int16
        /// In 0.1 dB.
        public var rx: Int16

        /// An answer with these values.
        public init(status: HCIErrorCode, tx: Int16, rx: Int16) {
            self.status = status
            self.tx = tx
            self.rx = rx
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            tx = Int16(bitPattern: try reader.uint16())
            rx = Int16(bitPattern: try reader.uint16())
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(UInt16(bitPattern: tx))
            writer.uint16(UInt16(bitPattern: rx))
        }
    }
}

/// Sets the RF path gain (Core 5.4, Vol 4 Part E 7.8.76).
public struct HCILEWriteRFPathCompensation: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leWriteRFPathCompensation
    /// The name in errors.
    public static let name: StaticString = "HCI LE Write RF Path Compensation"

    /// In 0.1 dB; -1280...1280.
    public var tx: Int16
    /// In 0.1 dB; -1280...1280.
    public var rx: Int16

    /// The command with these parameters.
    public init(tx: Int16, rx: Int16) {
        self.tx = tx
        self.rx = rx
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        tx = Int16(bitPattern: try reader.uint16())
        rx = Int16(bitPattern: try reader.uint16())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(UInt16(bitPattern: tx))
        writer.uint16(UInt16(bitPattern: rx))
    }
}
