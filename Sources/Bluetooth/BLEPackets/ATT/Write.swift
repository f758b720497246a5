import ByteCodec

/// Writes a value with a response (Core 5.4, Vol 3 Part F 3.4.5.1).
package struct ATTWriteRequest: ATTPDU {
    package static let opcode = ATTOpcode.writeRequest
    package static let name: StaticString = "ATT Write Request"

    /// The attribute to write.
    package var handle: UInt16

    /// The new value; may be empty.
    package var value: ArraySlice<UInt8>

    package init(handle: UInt16, value: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
    }
}

/// Confirms a write (Core 5.4, Vol 3 Part F 3.4.5.2).
package struct ATTWriteResponse: ATTPDU {
    package static let opcode = ATTOpcode.writeResponse
    package static let name: StaticString = "ATT Write Response"

    /// The PDU; it has no fields.
    package init() {}

    package init(from reader: inout ByteReader) throws(CodecError) {}

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}

/// Writes a value without any response (Core 5.4, Vol 3 Part F 3.4.5.3).
package struct ATTWriteCommand: ATTPDU {
    package static let opcode = ATTOpcode.writeCommand
    package static let name: StaticString = "ATT Write Command"

    /// The attribute to write.
    package var handle: UInt16

    /// The new value; may be empty.
    package var value: ArraySlice<UInt8>

    package init(handle: UInt16, value: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
    }
}

/// Writes a value without any response, signed with the sender's CSRK (Core 5.4, Vol 3 Part F 3.4.5.4).
package struct ATTSignedWriteCommand: ATTPDU {
    package static let opcode = ATTOpcode.signedWriteCommand
    package static let name: StaticString = "ATT Signed Write Command"

    /// The length of every signature.
    package static let signatureLength = 12

    /// The attribute to write.
    package var handle: UInt16
    /// The new value; may be empty.
    package var value: ArraySlice<UInt8>
    /// The sign counter and the MAC, 12 bytes (Core 5.4, Vol 3 Part C 10.4.1).
    package var signature: ArraySlice<UInt8>

    package init(handle: UInt16, value: ArraySlice<UInt8>, signature: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
        self.signature = signature
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = try reader.slice(max(0, reader.remaining - Self.signatureLength))
        signature = try reader.slice(Self.signatureLength)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
        writer.append(signature)
    }
}

/// Queues a part of a value for a later Execute Write (Core 5.4, Vol 3 Part F 3.4.6.1).
package struct ATTPrepareWriteRequest: ATTPDU {
    package static let opcode = ATTOpcode.prepareWriteRequest
    package static let name: StaticString = "ATT Prepare Write Request"

    /// The attribute to write.
    package var handle: UInt16

    /// The offset of the part in the value.
    package var offset: UInt16

    /// The bytes; may be empty.
    package var part: ArraySlice<UInt8>

    package init(handle: UInt16, offset: UInt16, part: ArraySlice<UInt8>) {
        self.handle = handle
        self.offset = offset
        self.part = part
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
        part = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
        writer.append(part)
    }
}

/// Echoes the queued part (Core 5.4, Vol 3 Part F 3.4.6.2).
package struct ATTPrepareWriteResponse: ATTPDU {
    package static let opcode = ATTOpcode.prepareWriteResponse
    package static let name: StaticString = "ATT Prepare Write Response"

    /// As in the request.
    package var handle: UInt16

    /// As in the request.
    package var offset: UInt16

    /// As in the request.
    package var part: ArraySlice<UInt8>

    package init(handle: UInt16, offset: UInt16, part: ArraySlice<UInt8>) {
        self.handle = handle
        self.offset = offset
        self.part = part
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
        part = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
        writer.append(part)
    }
}

/// Writes or discards the queued values (Core 5.4, Vol 3 Part F 3.4.6.3).
package struct ATTExecuteWriteRequest: ATTPDU {
    package static let opcode = ATTOpcode.executeWriteRequest
    package static let name: StaticString = "ATT Execute Write Request"

    /// 0 discards the queue, 1 writes it.
    package var flags: UInt8

    package init(flags: UInt8) {
        self.flags = flags
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        flags = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(flags)
    }
}

/// Confirms that the queued values were written or discarded (Core 5.4, Vol 3 Part F 3.4.6.4).
package struct ATTExecuteWriteResponse: ATTPDU {
    package static let opcode = ATTOpcode.executeWriteResponse
    package static let name: StaticString = "ATT Execute Write Response"

    /// The PDU; it has no fields.
    package init() {}

    package init(from reader: inout ByteReader) throws(CodecError) {}

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}
