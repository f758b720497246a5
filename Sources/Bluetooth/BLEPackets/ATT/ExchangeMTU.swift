import ByteCodec

/// The client's receive MTU (Core 5.4, Vol 3 Part F 3.4.2.1).
package struct ATTExchangeMTURequest: ATTPDU {
    package static let opcode = ATTOpcode.exchangeMTURequest
    package static let name: StaticString = "ATT Exchange MTU Request"

    /// In bytes; at least 23 by the specification.
    package var clientReceiveMTU: UInt16

    package init(clientReceiveMTU: UInt16) {
        self.clientReceiveMTU = clientReceiveMTU
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        clientReceiveMTU = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(clientReceiveMTU)
    }
}

/// The server's receive MTU; the smaller of the two is the new ATT MTU (Core 5.4, Vol 3 Part F 3.4.2.2).
package struct ATTExchangeMTUResponse: ATTPDU {
    package static let opcode = ATTOpcode.exchangeMTUResponse
    package static let name: StaticString = "ATT Exchange MTU Response"

    /// In bytes; at least 23 by the specification.
    package var serverReceiveMTU: UInt16

    package init(serverReceiveMTU: UInt16) {
        self.serverReceiveMTU = serverReceiveMTU
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        serverReceiveMTU = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(serverReceiveMTU)
    }
}
