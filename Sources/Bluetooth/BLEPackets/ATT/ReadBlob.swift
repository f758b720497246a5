public import ByteCodec

/// Requests a part of a long value (Core 5.4, Vol 3 Part F 3.4.4.5).
public struct ATTReadBlobRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readBlobRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Read Blob Request"

    /// The attribute to read.
    public var handle: UInt16

    /// The first byte wanted.
    public var offset: UInt16

    /// The PDU with these fields.
    public init(handle: UInt16, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
    }
}

/// The part of a value from the requested offset, at most MTU − 1 bytes (Core 5.4, Vol 3 Part F 3.4.4.6).
public struct ATTReadBlobResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readBlobResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Read Blob Response"

    /// The bytes; empty at the end of the value.
    public var part: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(part: ArraySlice<UInt8>) {
        self.part = part
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        part = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(part)
    }
}
