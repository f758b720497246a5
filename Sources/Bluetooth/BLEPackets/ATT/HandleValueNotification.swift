public import ByteCodec

/// A value notified by the server (Core 5.4, Vol 3 Part F 3.4.7.1).
public struct ATTHandleValueNotification: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.handleValueNotification
    /// The name in errors.
    public static let name: StaticString = "ATT Handle Value Notification"

    /// The attribute.
    public var handle: UInt16

    /// Its value, at most MTU − 3 bytes.
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
