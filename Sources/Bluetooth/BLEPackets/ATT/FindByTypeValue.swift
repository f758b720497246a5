public import ByteCodec

/// Requests the attributes of a 16-bit type with a value (Core 5.4, Vol 3 Part F 3.4.3.3).
public struct ATTFindByTypeValueRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.findByTypeValueRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Find By Type Value Request"

    /// The first handle of the range.
    public var startHandle: UInt16

    /// The last handle of the range.
    public var endHandle: UInt16

    /// The type, always in its 16-bit form.
    public var type: UInt16

    /// The value to look for.
    public var value: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(startHandle: UInt16, endHandle: UInt16, type: UInt16, value: ArraySlice<UInt8>) {
        self.startHandle = startHandle
        self.endHandle = endHandle
        self.type = type
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
        type = try reader.uint16()
        value = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
        writer.uint16(type)
        writer.append(value)
    }
}

/// The attributes found, each with the end of its group (Core 5.4, Vol 3 Part F 3.4.3.4).
public struct ATTFindByTypeValueResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.findByTypeValueResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Find By Type Value Response"

    /// One attribute found.
    public struct Entry: Hashable, Sendable {
        /// Its handle.
        public var handle: UInt16
        /// The last handle of its group; its own where it groups nothing.
        public var groupEndHandle: UInt16

        /// An attribute with its group.
        public init(handle: UInt16, groupEndHandle: UInt16) {
            self.handle = handle
            self.groupEndHandle = groupEndHandle
        }
    }

    /// The attributes in handle order; one or more by the specification.
    public var entries: [Entry]

    /// The PDU with these fields.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        repeat {
            let handle = try reader.uint16()
            entries.append(Entry(handle: handle, groupEndHandle: try reader.uint16()))
        } while reader.remaining > 0
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.handle)
            writer.uint16(entry.groupEndHandle)
        }
    }
}
