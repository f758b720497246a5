import BLEPackets
import ByteCodec
import Testing

@Suite struct SMPPDUTests {
    @Test(arguments: SMPVector.all) func decodes(vector: SMPVector) throws {
        #expect(AnyHashable(try decode(type(of: vector.pdu), vector.bytes)) == AnyHashable(vector.pdu))
    }

    @Test(arguments: SMPVector.all) func encodes(vector: SMPVector) {
        #expect(Hexadecimal.string(vector.pdu.bytes) == Hexadecimal.string(vector.bytes))
    }

    @Test func theRegistryHasEveryPDUOfTheSpecificationOnce() {
        // Core 5.4, Vol 3 Part H 3.3, Table 3.3.
        #expect(SMPOpcode.pdus.map { $0.opcode.rawValue }.sorted() == Array(0x01...0x0E))
        #expect(Set(SMPOpcode.pdus.map { "\($0.name)" }).count == SMPOpcode.pdus.count)
    }

    @Test func everyPDUOfTheRegistryHasAVector() {
        let covered = Set(SMPVector.all.map { ObjectIdentifier(type(of: $0.pdu)) })
        #expect(SMPOpcode.pdus.allSatisfy { covered.contains(ObjectIdentifier($0)) })
    }

    /// No field has a variable length, so every other length is an error.
    @Test(arguments: SMPVector.all) func everyOtherLengthIsAnError(vector: SMPVector) {
        for length in 0..<vector.bytes.count {
            #expect(throws: CodecError.self) {
                try decode(type(of: vector.pdu), Array(vector.bytes[..<length]))
            }
        }
        #expect(throws: CodecError.self) { try decode(type(of: vector.pdu), vector.bytes + [0]) }
    }

    @Test func anotherOpcodeIsAnErrorThatNamesBoth() {
        #expect(
            throws: CodecError(
                "SMP Pairing Failed",
                .invalidValue(field: "opcode", value: 0x0B, allowed: "0x05 SMP Pairing Failed"), offset: 1)
        ) { try SMPPairingFailed(decoding: [0x0B, 0x01]) }
    }

    @Test func anIdentityAddressOfAReservedTypeIsAnError() throws {
        let pdu = try SMPIdentityAddressInformation(decoding: [0x09, 0x02, 1, 2, 3, 4, 5, 6])
        #expect(pdu.address == nil)
        #expect(pdu.bytes == [0x09, 0x02, 1, 2, 3, 4, 5, 6])
    }

    @Test(
        arguments: [
            (0x01, "0x01 passkey entry failed"), (0x04, "0x04 confirm value failed"),
            (0x0B, "0x0B DHKey check failed"), (0x0F, "0x0F key rejected"), (0x00, "0x00 reserved"),
            (0x10, "0x10 reserved"),
        ] as [(UInt8, String)])
    func failureReasonsAreDescribedByNumberAndName(number: UInt8, text: String) {
        #expect(SMPFailureReason(rawValue: number).description == text)
    }

    @Test func opcodesAreDescribedByNumberAndName() {
        #expect(SMPOpcode.pairingDHKeyCheck.description == "0x0D SMP Pairing DHKey Check")
        #expect(SMPOpcode(rawValue: 0x0F).description == "0x0F")
    }

    private func decode(_ type: any SMPPDU.Type, _ bytes: [UInt8]) throws(CodecError) -> any SMPPDU {
        try type.init(decoding: bytes[...])
    }
}
