public import BLECore
public import ByteCodec

/// Requests the types of the attributes in a range (Core 5.4, Vol 3 Part F 3.4.3.1).
public struct ATTFindInformationRequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.findInformationRequest
    /// The name in errors.
    public static let name: StaticString = "ATT Find Information Request"

    /// The first handle of the range.
    public var startHandle: UInt16

    /// The last handle of the range.
    public var endHandle: UInt16

    /// The PDU with these fields.
    public init(startHandle: UInt16, endHandle: UInt16) {
        self.startHandle = startHandle
        self.endHandle = endHandle
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
    }
}

/// The types of attributes, in handle order (Core 5.4, Vol 3 Part F 3.4.3.2).
public struct ATTFindInformationResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.findInformationResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Find Information Response"

    /// The format of the types in one response.
    public enum Format: UInt8, Sendable {
        /// 16-bit types.
        case uuid16 = 1
        /// 128-bit types.
        case uuid128 = 2
    }

    /// One attribute.
    public struct Entry: Hashable, Sendable {
        /// Its handle.
        public var handle: UInt16
        /// Its type.
        public var type: BLEUUID

        /// An attribute with its type.
        public init(handle: UInt16, type: BLEUUID) {
            self.handle = handle
            self.type = type
        }
    }

    /// The width of the types.
    public var format: Format
    /// The attributes; one or more by the specification.
    public var entries: [Entry]

    /// A response. With ``Format/uuid16`` only types with a 16-bit form are sent.
    public init(format: Format, entries: [Entry]) {
        self.format = format
        self.entries = entries
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        let number = try reader.uint8()
        guard let format = Format(rawValue: number) else {
            throw reader.invalid("format", UInt64(number), allowed: "1 or 2")
        }
        self.format = format
        entries = []
        repeat {
            let handle = try reader.uint16()
            let type = try BLEUUID(from: &reader, width: format == .uuid16 ? 2 : 16)
            entries.append(Entry(handle: handle, type: type))
        } while reader.remaining > 0
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(format.rawValue)
        for entry in entries {
            switch (format, entry.type.uint16) {
            case (.uuid16, let short?):
                writer.uint16(entry.handle)
                writer.uint16(short)
            case (.uuid16, nil):
                continue
            case (.uuid128, _):
                writer.uint16(entry.handle)
                writer.append(entry.type.bytes128)
            }
        }
    }
}

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

/// The client's receive MTU (Core 5.4, Vol 3 Part F 3.4.2.1).
public struct ATTExchangeMTURequest: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.exchangeMTURequest
    /// The name in errors.
    public static let name: StaticString = "ATT Exchange MTU Request"

    /// In bytes; at least 23 by the specification.
    public var clientReceiveMTU: UInt16

    /// The PDU with these fields.
    public init(clientReceiveMTU: UInt16) {
        self.clientReceiveMTU = clientReceiveMTU
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        clientReceiveMTU = try reader.uint16()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(clientReceiveMTU)
    }
}

/// The server's receive MTU; the smaller of the two is the new ATT MTU (Core 5.4, Vol 3 Part F 3.4.2.2).
public struct ATTExchangeMTUResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.exchangeMTUResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Exchange MTU Response"

    /// In bytes; at least 23 by the specification.
    public var serverReceiveMTU: UInt16

    /// The PDU with these fields.
    public init(serverReceiveMTU: UInt16) {
        self.serverReceiveMTU = serverReceiveMTU
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        serverReceiveMTU = try reader.uint16()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(serverReceiveMTU)
    }
}
