public import ByteCodec

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
