public import ByteCodec

/// Requests the first bytes of a value (Core 5.4, Vol 3 Part F 3.4.4.3).
public struct ATTReadRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Read Request"

    /// The attribute to read.
    public var handle: UInt16

    /// The PDU with these fields.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
    }
}

/// The first bytes of a value, at most MTU − 1 (Core 5.4, Vol 3 Part F 3.4.4.4).
public struct ATTReadResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Read Response"

    /// The value; may be empty.
    public var value: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(value: ArraySlice<UInt8>) {
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        value = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(value)
    }
}
