import ByteCodec

/// Reads the authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.93).
package struct HCIReadAuthenticatedPayloadTimeout: HCIConnectionCommand {
    package static let opcode = HCIOpcode.readAuthenticatedPayloadTimeout
    package static let name: StaticString = "HCI Read Authenticated Payload Timeout"

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
        /// In 10 ms.
        package var timeout: UInt16

        /// An answer with these values.
        package init(status: HCIErrorCode, handle: UInt16, timeout: UInt16) {
            self.status = status
            self.handle = handle
            self.timeout = timeout
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            timeout = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.uint16(timeout)
        }
    }
}

/// Sets the authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.94).
package struct HCIWriteAuthenticatedPayloadTimeout: HCICommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.writeAuthenticatedPayloadTimeout
    package static let name: StaticString = "HCI Write Authenticated Payload Timeout"

    /// The connection.
    package var handle: UInt16
    /// In 10 ms; at least 1.
    package var timeout: UInt16

    package init(handle: UInt16, timeout: UInt16) {
        self.handle = handle
        self.timeout = timeout
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        timeout = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(timeout)
    }
}
