public import ByteCodec

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
