import BLECore
import BLEPackets
import ByteCodec
import Testing

/// One PDU in bytes and as a value.
///
/// "Recorded" vectors were sent by another stack (NimBLE 2.5.1 as responder, Bumble 0.0.236 as initiator); the others
/// are written out from the figures of Core 5.4, Vol 3 Part H 3.5 and 3.6.
struct SMPVector: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var pdu: any SMPPDU
    var testDescription: String { "\(type(of: pdu).name) \(Hexadecimal.string(bytes))" }

    init(_ hexadecimal: String, _ pdu: any SMPPDU) {
        bytes = Hexadecimal.bytes(hexadecimal) ?? []
        self.pdu = pdu
    }

    static let all: [SMPVector] = pairing + keys

    static let pairing: [SMPVector] = [
        // Recorded.
        SMPVector(
            "01 02 00 0d 10 03 03",
            SMPPairingRequest(
                features: SMPPairingFeatures(
                    ioCapability: .keyboardOnly, outOfBandFlag: 0,
                    requirements: [.bonding, .mitm, .secureConnections], maximumKeySize: 16,
                    initiatorKeys: [.encryptionKey, .identityKey], responderKeys: [.encryptionKey, .identityKey]))),
        // Every field with a different value.
        SMPVector(
            "01 04 01 30 07 0c 0a",
            SMPPairingRequest(
                features: SMPPairingFeatures(
                    ioCapability: .keyboardDisplay, outOfBandFlag: 1, requirements: [.keypress, .ct2],
                    maximumKeySize: 7, initiatorKeys: [.signingKey, .linkKey], responderKeys: [.identityKey, .linkKey]))
        ),
        // Recorded.
        SMPVector(
            "02 00 00 0d 10 03 03",
            SMPPairingResponse(
                features: SMPPairingFeatures(
                    ioCapability: .displayOnly, outOfBandFlag: 0, requirements: [.bonding, .mitm, .secureConnections],
                    maximumKeySize: 16, initiatorKeys: [.encryptionKey, .identityKey],
                    responderKeys: [.encryptionKey, .identityKey]))),
        // Recorded.
        SMPVector(
            "03 49c58ca67d81894bb03584daa01abc53",
            SMPPairingConfirm(value: 0x53BC_1AA0_DA84_35B0_4B89_817D_A68C_C549)),
        // Recorded.
        SMPVector(
            "04 b59d96e636d43e863b2364bae36f9937",
            SMPPairingRandom(value: 0x3799_6FE3_BA64_233B_863E_D436_E696_9DB5)),
        // Recorded.
        SMPVector("05 04", SMPPairingFailed(reason: .confirmValueFailed)),
        // Recorded.
        SMPVector(
            "0c ab2399b8790dd9901406e0a115c01aa1ceed8c3f93713427ef5a5611020b2c3b"
                + "ab17793f41275ed053a28a9d860d0d8c48bc97a3796b1dafc3beef281bcaea2e",
            SMPPairingPublicKey(
                x: [
                    0xAB, 0x23, 0x99, 0xB8, 0x79, 0x0D, 0xD9, 0x90, 0x14, 0x06, 0xE0, 0xA1, 0x15, 0xC0, 0x1A, 0xA1,
                    0xCE, 0xED, 0x8C, 0x3F, 0x93, 0x71, 0x34, 0x27, 0xEF, 0x5A, 0x56, 0x11, 0x02, 0x0B, 0x2C, 0x3B,
                ],
                y: [
                    0xAB, 0x17, 0x79, 0x3F, 0x41, 0x27, 0x5E, 0xD0, 0x53, 0xA2, 0x8A, 0x9D, 0x86, 0x0D, 0x0D, 0x8C,
                    0x48, 0xBC, 0x97, 0xA3, 0x79, 0x6B, 0x1D, 0xAF, 0xC3, 0xBE, 0xEF, 0x28, 0x1B, 0xCA, 0xEA, 0x2E,
                ])),
        // Recorded.
        SMPVector(
            "0d 237bac0fe10ec1777b12e0b15b379c15",
            SMPPairingDHKeyCheck(value: 0x159C_375B_B1E0_127B_77C1_0EE1_0FAC_7B23)),
        SMPVector("0e 04", SMPPairingKeypressNotification(kind: 4)),
    ]

    static let keys: [SMPVector] = [
        // Recorded.
        SMPVector(
            "06 a41bb85f4bb406e458f5f090eab68fec",
            SMPEncryptionInformation(longTermKey: 0xEC8F_B6EA_90F0_F558_E406_B44B_5FB8_1BA4)),
        // Recorded.
        SMPVector(
            "07 a653 34ba70a0a5a9e5af", SMPCentralIdentification(ediv: 0x53A6, rand: 0xAFE5_A9A5_A070_BA34)),
        // Recorded.
        SMPVector(
            "08 a775a232e6851a65e25e4cbfa0c95417",
            SMPIdentityInformation(identityResolvingKey: 0x1754_C9A0_BF4C_5EE2_651A_85E6_32A2_75A7)),
        // Recorded.
        SMPVector(
            "09 00 02f0f0f0f0f0",
            SMPIdentityAddressInformation(address: DeviceAddress(0xF0F0_F0F0_F002, .public))),
        SMPVector(
            "09 01 0605040302c1",
            SMPIdentityAddressInformation(address: DeviceAddress(0xC102_0304_0506, .random))),
        SMPVector(
            "0a 000102030405060708090a0b0c0d0e0f",
            SMPSigningInformation(signatureKey: 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100)),
        // Recorded.
        SMPVector("0b 0d", SMPSecurityRequest(requirements: [.bonding, .mitm, .secureConnections])),
    ]
}
