public import ByteCodec

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
