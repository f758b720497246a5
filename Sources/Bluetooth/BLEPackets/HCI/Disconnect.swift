public import ByteCodec

/// Ends a connection (Core 5.4, Vol 4 Part E 7.1.6).
public struct HCIDisconnect: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.disconnect
    /// The name in errors.
    public static let name: StaticString = "HCI Disconnect"

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

/// A connection has ended (Core 5.4, Vol 4 Part E 7.7.5).
public struct HCIDisconnectionComplete: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.disconnectionComplete
    /// The name in errors.
    public static let name: StaticString = "HCI Disconnection Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// Why it ended.
    public var reason: HCIErrorCode

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, reason: HCIErrorCode) {
        self.status = status
        self.handle = handle
        self.reason = reason
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        reason = HCIErrorCode(rawValue: try reader.uint8())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(reason.rawValue)
    }
}

/// Reads the authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.93).
public struct HCIReadAuthenticatedPayloadTimeout: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readAuthenticatedPayloadTimeout
    /// The name in errors.
    public static let name: StaticString = "HCI Read Authenticated Payload Timeout"

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
        /// In 10 ms.
        public var timeout: UInt16

        /// An answer with these values.
        public init(status: HCIErrorCode, handle: UInt16, timeout: UInt16) {
            self.status = status
            self.handle = handle
            self.timeout = timeout
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            timeout = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.uint16(timeout)
        }
    }
}

/// Sets the authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.94).
public struct HCIWriteAuthenticatedPayloadTimeout: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.writeAuthenticatedPayloadTimeout
    /// The name in errors.
    public static let name: StaticString = "HCI Write Authenticated Payload Timeout"

    /// The connection.
    public var handle: UInt16
    /// In 10 ms; at least 1.
    public var timeout: UInt16

    /// The command with these parameters.
    public init(handle: UInt16, timeout: UInt16) {
        self.handle = handle
        self.timeout = timeout
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        timeout = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint16(timeout)
    }
}
