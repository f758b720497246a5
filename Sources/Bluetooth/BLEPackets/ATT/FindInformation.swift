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
