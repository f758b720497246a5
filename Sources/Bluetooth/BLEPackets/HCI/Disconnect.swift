import ByteCodec

/// Ends a connection (Core 5.4, Vol 4 Part E 7.1.6).
package struct HCIDisconnect: HCICommand {
    package static let opcode = HCIOpcode.disconnect
    package static let name: StaticString = "HCI Disconnect"

    /// The connection.
    package var handle: UInt16
    /// The reason sent to the peer.
    package var reason: HCIErrorCode

    package init(handle: UInt16, reason: HCIErrorCode) {
        self.handle = handle
        self.reason = reason
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        reason = HCIErrorCode(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint8(reason.rawValue)
    }
}

/// A connection has ended (Core 5.4, Vol 4 Part E 7.7.5).
package struct HCIDisconnectionComplete: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.disconnectionComplete
    package static let name: StaticString = "HCI Disconnection Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// The reason of the end.
    package var reason: HCIErrorCode

    package init(status: HCIErrorCode, handle: UInt16, reason: HCIErrorCode) {
        self.status = status
        self.handle = handle
        self.reason = reason
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        reason = HCIErrorCode(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(reason.rawValue)
    }
}
