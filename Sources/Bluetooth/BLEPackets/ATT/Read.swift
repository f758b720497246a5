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

/// Requests several values of known length (Core 5.4, Vol 3 Part F 3.4.4.7).
public struct ATTReadMultipleRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readMultipleRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Read Multiple Request"

    /// The attributes to read, two or more by the specification.
    public var handles: [UInt16]

    /// The PDU with these fields.
    public init(handles: [UInt16]) {
        self.handles = handles
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handles = []
        while reader.remaining >= 2 {
            handles.append(try reader.uint16())
        }
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for handle in handles { writer.uint16(handle) }
    }
}

/// The requested values, end to end, at most MTU − 1 bytes (Core 5.4, Vol 3 Part F 3.4.4.8).
public struct ATTReadMultipleResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readMultipleResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Read Multiple Response"

    /// The values without boundaries.
    public var values: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(values: ArraySlice<UInt8>) {
        self.values = values
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        values = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.append(values)
    }
}

/// Requests several values of any length (Core 5.4, Vol 3 Part F 3.4.4.11).
public struct ATTReadMultipleVariableRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readMultipleVariableRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Read Multiple Variable Request"

    /// The attributes to read, two or more by the specification.
    public var handles: [UInt16]

    /// The PDU with these fields.
    public init(handles: [UInt16]) {
        self.handles = handles
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handles = []
        while reader.remaining >= 2 {
            handles.append(try reader.uint16())
        }
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for handle in handles { writer.uint16(handle) }
    }
}

/// The requested values, each with its length; the last may be truncated at the MTU (Core 5.4, Vol 3 Part F 3.4.4.12).
public struct ATTReadMultipleVariableResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.readMultipleVariableResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Read Multiple Variable Response"

    /// One value.
    public struct Entry: Hashable, Sendable {
        /// The length of the whole value, also where ``value`` is cut.
        public var length: UInt16
        /// The value, or its beginning if it was too long.
        public var value: ArraySlice<UInt8>

        /// A value with its whole length.
        public init(length: UInt16, value: ArraySlice<UInt8>) {
            self.length = length
            self.value = value
        }
    }

    /// The values in the order of the request.
    public var entries: [Entry]

    /// The PDU with these fields.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        while reader.remaining > 0 {
            let length = try reader.uint16()
            let value = try reader.slice(min(Int(length), reader.remaining))
            entries.append(Entry(length: length, value: value))
        }
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.length)
            writer.append(entry.value)
        }
    }
}
