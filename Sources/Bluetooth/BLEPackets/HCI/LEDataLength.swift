public import ByteCodec

/// Suggests the longest link layer payload on a connection (Core 5.4, Vol 4 Part E 7.8.33).
public struct HCILESetDataLength: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.leSetDataLength
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Data Length"

    /// The connection.
    public var handle: UInt16
    /// In bytes; 27...251.
    public var txOctets: UInt16
    /// In microseconds; 328...17,040.
    public var txTime: UInt16

    /// The command with these parameters.
    public init(handle: UInt16, txOctets: UInt16, txTime: UInt16) {
        self.handle = handle
        self.txOctets = txOctets
        self.txTime = txTime
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        txOctets = try reader.uint16()
        txTime = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(txOctets)
        writer.uint16(txTime)
    }
}

/// Reads the suggested data length of new connections (Core 5.4, Vol 4 Part E 7.8.34).
public struct HCILEReadSuggestedDefaultDataLength: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadSuggestedDefaultDataLength
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Suggested Default Data Length"

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
        /// In bytes.
        public var txOctets: UInt16
        /// In microseconds.
        public var txTime: UInt16

        /// An answer with these values.
        public init(status: HCIErrorCode, txOctets: UInt16, txTime: UInt16) {
            self.status = status
            self.txOctets = txOctets
            self.txTime = txTime
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            txOctets = try reader.uint16()
            txTime = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(txOctets)
            writer.uint16(txTime)
        }
    }
}

/// Sets the longest payload on new connections (Core 5.4, Vol 4 Part E 7.8.35).
public struct HCILEWriteSuggestedDefaultDataLength: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leWriteSuggestedDefaultDataLength
    /// The name in errors.
    public static let name: StaticString = "HCI LE Write Suggested Default Data Length"

    /// In bytes; 27...251.
    public var txOctets: UInt16
    /// In microseconds; 328...17,040.
    public var txTime: UInt16

    /// The command with these parameters.
    public init(txOctets: UInt16, txTime: UInt16) {
        self.txOctets = txOctets
        self.txTime = txTime
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        txOctets = try reader.uint16()
        txTime = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(txOctets)
        writer.uint16(txTime)
    }
}

/// The longest link layer payload of a connection has changed (Core 5.4, Vol 4 Part E 7.7.65.7).
public struct HCILEDataLengthChange: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .dataLengthChange
    /// The name in errors.
    public static let name: StaticString = "HCI LE Data Length Change"

    /// The connection.
    public var handle: UInt16
    /// The longest payload sent, in bytes.
    public var maximumTxOctets: UInt16
    /// The longest packet sent, in microseconds.
    public var maximumTxTime: UInt16
    /// The longest payload received, in bytes.
    public var maximumRxOctets: UInt16
    /// The longest packet received, in microseconds.
    public var maximumRxTime: UInt16

    /// The event with these parameters.
    public init(
        handle: UInt16, maximumTxOctets: UInt16, maximumTxTime: UInt16, maximumRxOctets: UInt16,
        maximumRxTime:
            UInt16
    ) {
        self.handle = handle
        self.maximumTxOctets = maximumTxOctets
        self.maximumTxTime = maximumTxTime
        self.maximumRxOctets = maximumRxOctets
        self.maximumRxTime = maximumRxTime
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        maximumTxOctets = try reader.uint16()
        maximumTxTime = try reader.uint16()
        maximumRxOctets = try reader.uint16()
        maximumRxTime = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(maximumTxOctets)
        writer.uint16(maximumTxTime)
        writer.uint16(maximumRxOctets)
        writer.uint16(maximumRxTime)
    }
}

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
