import BLERadio
import ByteCodec
import Testing

/// Core 5.4, Vol 6 Part C 1: the sample data of the specification.
@Suite struct LinkCipherTests {
    static let longTermKey = Hexadecimal.bytes("bf01fb9d4ef3bc36d874f5394138684c") ?? []
    static let central = LinkCipher.Share(
        diversifier: 0xACBD_CEDF_E0F1_0213, initializationVector: 0xBADC_AB24)
    static let peripheral = LinkCipher.Share(
        diversifier: 0x0213_2435_4657_6879, initializationVector: 0xDEAF_BABE)

    static func cipher(isFromCentral: Bool) -> LinkCipher {
        LinkCipher(
            longTermKey: longTermKey[...], central: central, peripheral: peripheral, isFromCentral: isFromCentral)
    }

    /// LL_START_ENC_RSP, then a data PDU: packets 0 and 1 of one direction, payload and MIC as on air.
    struct Sample {
        var isFromCentral: Bool
        var packets: [(header: UInt8, plaintext: String, onAir: String)]
    }

    static let samples = [
        Sample(
            isFromCentral: true,
            packets: [
                (0x0F, "06", "9fcda7f448"),
                (
                    0x0E, "1700636465666768696a6b6c6d6e6f707131323334353637383930",
                    "7a70d66415226df26b17839a060405596bd6564f796b5b9ce6ff32f75a6d33"
                ),
            ]),
        Sample(
            isFromCentral: false,
            packets: [
                (0x07, "06", "a34c13a415"),
                (
                    0x06, "170037363534333231304142434445464748494a4b4c4d4e4f5051",
                    "f38881e7bd94c9c369b9a66846dd4786aa8c39ce540d0dae3adcdf89b96088"
                ),
            ]),
    ]

    static func mic(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test(arguments: [0, 1]) func theSampleDataIsEncrypted(index: Int) throws {
        let sample = Self.samples[index]
        var cipher = Self.cipher(isFromCentral: sample.isFromCentral)
        for packet in sample.packets {
            var bytes = try #require(Hexadecimal.bytes(packet.plaintext))
            let onAir = try #require(Hexadecimal.bytes(packet.onAir))
            let mic = cipher.seal(&bytes, 0..<bytes.count, header: packet.header)
            #expect(bytes == Array(onAir.dropLast(4)))
            #expect(mic == Self.mic(onAir.suffix(4)))
        }
    }

    @Test(arguments: [0, 1]) func theSampleDataIsDecrypted(index: Int) throws {
        let sample = Self.samples[index]
        var cipher = Self.cipher(isFromCentral: sample.isFromCentral)
        for packet in sample.packets {
            let onAir = try #require(Hexadecimal.bytes(packet.onAir))
            var bytes = Array(onAir.dropLast(4))
            // SN, NESN and MD change from one transmission to the next.
            #expect(
                cipher.open(
                    &bytes, 0..<bytes.count, header: packet.header ^ 0x1C, mic: Self.mic(onAir.suffix(4))))
            #expect(bytes == Hexadecimal.bytes(packet.plaintext))
        }
    }

    /// Every bit counts: of the payload, the MIC, the header and the key; and so do direction and packet number.
    @Test func alteredDataIsNotDecrypted() throws {
        let onAir = try #require(Hexadecimal.bytes(Self.samples[0].packets[0].onAir))
        func opens(_ change: Int, header: UInt8 = 0x0F, _ cipher: LinkCipher) -> Bool {
            var (cipher, changed) = (cipher, onAir)
            if change >= 0 { changed[change / 8] ^= 1 << (change % 8) }
            var payload = Array(changed.dropLast(4))
            return cipher.open(&payload, 0..<1, header: header, mic: Self.mic(changed.suffix(4)))
        }
        let cipher = Self.cipher(isFromCentral: true)
        #expect(opens(-1, cipher))
        for bit in 0..<40 { #expect(!opens(bit, cipher)) }
        #expect(!opens(-1, header: 0x0E, cipher))
        #expect(!opens(-1, Self.cipher(isFromCentral: false)))
        var later = cipher
        var payload: [UInt8] = [6]
        _ = later.seal(&payload, 0..<1, header: 3)
        #expect(!opens(-1, later))
        for bit in 0..<128 {
            var key = Self.longTermKey
            key[bit / 8] ^= 1 << (bit % 8)
            #expect(
                !opens(
                    -1,
                    LinkCipher(
                        longTermKey: key[...], central: Self.central, peripheral: Self.peripheral,
                        isFromCentral: true)))
        }
    }

    /// A packet of maximum length, within other bytes. Expected values from AESCCM of Python's cryptography 50: payload
    /// 0...250, nonce and key of the sample's packet 0 from the peripheral, additional data 02.
    @Test func aLongPacketIsEncryptedInPlace() throws {
        var cipher = Self.cipher(isFromCentral: false)
        var bytes: [UInt8] = [0xAA, 0xBB] + Array(0...250) + [0xCC]
        let mic = cipher.seal(&bytes, 2..<253, header: 0x02)
        #expect(bytes[..<2] == [0xAA, 0xBB])
        #expect(bytes[253] == 0xCC)
        #expect(Hexadecimal.string(Array(bytes[2..<253])) == Self.long.payload)
        #expect(mic == Self.long.mic)
    }
}

extension LinkCipherTests {
    static let long = (
        payload: """
        a5acd6117f2a457f85d596d3670687ddb60ff9f0936e8496ef95f1555db338112b614df75bfa246389b1e6bab774c7aa\
        536971738f5dcaa9a90a1e633721b357976ecdb4bc4ead710c3398a5d87fa869670c03c5e887e4ac77a1460c8de8d1dc\
        9e15cded75c2a54c4412575038441f96a77081d474260e58a521b0cc45e1930e506b060fe142800f6c3bb79cb8a58407\
        95b83dce1fc6e9eee0a0180597e3a5509f6c484c883ea355214c0b4f4fa87647ccf49492fb8f02a0241ade96c1b70244\
        afe6296a6d32d20d0b3ab7cd86031dfa98e5ee00c2c65b37f3e48de54ffa95a843cfb2d491392ab5dbfd2631c4b4ddc0\
        bcee62996691a587456e08
        """,
        mic: UInt32(0x310580B9)
    )
}
