import Crypto

/// A P-256 key pair of LE Secure Connections (Core 5.4, Vol 3 Part H 2.3.5.6.1).
package struct PairingKeyPair {
    /// The number of random bytes for a key pair.
    package static let randomByteCount = 64

    /// The X coordinate of the debug public key, whose private key is published (2.3.5.6.1).
    static let debugX: [UInt8] = [
        0xE6, 0x9D, 0x35, 0x0E, 0x48, 0x01, 0x03, 0xCC, 0xDB, 0xFD, 0xF4, 0xAC, 0x11, 0x91, 0xF4, 0xEF, 0xB9, 0xA5,
        0xF9, 0xE9, 0xA7, 0x83, 0x2C, 0x5E, 0x2C, 0xBE, 0x97, 0xF2, 0xD2, 0x03, 0xB0, 0x20,
    ]

    /// The coordinates of the public key, 32 bytes each, least significant first.
    package let x: [UInt8]
    package let y: [UInt8]
    private let privateKey: P256.KeyAgreement.PrivateKey

    /// The pair whose private key is the random number modulo the order of the curve, as in NimBLE (FIPS 186-4 B.4.1);
    /// `nil` for 0, which is not a key.
    ///
    /// - Parameter random: 64 bytes, least significant first.
    package init?(random: [UInt8]) {
        guard random.count == Self.randomByteCount else { return nil }
        self.init(privateKey: Self.reduce(random))
    }

    /// The pair of a private key: 32 bytes, most significant first; `nil` outside 1..<order.
    package init?(privateKey octets: [UInt8]) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: octets) else { return nil }
        privateKey = key
        let octets = Array(key.publicKey.rawRepresentation)
        x = octets[..<32].reversed()
        y = octets[32...].reversed()
    }

    /// The DHKey with the peer's public key, 32 bytes, least significant first; `nil` if the peer's key is not a point
    /// on the curve.
    package func sharedSecret(x: some BidirectionalCollection<UInt8>, y: some BidirectionalCollection<UInt8>)
        -> [UInt8]?
    {
        let octets = Array(x.reversed()) + y.reversed()
        guard let peer = try? P256.KeyAgreement.PublicKey(rawRepresentation: octets),
            let secret = try? privateKey.sharedSecretFromKeyAgreement(with: peer)
        else { return nil }
        return secret.withUnsafeBytes { $0.reversed() }
    }

    /// A number of 512 bits modulo the order of the curve, most significant octet first.
    private static func reduce(_ number: [UInt8]) -> [UInt8] {
        let order: (high: UInt128, low: UInt128) = (
            0xFFFF_FFFF_0000_0000_FFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84_F3B9_CAC2_FC63_2551
        )
        var high: UInt128 = 0
        var low: UInt128 = 0
        for octet in number.reversed() {
            for bit in (0..<8).reversed() {
                let overflows = high >> 127 == 1
                high = high << 1 | low >> 127
                low = low << 1 | UInt128(octet >> bit & 1)
                guard overflows || (high, low) >= order else { continue }
                high = high &- order.high &- (low < order.low ? 1 : 0)
                low = low &- order.low
            }
        }
        return AESBlock.octets(high) + AESBlock.octets(low)
    }
}
