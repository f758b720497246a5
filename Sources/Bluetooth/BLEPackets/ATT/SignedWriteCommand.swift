public import ByteCodec

/// Writes a value without any response, signed with the sender's CSRK (Core 5.4, Vol 3 Part F 3.4.5.4).
public struct ATTSignedWriteCommand: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.signedWriteCommand
    /// The name in errors.
    public static let name: StaticString = "ATT Signed Write Command"

    /// The length of every signature.
    public static let signatureLength = 12

    /// The attribute to write.
    public var handle: UInt16
    /// The new value; may be empty.
    public var value: ArraySlice<UInt8>
    /// The sign counter and the MAC, 12 bytes (Core 5.4, Vol 3 Part C 10.4.1).
    public var signature: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, value: ArraySlice<UInt8>, signature: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
        self.signature = signature
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = try reader.slice(max(0, reader.remaining - Self.signatureLength))
        signature = try reader.slice(Self.signatureLength)
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
        writer.append(signature)
    }
}
