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
