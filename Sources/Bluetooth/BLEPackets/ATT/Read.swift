import ByteCodec

/// Requests the first bytes of a value (Core 5.4, Vol 3 Part F 3.4.4.3).
package struct ATTReadRequest: ATTPDU {
    package static let opcode = ATTOpcode.readRequest
    package static let name: StaticString = "ATT Read Request"

    /// The attribute to read.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
    }
}

/// The first bytes of a value, at most MTU − 1 (Core 5.4, Vol 3 Part F 3.4.4.4).
package struct ATTReadResponse: ATTPDU {
    package static let opcode = ATTOpcode.readResponse
    package static let name: StaticString = "ATT Read Response"

    /// The value; may be empty.
    package var value: ArraySlice<UInt8>

    package init(value: ArraySlice<UInt8>) {
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        value = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(value)
    }
}

/// Requests a part of a long value (Core 5.4, Vol 3 Part F 3.4.4.5).
package struct ATTReadBlobRequest: ATTPDU {
    package static let opcode = ATTOpcode.readBlobRequest
    package static let name: StaticString = "ATT Read Blob Request"

    /// The attribute to read.
    package var handle: UInt16

    /// The offset of the first requested byte.
    package var offset: UInt16

    package init(handle: UInt16, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        offset = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.uint16(offset)
    }
}

/// The part of a value from the requested offset, at most MTU − 1 bytes (Core 5.4, Vol 3 Part F 3.4.4.6).
package struct ATTReadBlobResponse: ATTPDU {
    package static let opcode = ATTOpcode.readBlobResponse
    package static let name: StaticString = "ATT Read Blob Response"

    /// The bytes; empty at the end of the value.
    package var part: ArraySlice<UInt8>

    package init(part: ArraySlice<UInt8>) {
        self.part = part
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        part = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(part)
    }
}

/// Requests several values of known length (Core 5.4, Vol 3 Part F 3.4.4.7).
package struct ATTReadMultipleRequest: ATTPDU {
    package static let opcode = ATTOpcode.readMultipleRequest
    package static let name: StaticString = "ATT Read Multiple Request"

    /// The attributes to read, two or more by the specification.
    package var handles: [UInt16]

    package init(handles: [UInt16]) {
        self.handles = handles
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handles = []
        while reader.remaining >= 2 {
            handles.append(try reader.uint16())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for handle in handles { writer.uint16(handle) }
    }
}

/// The requested values, end to end, at most MTU − 1 bytes (Core 5.4, Vol 3 Part F 3.4.4.8).
package struct ATTReadMultipleResponse: ATTPDU {
    package static let opcode = ATTOpcode.readMultipleResponse
    package static let name: StaticString = "ATT Read Multiple Response"

    /// The values without boundaries.
    package var values: ArraySlice<UInt8>

    package init(values: ArraySlice<UInt8>) {
        self.values = values
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        values = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(values)
    }
}

/// Requests several values of any length (Core 5.4, Vol 3 Part F 3.4.4.11).
package struct ATTReadMultipleVariableRequest: ATTPDU {
    package static let opcode = ATTOpcode.readMultipleVariableRequest
    package static let name: StaticString = "ATT Read Multiple Variable Request"

    /// The attributes to read, two or more by the specification.
    package var handles: [UInt16]

    package init(handles: [UInt16]) {
        self.handles = handles
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handles = []
        while reader.remaining >= 2 {
            handles.append(try reader.uint16())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for handle in handles { writer.uint16(handle) }
    }
}

/// The requested values, each with its length; the last may be truncated at the MTU (Core 5.4, Vol 3 Part F 3.4.4.12).
package struct ATTReadMultipleVariableResponse: ATTPDU {
    package static let opcode = ATTOpcode.readMultipleVariableResponse
    package static let name: StaticString = "ATT Read Multiple Variable Response"

    /// One value.
    package struct Entry: Hashable, Sendable {
        /// The length of the whole value, even if ``value`` is truncated.
        package var length: UInt16
        /// The value, truncated if it was too long.
        package var value: ArraySlice<UInt8>

        /// A value with the length of the whole value.
        package init(length: UInt16, value: ArraySlice<UInt8>) {
            self.length = length
            self.value = value
        }
    }

    /// The values in the order of the request.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        while reader.remaining > 0 {
            let length = try reader.uint16()
            let value = try reader.slice(min(Int(length), reader.remaining))
            entries.append(Entry(length: length, value: value))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.length)
            writer.append(entry.value)
        }
    }
}
