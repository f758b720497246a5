public import ByteCodec

/// Changes the parameters of a connection (Core 5.4, Vol 4 Part E 7.8.18).
public struct HCILEConnectionUpdate: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leConnectionUpdate
    /// The name in errors.
    public static let name: StaticString = "HCI LE Connection Update"

    /// The connection.
    public var handle: UInt16
    /// The connection parameters.
    public var parameters: HCIConnectionParameters

    /// The command with these parameters.
    public init(handle: UInt16, parameters: HCIConnectionParameters) {
        self.handle = handle
        self.parameters = parameters
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        parameters = try HCIConnectionParameters(from: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        parameters.write(to: &writer)
    }
}

/// The parameters of a connection have changed, or could not (Core 5.4, Vol 4 Part E 7.7.65.3).
public struct HCILEConnectionUpdateComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .connectionUpdateComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Connection Update Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// The connection interval, in 1.25 ms.
    public var interval: UInt16
    /// How many connection events the peripheral may skip.
    public var latency: UInt16
    /// The supervision time-out, in 10 ms.
    public var supervisionTimeout: UInt16

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
        self.status = status
        self.handle = handle
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint16(interval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
    }
}

/// The peer requests other connection parameters (Core 5.4, Vol 4 Part E 7.7.65.6).
public struct HCILERemoteConnectionParameterRequest: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .remoteConnectionParameterRequest
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remote Connection Parameter Request"

    /// The connection.
    public var handle: UInt16
    /// The shortest interval, in 1.25 ms.
    public var minimumInterval: UInt16
    /// The longest interval, in 1.25 ms.
    public var maximumInterval: UInt16
    /// How many connection events the peripheral may skip.
    public var latency: UInt16
    /// The supervision time-out, in 10 ms.
    public var supervisionTimeout: UInt16

    /// The event with these parameters.
    public init(
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

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        minimumInterval = try reader.uint16()
        maximumInterval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(minimumInterval)
        writer.uint16(maximumInterval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
    }
}

/// Accepts the peer's request (Core 5.4, Vol 4 Part E 7.8.31).
public struct HCILERemoteConnectionParameterRequestReply: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.leRemoteConnectionParameterRequestReply
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remote Connection Parameter Request Reply"

    /// The connection.
    public var handle: UInt16
    /// The connection parameters.
    public var parameters: HCIConnectionParameters

    /// The command with these parameters.
    public init(handle: UInt16, parameters: HCIConnectionParameters) {
        self.handle = handle
        self.parameters = parameters
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        parameters = try HCIConnectionParameters(from: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        parameters.write(to: &writer)
    }
}

/// Rejects the peer's request (Core 5.4, Vol 4 Part E 7.8.32).
public struct HCILERemoteConnectionParameterRequestNegativeReply: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.leRemoteConnectionParameterRequestNegativeReply
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remote Connection Parameter Request Negative Reply"

    /// The connection.
    public var handle: UInt16
    /// The reason sent to the peer.
    public var reason: HCIErrorCode

    /// The command with these parameters.
    public init(handle: UInt16, reason: HCIErrorCode) {
        self.handle = handle
        self.reason = reason
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        reason = HCIErrorCode(rawValue: try reader.uint8())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint8(reason.rawValue)
    }
}
