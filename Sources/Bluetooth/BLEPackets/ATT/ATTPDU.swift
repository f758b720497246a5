public import ByteCodec

/// One kind of Attribute Protocol PDU (Core 5.4, Vol 3 Part F 3.3).
public protocol ATTPDU: Hashable, Sendable {
    /// The first octet of every such PDU.
    static var opcode: ATTOpcode { get }

    /// The name in the specification, for errors: "ATT Read Request".
    static var name: StaticString { get }

    /// Parses the fields after the opcode. A field of variable length takes the remaining bytes; without one, surplus
    /// bytes stay unread, since some servers ignore them: the caller may call ``ByteReader/end()``.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the whole PDU, opcode first.
    func write(to writer: inout ByteWriter)
}

extension ATTPDU {
    /// Decodes a whole PDU: the opcode must be this one, without surplus bytes.
    public init(decoding pdu: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(pdu, subject: Self.name)
        let opcode = ATTOpcode(rawValue: try reader.uint8())
        guard opcode == Self.opcode else {
            throw reader.invalid("opcode", UInt64(opcode.rawValue), allowed: "\(Self.opcode)")
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole PDU.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension ATTOpcode {
    /// Every PDU of the protocol, in the order of the specification.
    public static let pdus: [any ATTPDU.Type] = [
        ATTErrorResponse.self,
        ATTExchangeMTURequest.self, ATTExchangeMTUResponse.self,
        ATTFindInformationRequest.self, ATTFindInformationResponse.self,
        ATTFindByTypeValueRequest.self, ATTFindByTypeValueResponse.self,
        ATTReadByTypeRequest.self, ATTReadByTypeResponse.self,
        ATTReadRequest.self, ATTReadResponse.self,
        ATTReadBlobRequest.self, ATTReadBlobResponse.self,
        ATTReadMultipleRequest.self, ATTReadMultipleResponse.self,
        ATTReadMultipleVariableRequest.self, ATTReadMultipleVariableResponse.self,
        ATTReadByGroupTypeRequest.self, ATTReadByGroupTypeResponse.self,
        ATTWriteRequest.self, ATTWriteResponse.self,
        ATTWriteCommand.self, ATTSignedWriteCommand.self,
        ATTPrepareWriteRequest.self, ATTPrepareWriteResponse.self,
        ATTExecuteWriteRequest.self, ATTExecuteWriteResponse.self,
        ATTHandleValueNotification.self, ATTMultipleHandleValueNotification.self,
        ATTHandleValueIndication.self, ATTHandleValueConfirmation.self,
    ]
}
