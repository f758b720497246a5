public import ByteCodec

/// Writes or discards the queued values (Core 5.4, Vol 3 Part F 3.4.6.3).
public struct ATTExecuteWriteRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.executeWriteRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Execute Write Request"

    /// 0 discards the queue, 1 writes it.
    public var flags: UInt8

    /// The PDU with these fields.
    public init(flags: UInt8) {
        self.flags = flags
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        flags = try reader.uint8()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(flags)
    }
}

/// Confirms that the queued values were written or discarded (Core 5.4, Vol 3 Part F 3.4.6.4).
public struct ATTExecuteWriteResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.executeWriteResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Execute Write Response"

    /// The PDU; it has no fields.
    public init() {}

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}
