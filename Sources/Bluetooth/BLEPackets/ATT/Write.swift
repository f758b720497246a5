public import ByteCodec

/// Writes a value with a response (Core 5.4, Vol 3 Part F 3.4.5.1).
public struct ATTWriteRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.writeRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Write Request"

    /// The attribute to write.
    public var handle: UInt16

    /// The new value; may be empty.
    public var value: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, value: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
    }
}

/// Confirms a write (Core 5.4, Vol 3 Part F 3.4.5.2).
public struct ATTWriteResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.writeResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Write Response"

    /// The PDU; it has no fields.
    public init() {}

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}
