import ByteCodec

/// A value notified by the server (Core 5.4, Vol 3 Part F 3.4.7.1).
package struct ATTHandleValueNotification: ATTPDU {
    package static let opcode = ATTOpcode.handleValueNotification
    package static let name: StaticString = "ATT Handle Value Notification"

    /// The attribute.
    package var handle: UInt16

    /// Its value, at most MTU − 3 bytes.
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

/// A value indicated by the server (Core 5.4, Vol 3 Part F 3.4.7.2).
package struct ATTHandleValueIndication: ATTPDU {
    package static let opcode = ATTOpcode.handleValueIndication
    package static let name: StaticString = "ATT Handle Value Indication"

    /// The attribute.
    package var handle: UInt16

    /// Its value, at most MTU − 3 bytes.
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

/// Confirms an indication (Core 5.4, Vol 3 Part F 3.4.7.3).
package struct ATTHandleValueConfirmation: ATTPDU {
    package static let opcode = ATTOpcode.handleValueConfirmation
    package static let name: StaticString = "ATT Handle Value Confirmation"

    /// The PDU; it has no fields.
    package init() {}

    package init(from reader: inout ByteReader) throws(CodecError) {}

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}

/// Several values notified by the server (Core 5.4, Vol 3 Part F 3.4.7.4).
package struct ATTMultipleHandleValueNotification: ATTPDU {
    package static let opcode = ATTOpcode.multipleHandleValueNotification
    package static let name: StaticString = "ATT Multiple Handle Value Notification"

    /// One value.
    package struct Entry: Hashable, Sendable {
        /// The attribute.
        package var handle: UInt16
        /// Its value.
        package var value: ArraySlice<UInt8>

        /// An attribute with its value.
        package init(handle: UInt16, value: ArraySlice<UInt8>) {
            self.handle = handle
            self.value = value
        }
    }

    /// The values; two or more by the specification.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        while reader.remaining > 0 {
            let handle = try reader.uint16()
            let length = try reader.uint16()
            entries.append(Entry(handle: handle, value: try reader.slice(Int(length))))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.handle)
            writer.uint16(UInt16(truncatingIfNeeded: entry.value.count))
            writer.append(entry.value)
        }
    }
}
