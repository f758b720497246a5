import ByteCodec

/// Changes the parameters of a connection (Core 5.4, Vol 4 Part E 7.8.18).
package struct HCILEConnectionUpdate: HCICommand {
    package static let opcode = HCIOpcode.leConnectionUpdate
    package static let name: StaticString = "HCI LE Connection Update"

    /// The connection.
    package var handle: UInt16
    /// The connection parameters.
    package var parameters: HCIConnectionParameters

    package init(handle: UInt16, parameters: HCIConnectionParameters) {
        self.handle = handle
        self.parameters = parameters
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        parameters = try HCIConnectionParameters(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        parameters.write(to: &writer)
    }
}

/// The parameters of a connection have changed, or the change failed (Core 5.4, Vol 4 Part E 7.7.65.3).
package struct HCILEConnectionUpdateComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .connectionUpdateComplete
    package static let name: StaticString = "HCI LE Connection Update Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// The connection interval, in 1.25 ms.
    package var interval: UInt16
    /// The number of connection events that the peripheral may skip.
    package var latency: UInt16
    /// The supervision time-out, in 10 ms.
    package var supervisionTimeout: UInt16

    package init(status: HCIErrorCode, handle: UInt16, interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
        self.status = status
        self.handle = handle
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint16(interval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
    }
}

/// The peer requests other connection parameters (Core 5.4, Vol 4 Part E 7.7.65.6).
package struct HCILERemoteConnectionParameterRequest: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .remoteConnectionParameterRequest
    package static let name: StaticString = "HCI LE Remote Connection Parameter Request"

    /// The connection.
    package var handle: UInt16
    /// The shortest interval, in 1.25 ms.
    package var minimumInterval: UInt16
    /// The longest interval, in 1.25 ms.
    package var maximumInterval: UInt16
    /// The number of connection events that the peripheral may skip.
    package var latency: UInt16
    /// The supervision time-out, in 10 ms.
    package var supervisionTimeout: UInt16

    package init(
        handle: UInt16, minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16,
        supervisionTimeout:
            UInt16
    ) {
        self.handle = handle
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        minimumInterval = try reader.uint16()
        maximumInterval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(minimumInterval)
        writer.uint16(maximumInterval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
    }
}

/// Accepts the peer's request (Core 5.4, Vol 4 Part E 7.8.31).
package struct HCILERemoteConnectionParameterRequestReply: HCICommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.leRemoteConnectionParameterRequestReply
    package static let name: StaticString = "HCI LE Remote Connection Parameter Request Reply"

    /// The connection.
    package var handle: UInt16
    /// The connection parameters.
    package var parameters: HCIConnectionParameters

    package init(handle: UInt16, parameters: HCIConnectionParameters) {
        self.handle = handle
        self.parameters = parameters
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        parameters = try HCIConnectionParameters(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        parameters.write(to: &writer)
    }
}

/// Rejects the peer's request (Core 5.4, Vol 4 Part E 7.8.32).
package struct HCILERemoteConnectionParameterRequestNegativeReply: HCICommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.leRemoteConnectionParameterRequestNegativeReply
    package static let name: StaticString = "HCI LE Remote Connection Parameter Request Negative Reply"

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
