import BLEPackets
import BLERadio
import ByteCodec
import Testing

/// Core 5.4, Vol 6 Part B 2.4.2, bytes as on air; those of encryption are the sample data of Vol 6 Part C 1.
@Suite struct LinkControlPDUTests {
    static let parameters = Link.Parameters(interval: 0x0018, latency: 0x0102, supervisionTimeout: 0x0C80)
    static let lengths = DataLengthOffer(
        tx: DataLength(octets: 27, time: 328), rx: DataLength(octets: 251, time: 2120))

    static let vectors: [(pdu: LinkControlPDU, onAir: String)] = [
        (.connectionUpdateIndication(parameters, instant: 0x1234), "000100001800020180 0c3412"),
        (.channelMapIndication(HCIChannelMap(rawValue: 0x11_2233_4455), instant: 0x1234), "0155443322113412"),
        (.terminateIndication(.remoteUserTerminatedConnection), "0213"),
        (
            .encryptionRequest(
                randomNumber: 0xABCD_EF12_3456_7890, encryptedDiversifier: 0x2474, LinkCipherTests.central),
            "039078563412efcdab74241302f1e0dfcebdac24abdcba"
        ),
        (.encryptionResponse(LinkCipherTests.peripheral), "047968574635241302bebaafde"),
        (.startEncryptionRequest, "05"), (.startEncryptionResponse, "06"), (.unknownResponse(.phyRequest), "0716"),
        (.featureRequest(0x0102_0304_0506_0708), "080807060504030201"),
        (.featureResponse(0xFF), "09ff00000000000000"), (.pauseEncryptionRequest, "0a"),
        (.pauseEncryptionResponse, "0b"),
        (.versionIndication(LinkVersion(version: 8, companyIdentifier: 0x60, subversion: 0x030E)), "0c0860000e03"),
        (
            .connectionParameterRequest(minimumInterval: 0x0010, parameters),
            "0f10001800020180 0c000000ffffffffffffffffffffffff"
        ),
        (.rejectExtendedIndication(.encryptionRequest, .pinOrKeyMissing), "110306"),
        (.lengthRequest(lengths), "14fb0048081b004801"), (.lengthResponse(lengths), "15fb0048081b004801"),
        (.phyRequest(tx: HCIPHYs(rawValue: 3), rx: HCIPHYs(rawValue: 2)), "160302"),
        (.phyResponse(tx: HCIPHYs(rawValue: 1), rx: HCIPHYs(rawValue: 3)), "170103"),
        (.phyUpdateIndication(toPeripheral: .le2M, toCentral: .le1M, instant: 0x1234), "1802013412"),
    ]

    @Test(arguments: vectors.indices) func pdusEncodeToTheBytesOnAir(index: Int) throws {
        let (pdu, onAir) = Self.vectors[index]
        let bytes = try #require(Hexadecimal.bytes(onAir.filter { $0 != " " }))
        #expect(Hexadecimal.string(pdu.bytes) == Hexadecimal.string(bytes))
        #expect(try LinkControlPDU(decoding: bytes) == pdu)
        #expect(pdu.payload == bytes.count)
        for length in bytes.indices {
            #expect(throws: CodecError.self) { try LinkControlPDU(decoding: Array(bytes[..<length])) }
        }
        #expect(throws: CodecError.self) { try LinkControlPDU(decoding: bytes + [0]) }
    }
}
