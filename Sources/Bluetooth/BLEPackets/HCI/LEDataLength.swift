import ByteCodec

/// Suggests the longest link layer payload on a connection (Core 5.4, Vol 4 Part E 7.8.33).
package struct HCILESetDataLength: HCICommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.leSetDataLength
    package static let name: StaticString = "HCI LE Set Data Length"

    /// The connection.
    package var handle: UInt16
    /// The longest payload sent, in bytes; 27...251.
    package var txOctets: UInt16
    /// The longest packet sent, in microseconds; 328...17,040.
    package var txTime: UInt16

    package init(handle: UInt16, txOctets: UInt16, txTime: UInt16) {
        self.handle = handle
        self.txOctets = txOctets
        self.txTime = txTime
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        txOctets = try reader.uint16()
        txTime = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(txOctets)
        writer.uint16(txTime)
    }
}

/// Reads the suggested data length of new connections (Core 5.4, Vol 4 Part E 7.8.34).
package struct HCILEReadSuggestedDefaultDataLength: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadSuggestedDefaultDataLength
    package static let name: StaticString = "HCI LE Read Suggested Default Data Length"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The longest payload sent, in bytes.
        package var txOctets: UInt16
        /// The longest packet sent, in microseconds.
        package var txTime: UInt16

        /// An answer with these values.
        package init(status: HCIErrorCode, txOctets: UInt16, txTime: UInt16) {
            self.status = status
            self.txOctets = txOctets
            self.txTime = txTime
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            txOctets = try reader.uint16()
            txTime = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(txOctets)
            writer.uint16(txTime)
        }
    }
}

/// Sets the longest payload on new connections (Core 5.4, Vol 4 Part E 7.8.35).
package struct HCILEWriteSuggestedDefaultDataLength: HCICommand {
    package static let opcode = HCIOpcode.leWriteSuggestedDefaultDataLength
    package static let name: StaticString = "HCI LE Write Suggested Default Data Length"

    /// The longest payload sent, in bytes; 27...251.
    package var txOctets: UInt16
    /// The longest packet sent, in microseconds; 328...17,040.
    package var txTime: UInt16

    package init(txOctets: UInt16, txTime: UInt16) {
        self.txOctets = txOctets
        self.txTime = txTime
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        txOctets = try reader.uint16()
        txTime = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(txOctets)
        writer.uint16(txTime)
    }
}

/// The longest link layer payload of a connection has changed (Core 5.4, Vol 4 Part E 7.7.65.7).
package struct HCILEDataLengthChange: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .dataLengthChange
    package static let name: StaticString = "HCI LE Data Length Change"

    /// The connection.
    package var handle: UInt16
    /// The longest payload sent, in bytes.
    package var maximumTxOctets: UInt16
    /// The longest packet sent, in microseconds.
    package var maximumTxTime: UInt16
    /// The longest payload received, in bytes.
    package var maximumRxOctets: UInt16
    /// The longest packet received, in microseconds.
    package var maximumRxTime: UInt16

    package init(
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

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        maximumTxOctets = try reader.uint16()
        maximumTxTime = try reader.uint16()
        maximumRxOctets = try reader.uint16()
        maximumRxTime = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(maximumTxOctets)
        writer.uint16(maximumTxTime)
        writer.uint16(maximumRxOctets)
        writer.uint16(maximumRxTime)
    }
}

/// Reads the maximum data lengths of the controller (Core 5.4, Vol 4 Part E 7.8.46).
package struct HCILEReadMaximumDataLength: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadMaximumDataLength
    package static let name: StaticString = "HCI LE Read Maximum Data Length"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The longest payload sent, in bytes.
        package var maximumTxOctets: UInt16
        /// The longest packet sent, in microseconds.
        package var maximumTxTime: UInt16
        /// The longest payload received, in bytes.
        package var maximumRxOctets: UInt16
        /// The longest packet received, in microseconds.
        package var maximumRxTime: UInt16

        /// An answer with these values.
        package init(
            status: HCIErrorCode, maximumTxOctets: UInt16, maximumTxTime: UInt16, maximumRxOctets: UInt16,
            maximumRxTime: UInt16
        ) {
            self.status = status
            self.maximumTxOctets = maximumTxOctets
            self.maximumTxTime = maximumTxTime
            self.maximumRxOctets = maximumRxOctets
            self.maximumRxTime = maximumRxTime
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            maximumTxOctets = try reader.uint16()
            maximumTxTime = try reader.uint16()
            maximumRxOctets = try reader.uint16()
            maximumRxTime = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(maximumTxOctets)
            writer.uint16(maximumTxTime)
            writer.uint16(maximumRxOctets)
            writer.uint16(maximumRxTime)
        }
    }
}
