public import ByteCodec

/// Writes a value without any response (Core 5.4, Vol 3 Part F 3.4.5.3).
public struct ATTWriteCommand: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.writeCommand
    /// The name in errors.
    public static let name: StaticString = "ATT Write Command"

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
