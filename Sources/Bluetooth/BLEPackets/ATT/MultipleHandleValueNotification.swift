public import ByteCodec

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
