public import ByteCodec

/// Queues a part of a value for a later Execute Write (Core 5.4, Vol 3 Part F 3.4.6.1).
public struct ATTPrepareWriteRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.prepareWriteRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Prepare Write Request"

    /// The attribute to write.
    public var handle: UInt16

    /// The offset of the part in the value.
    public var offset: UInt16

    /// The bytes; may be empty.
    public var part: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, offset: UInt16, part: ArraySlice<UInt8>) {
        self.handle = handle
        self.offset = offset
        self.part = part
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
        part = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
        writer.append(part)
    }
}

/// Echoes the queued part (Core 5.4, Vol 3 Part F 3.4.6.2).
public struct ATTPrepareWriteResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.prepareWriteResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Prepare Write Response"

    /// As in the request.
    public var handle: UInt16

    /// As in the request.
    public var offset: UInt16

    /// As in the request.
    public var part: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, offset: UInt16, part: ArraySlice<UInt8>) {
        self.handle = handle
        self.offset = offset
        self.part = part
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
        part = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
        writer.append(part)
    }
}
