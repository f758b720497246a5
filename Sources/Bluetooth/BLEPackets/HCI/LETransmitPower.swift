import ByteCodec

/// Reads the range of transmit powers (Core 5.4, Vol 4 Part E 7.8.74).
package struct HCILEReadTransmitPower: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadTransmitPower
    package static let name: StaticString = "HCI LE Read Transmit Power"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The lowest transmit power, in dBm.
        package var minimum: Int8
        /// The highest transmit power, in dBm.
        package var maximum: Int8

        /// An answer with these values.
        package init(status: HCIErrorCode, minimum: Int8, maximum: Int8) {
            self.status = status
            self.minimum = minimum
            self.maximum = maximum
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            minimum = try reader.int8()
            maximum = try reader.int8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(minimum)
            writer.int8(maximum)
        }
    }
}

/// Reads the RF path gain (Core 5.4, Vol 4 Part E 7.8.75).
package struct HCILEReadRFPathCompensation: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadRFPathCompensation
    package static let name: StaticString = "HCI LE Read RF Path Compensation"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The gain for sending, in 0.1 dB.
        package var tx: Int16
        /// The gain for receiving, in 0.1 dB.
        package var rx: Int16

        /// An answer with these values.
        package init(status: HCIErrorCode, tx: Int16, rx: Int16) {
            self.status = status
            self.tx = tx
            self.rx = rx
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            tx = Int16(bitPattern: try reader.uint16())
            rx = Int16(bitPattern: try reader.uint16())
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(UInt16(bitPattern: tx))
            writer.uint16(UInt16(bitPattern: rx))
        }
    }
}

/// Sets the RF path gain (Core 5.4, Vol 4 Part E 7.8.76).
package struct HCILEWriteRFPathCompensation: HCICommand {
    package static let opcode = HCIOpcode.leWriteRFPathCompensation
    package static let name: StaticString = "HCI LE Write RF Path Compensation"

    /// The gain for sending, in 0.1 dB; -1280...1280.
    package var tx: Int16
    /// The gain for receiving, in 0.1 dB; -1280...1280.
    package var rx: Int16

    package init(tx: Int16, rx: Int16) {
        self.tx = tx
        self.rx = rx
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        tx = Int16(bitPattern: try reader.uint16())
        rx = Int16(bitPattern: try reader.uint16())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(UInt16(bitPattern: tx))
        writer.uint16(UInt16(bitPattern: rx))
    }
}
