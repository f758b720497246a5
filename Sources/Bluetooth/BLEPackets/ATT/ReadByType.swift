import BLECore
import ByteCodec

/// Requests the values of the attributes of a type (Core 5.4, Vol 3 Part F 3.4.4.1).
package struct ATTReadByTypeRequest: ATTPDU {
    package static let opcode = ATTOpcode.readByTypeRequest
    package static let name: StaticString = "ATT Read By Type Request"

    /// The first handle of the range.
    package var startHandle: UInt16
    /// The last handle of the range.
    package var endHandle: UInt16
    /// The type; written in its shortest form.
    package var type: BLEUUID

    package init(startHandle: UInt16, endHandle: UInt16, type: BLEUUID) {
        self.startHandle = startHandle
        self.endHandle = endHandle
        self.type = type
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
        type = try BLEUUID(from: &reader, width: reader.remaining)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
        writer.append(type.attBytes)
    }
}

/// Values with their handles, all of one length (Core 5.4, Vol 3 Part F 3.4.4.2).
package struct ATTReadByTypeResponse: ATTPDU {
    package static let opcode = ATTOpcode.readByTypeResponse
    package static let name: StaticString = "ATT Read By Type Response"

    /// One attribute.
    package struct Entry: Hashable, Sendable {
        /// Its handle.
        package var handle: UInt16
        /// Its value, at most 253 bytes.
        package var value: ArraySlice<UInt8>

        /// An attribute with its value.
        package init(handle: UInt16, value: ArraySlice<UInt8>) {
            self.handle = handle
            self.value = value
        }
    }

    /// The attributes in handle order; one or more by the specification, their values of equal length.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let length = try reader.uint8()
        guard length >= 2 else { throw reader.invalid("length", UInt64(length), allowed: "2...255") }
        entries = []
        repeat {
            let handle = try reader.uint16()
            entries.append(Entry(handle: handle, value: try reader.slice(Int(length) - 2)))
        } while reader.remaining > 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(UInt8(truncatingIfNeeded: 2 + (entries.first?.value.count ?? 0)))
        for entry in entries {
            writer.uint16(entry.handle)
            writer.append(entry.value)
        }
    }
}

/// Requests the values of the attributes of a grouping type: services (Core 5.4, Vol 3 Part F 3.4.4.9).
package struct ATTReadByGroupTypeRequest: ATTPDU {
    package static let opcode = ATTOpcode.readByGroupTypeRequest
    package static let name: StaticString = "ATT Read By Group Type Request"

    /// The first handle of the range.
    package var startHandle: UInt16
    /// The last handle of the range.
    package var endHandle: UInt16
    /// The grouping type; written in its shortest form.
    package var groupType: BLEUUID

    package init(startHandle: UInt16, endHandle: UInt16, groupType: BLEUUID) {
        self.startHandle = startHandle
        self.endHandle = endHandle
        self.groupType = groupType
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        startHandle = try reader.uint16()
        endHandle = try reader.uint16()
        groupType = try BLEUUID(from: &reader, width: reader.remaining)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(startHandle)
        writer.uint16(endHandle)
        writer.append(groupType.attBytes)
    }
}

/// Groups with their ends and values, all values of one length (Core 5.4, Vol 3 Part F 3.4.4.10).
package struct ATTReadByGroupTypeResponse: ATTPDU {
    package static let opcode = ATTOpcode.readByGroupTypeResponse
    package static let name: StaticString = "ATT Read By Group Type Response"

    /// One group.
    package struct Entry: Hashable, Sendable {
        /// The attribute that opens the group.
        package var handle: UInt16
        /// The last handle of the group.
        package var groupEndHandle: UInt16
        /// The value of the group's first attribute, at most 251 bytes.
        package var value: ArraySlice<UInt8>

        /// A group with its value.
        package init(handle: UInt16, groupEndHandle: UInt16, value: ArraySlice<UInt8>) {
            self.handle = handle
            self.groupEndHandle = groupEndHandle
            self.value = value
        }
    }

    /// The groups in handle order; one or more by the specification, their values of equal length.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let length = try reader.uint8()
        guard length >= 4 else { throw reader.invalid("length", UInt64(length), allowed: "4...255") }
        entries = []
        repeat {
            let handle = try reader.uint16()
            let groupEndHandle = try reader.uint16()
            let value = try reader.slice(Int(length) - 4)
            entries.append(Entry(handle: handle, groupEndHandle: groupEndHandle, value: value))
        } while reader.remaining > 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(UInt8(truncatingIfNeeded: 4 + (entries.first?.value.count ?? 0)))
        for entry in entries {
            writer.uint16(entry.handle)
            writer.uint16(entry.groupEndHandle)
            writer.append(entry.value)
        }
    }
}
