public import ByteCodec

/// A value notified by the server (Core 5.4, Vol 3 Part F 3.4.7.1).
public struct ATTHandleValueNotification: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.handleValueNotification
    /// The name in errors.
    public static let name: StaticString = "ATT Handle Value Notification"

    /// The attribute.
    public var handle: UInt16

    /// Its value, at most MTU − 3 bytes.
    public var value: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, value: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
    }
}

/// A value indicated by the server (Core 5.4, Vol 3 Part F 3.4.7.2).
public struct ATTHandleValueIndication: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.handleValueIndication
    /// The name in errors.
    public static let name: StaticString = "ATT Handle Value Indication"

    /// The attribute.
    public var handle: UInt16

    /// Its value, at most MTU − 3 bytes.
    public var value: ArraySlice<UInt8>

    /// The PDU with these fields.
    public init(handle: UInt16, value: ArraySlice<UInt8>) {
        self.handle = handle
        self.value = value
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        value = reader.rest()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(handle)
        writer.append(value)
    }
}

/// Confirms an indication (Core 5.4, Vol 3 Part F 3.4.7.3).
public struct ATTHandleValueConfirmation: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.handleValueConfirmation
    /// The name in errors.
    public static let name: StaticString = "ATT Handle Value Confirmation"

    /// The PDU; it has no fields.
    public init() {}

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
    }
}

/// Several values notified by the server (Core 5.4, Vol 3 Part F 3.4.7.4).
public struct ATTMultipleHandleValueNotification: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.multipleHandleValueNotification
    /// The name in errors.
    public static let name: StaticString = "ATT Multiple Handle Value Notification"

    /// One value.
    public struct Entry: Hashable, Sendable {
        /// The attribute.
        public var handle: UInt16
        /// Its value.
        public var value: ArraySlice<UInt8>

        /// An attribute with its value.
        public init(handle: UInt16, value: ArraySlice<UInt8>) {
            self.handle = handle
            self.value = value
        }
    }

    /// The values; two or more by the specification.
    public var entries: [Entry]

    /// The PDU with these fields.
    public init(entries: [Entry]) {
        self.entries = entries
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        entries = []
        while reader.remaining > 0 {
            let handle = try reader.uint16()
            let length = try reader.uint16()
            entries.append(Entry(handle: handle, value: try reader.slice(Int(length))))
        }
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        for entry in entries {
            writer.uint16(entry.handle)
            writer.uint16(UInt16(truncatingIfNeeded: entry.value.count))
            writer.append(entry.value)
        }
    }
}
