import BLECore
import BLEHost
import ByteCodec
import Testing

/// The sample data of the specification: Core 5.4, Vol 3 Part H Appendix D and 2.2.3, 2.2.4; Vol 2 Part G 7.1.2;
/// RFC 4493 section 4.
@Suite struct ToolboxTests {
    static let publicX = coordinate("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    static let otherX = coordinate("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    static let dhKey = coordinate("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    static let n1: UInt128 = 0xd5cb_8454_d177_733e_ffff_b2ec_712b_aeab
    static let n2: UInt128 = 0xa6e8_e7cc_25a7_5f6e_2165_83f7_ff3d_c4cf
    static let a1 = DeviceAddress(0x5612_3737_bfce, .public)
    static let a2 = DeviceAddress(0xa713_702d_cfc1, .public)

    /// The specification writes coordinates with the most significant octet first; the toolbox uses the order on air.
    static func coordinate(_ hexadecimal: String) -> [UInt8] {
        (Hexadecimal.bytes(hexadecimal) ?? []).reversed()
    }

    @Test(
        arguments: [
            ("", 0xbb1d_6929_e959_3728_7fa3_7d12_9b75_6746),
            ("6bc1bee22e409f96e93d7e117393172a", 0x070a_16b4_6b4d_4144_f79b_dd9d_d04a_287c),
            (
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
                0xdfa6_6747_de9a_e630_30ca_3261_1497_c827
            ),
            (
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
                    + "f69f2445df4f9b17ad2b417be66c3710",
                0x51f0_bebf_7e3b_9d92_fc49_7417_7936_3cfe
            ),
        ] as [(String, UInt128)])
    func aesCMAC(message: String, code: UInt128) throws {
        let message = try #require(Hexadecimal.bytes(message))
        #expect(AESBlock.cmac(message, key: 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c) == code)
    }

    @Test func f4() {
        let value = SecurityToolbox.f4(u: Self.publicX, v: Self.otherX, x: Self.n1, z: 0)
        #expect(value == 0xf2c9_16f1_07a9_bd1c_f1ed_a1be_a974_872d)
    }

    @Test func f5() {
        let keys = SecurityToolbox.f5(dhKey: Self.dhKey, n1: Self.n1, n2: Self.n2, a1: Self.a1, a2: Self.a2)
        #expect(keys.macKey == 0x2965_f176_a108_4a02_fd3f_6a20_ce63_6e20)
        #expect(keys.longTermKey == 0x6986_7911_69d7_cd23_9805_22b5_9475_0a38)
    }

    @Test func f6() {
        let value = SecurityToolbox.f6(
            macKey: 0x2965_f176_a108_4a02_fd3f_6a20_ce63_6e20, n1: Self.n1, n2: Self.n2,
            r: 0x12a3_343b_b453_bb54_08da_42d2_0c2d_0fc8, ioCapabilities: 0x010102, a1: Self.a1, a2: Self.a2)
        #expect(value == 0xe3c4_7398_9cd0_e8c5_d26c_0b09_da95_8f61)
    }

    @Test func g2() {
        #expect(SecurityToolbox.g2(u: Self.publicX, v: Self.otherX, x: Self.n1, y: Self.n2) == 0x2f9e_d5ba)
    }

    @Test func h6() {
        let value = SecurityToolbox.h6(key: 0xec02_34a3_57c8_ad05_3410_10a6_0a39_7d9b, identifier: 0x6c65_6272)
        #expect(value == 0x2d9a_e102_e76d_c91c_e8d3_a9e2_80b1_6399)
    }

    @Test func h7() {
        let value = SecurityToolbox.h7(salt: 0x746D_7031, key: 0xec02_34a3_57c8_ad05_3410_10a6_0a39_7d9b)
        #expect(value == 0xfb17_3597_c6a3_c0ec_d299_8c2a_75a5_7011)
    }

    @Test func ah() {
        #expect(SecurityToolbox.ah(irk: 0xec02_34a3_57c8_ad05_3410_10a6_0a39_7d9b, prand: 0x708194) == 0x0d_fbaa)
    }

    @Test func c1() {
        let value = SecurityToolbox.c1(
            temporaryKey: 0, random: 0x5783_D521_56AD_6F0E_6388_274E_C670_2EE0, request: 0x0707_1000_0001_01,
            response: 0x0500_0800_0003_02, initiator: DeviceAddress(0xA1A2_A3A4_A5A6, .random),
            responder: DeviceAddress(0xB1B2_B3B4_B5B6, .public))
        #expect(value == 0x1e1e_3fef_8789_88ea_d2a7_4dc5_bef1_3b86)
    }

    @Test func s1() {
        let value = SecurityToolbox.s1(
            temporaryKey: 0, responderRandom: 0x000F_0E0D_0C0B_0A09_1122_3344_5566_7788,
            initiatorRandom: 0x0102_0304_0506_0708_99AA_BBCC_DDEE_FF00)
        #expect(value == 0x9a1f_e1f0_e8b0_f49b_5b42_16ae_796d_a062)
    }

    /// Vol 2 Part G 7.1.2.1, data sets 1 and 2: private A, private B, public A, public B, DHKey.
    @Test(
        arguments: [
            [
                "3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd",
                "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd",
                "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6",
                "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b",
                "1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190",
                "4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a",
                "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698",
            ],
            [
                "06a516693c9aa31a6084545d0c5db641b48572b97203ddffb7ac73f7d0457663",
                "529aa0670d72cd6497502ed473502b037e8803b5c60829a5a3caa219505530ba",
                "2c31a47b5779809ef44cb5eaaf5c3e43d5f8faad4a8794cb987e9b03745c78dd",
                "919512183898dfbecd52e2408e43871fd021109117bd3ed4eaf8437743715d4f",
                "f465e43ff23d3f1b9dc7dfc04da8758184dbc966204796eccf0d6cf5e16500cc",
                "0201d048bcbbd899eeefc424164e33c201c2b010ca6b4d43a8a155cad8ecb279",
                "ab85843a2f6d883f62e5684b38e307335fe6e1945ecd19604105c6f23221eb69",
            ],
        ])
    func publicKeysAndDHKeysMatchTheSamples(set: [String]) throws {
        let values = set.map(Self.coordinate)
        let a = try #require(PairingKeyPair(privateKey: values[0].reversed()))
        let b = try #require(PairingKeyPair(privateKey: values[1].reversed()))
        #expect([a.x, a.y, b.x, b.y] == Array(values[2...5]))
        #expect(a.sharedSecret(x: b.x, y: b.y) == values[6])
        #expect(b.sharedSecret(x: a.x, y: a.y) == values[6])
    }

    /// CVE-2018-5383: a point off the curve would reveal the private key.
    @Test func aPublicKeyOffTheCurveHasNoDHKey() throws {
        let pair = try #require(PairingKeyPair(random: [UInt8](repeating: 0x5A, count: 64)))
        var beside = pair.y
        beside[31] ^= 1
        #expect(pair.sharedSecret(x: pair.x, y: pair.y) != nil)
        #expect(pair.sharedSecret(x: pair.x, y: beside) == nil)
        #expect(pair.sharedSecret(x: pair.x, y: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(pair.sharedSecret(x: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(pair.sharedSecret(x: [UInt8](repeating: 0xFF, count: 32), y: pair.y) == nil)
    }

    /// The key pair that a NimBLE host generated from its controller's LE Rand numbers, recorded in
    /// `nimble-hci-lock.jsonl`.
    @Test func aKeyPairFromRandomNumbersEqualsNimBLEs() throws {
        let random = try #require(
            Hexadecimal.bytes(
                "68f1cffca0d39ebee3ae4af464a19b28703589133605d63f698eff06ec53680d"
                    + "28387dac2c4bec3d78ba581d00ba5112bc28e37ef9096205fd224b6053fcfe5f"))
        let pair = try #require(PairingKeyPair(random: random))
        #expect(
            Hexadecimal.string(pair.x) == "ab2399b8790dd9901406e0a115c01aa1ceed8c3f93713427ef5a5611020b2c3b")
        #expect(
            Hexadecimal.string(pair.y) == "ab17793f41275ed053a28a9d860d0d8c48bc97a3796b1dafc3beef281bcaea2e")
    }

    @Test func zeroOrTooFewBytesGiveNoKeyPair() {
        #expect(PairingKeyPair(random: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(PairingKeyPair(random: [UInt8](repeating: 1, count: 63)) == nil)
        #expect(PairingKeyPair(privateKey: [UInt8](repeating: 0xFF, count: 32)) == nil)
    }
}
