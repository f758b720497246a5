public import ByteCodec

/// One kind of Security Manager Protocol PDU (Core 5.4, Vol 3 Part H 3.5 and 3.6).
public protocol SMPPDU: Hashable, Sendable {
    /// The first octet of every such PDU.
    static var opcode: SMPOpcode { get }

    /// The name in the specification, for errors: "SMP Pairing Request".
    static var name: StaticString { get }

    /// Parses the fields after the opcode. All have a fixed length; surplus bytes stay unread, since some devices
    /// ignore them: the caller may call ``ByteReader/end()``.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the whole PDU, opcode first.
    func write(to writer: inout ByteWriter)
}

extension SMPPDU {
    /// Decodes a whole PDU: the opcode must be this one, without surplus bytes.
    public init(decoding pdu: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(pdu, subject: Self.name)
        let opcode = SMPOpcode(rawValue: try reader.uint8())
        guard opcode == Self.opcode else {
            throw reader.invalid("opcode", UInt64(opcode.rawValue), allowed: "\(Self.opcode)")
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole PDU.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17)
        write(to: &writer)
        return writer.bytes
    }
}

extension SMPOpcode {
    /// Every PDU of the protocol, in the order of the specification.
    public static let pdus: [any SMPPDU.Type] = [
        SMPPairingRequest.self, SMPPairingResponse.self, SMPPairingConfirm.self, SMPPairingRandom.self,
        SMPPairingFailed.self, SMPPairingPublicKey.self, SMPPairingDHKeyCheck.self, SMPPairingKeypressNotification.self,
        SMPEncryptionInformation.self, SMPCentralIdentification.self, SMPIdentityInformation.self,
        SMPIdentityAddressInformation.self, SMPSigningInformation.self, SMPSecurityRequest.self,
    ]
}
