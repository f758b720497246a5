import BLECore
import ByteCodec

/// Requests the types of the attributes in a range (Core 5.4, Vol 3 Part F 3.4.3.1).
package struct ATTFindInformationRequest: ATTPDU {
    package static let opcode = ATTOpcode.findInformationRequest
    package static let name: StaticString = "ATT Find Information Request"

    /// The first handle of the range.
    package var startHandle: UInt16

    /// The last handle of the range.
    package var endHandle: UInt16

    package init(startHandle: UInt16, endHandle: UInt16) {
        self.startHandle = startHandle
        self.endHandle = endHandle
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
    }
}

/// The types of attributes, in handle order (Core 5.4, Vol 3 Part F 3.4.3.2).
package struct ATTFindInformationResponse: ATTPDU {
    package static let opcode = ATTOpcode.findInformationResponse
    package static let name: StaticString = "ATT Find Information Response"

    /// The format of the types in one response.
    package enum Format: UInt8, Sendable {
        /// 16-bit types.
        case uuid16 = 1
        /// 128-bit types.
        case uuid128 = 2
    }

    /// One attribute.
    package struct Entry: Hashable, Sendable {
        /// Its handle.
        package var handle: UInt16
        /// Its type.
        package var type: BLEUUID

        /// An attribute with its type.
        package init(handle: UInt16, type: BLEUUID) {
            self.handle = handle
            self.type = type
        }
    }

    /// The width of the types.
    package var format: Format
    /// The attributes; one or more by the specification.
    package var entries: [Entry]

    /// A response. With ``Format/uuid16`` only types with a 16-bit form are sent.
    package init(format: Format, entries: [Entry]) {
        self.format = format
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
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

    package func write(to writer: inout ByteWriter) {
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
package struct ATTFindByTypeValueRequest: ATTPDU {
    package static let opcode = ATTOpcode.findByTypeValueRequest
    package static let name: StaticString = "ATT Find By Type Value Request"

    /// The first handle of the range.
    package var startHandle: UInt16

    /// The last handle of the range.
    package var endHandle: UInt16

    /// The type, always in its 16-bit form.
    package var type: UInt16

    /// The value to look for.
    package var value: ArraySlice<UInt8>

    package init(startHandle: UInt16, endHandle: UInt16, type: UInt16, value: ArraySlice<UInt8>) {
        self.startHandle = startHandle
        self.endHandle = endHandle
        self.type = type
        self.value = value
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
        type = try reader.uint16()
        value = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
        writer.uint16(type)
        writer.append(value)
    }
}

/// The attributes found, each with the end of its group (Core 5.4, Vol 3 Part F 3.4.3.4).
package struct ATTFindByTypeValueResponse: ATTPDU {
    package static let opcode = ATTOpcode.findByTypeValueResponse
    package static let name: StaticString = "ATT Find By Type Value Response"

    /// One attribute found.
    package struct Entry: Hashable, Sendable {
        /// Its handle.
        package var handle: UInt16
        /// The last handle of its group; its own handle if it groups no others.
        package var groupEndHandle: UInt16

        /// An attribute with its group.
        package init(handle: UInt16, groupEndHandle: UInt16) {
            self.handle = handle
            self.groupEndHandle = groupEndHandle
        }
    }

    /// The attributes in handle order; one or more by the specification.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        repeat {
            let handle = try reader.uint16()
            entries.append(Entry(handle: handle, groupEndHandle: try reader.uint16()))
        } while reader.remaining > 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.handle)
            writer.uint16(entry.groupEndHandle)
        }
    }
}
