import Crypto
import CryptoExtras
internal import ESPChips

/// The encryption of flash contents by a chip, for writes marked "encrypted".
struct FlashCipher {
    /// The chip's scheme.
    private enum Scheme {
        /// The ESP32: AES-256 by blocks of 16 bytes, each in reverse byte order, encrypted with the *decryption*
        /// function of AES; no tweak, as with FLASH_CRYPT_CONFIG 0.
        case esp32
        /// Later chips: XTS-AES-128 by units of 128 bytes, each in reverse byte order; the tweak is the unit's address.
        case xts
    }

    /// The length of a key, in bytes.
    private static let keyLength = 32

    private let scheme: Scheme
    private let key: [UInt8]

    /// The scheme of the chip with the key in its eFuses.
    init(_ identity: ChipIdentity) {
        scheme = identity.chip == .esp32 ? .esp32 : .xts
        key = identity.flashEncryptionKey ?? [UInt8](repeating: 0, count: Self.keyLength)
    }

    /// Encrypts `plain`, whose length and `address` must be multiples of 16; `nil` otherwise.
    func encrypt(_ plain: ArraySlice<UInt8>, at address: Int) -> [UInt8]? {
        guard plain.count.isMultiple(of: 16), address.isMultiple(of: 16), key.count == Self.keyLength else {
            return nil
        }
        switch scheme {
        case .esp32: return inverse(plain)
        case .xts: return xts(plain, address)
        }
    }

    private func inverse(_ plain: ArraySlice<UInt8>) -> [UInt8]? {
        let symmetric = SymmetricKey(data: key)
        var cipher: [UInt8] = []
        cipher.reserveCapacity(plain.count)
        for start in stride(from: plain.startIndex, to: plain.endIndex, by: 16) {
            var block = Array(plain[start..<start + 16].reversed())
            guard (try? AES.inversePermute(&block, key: symmetric)) != nil else { return nil }
            cipher += block.reversed()
        }
        return cipher
    }

    private func xts(_ plain: ArraySlice<UInt8>, _ address: Int) -> [UInt8]? {
        let unit = 128
        let (dataKey, tweakKey) = (SymmetricKey(data: key.prefix(16)), SymmetricKey(data: key.suffix(16)))
        // Encrypts whole units; blocks outside of `plain` are not part of the result.
        let before = address % unit
        var padded = [UInt8](repeating: 0, count: before) + plain
        padded += [UInt8](repeating: 0, count: (unit - padded.count % unit) % unit)
        var cipher: [UInt8] = []
        cipher.reserveCapacity(padded.count)
        for start in stride(from: 0, to: padded.count, by: unit) {
            let number = UInt32(truncatingIfNeeded: address - before + start)
            var tweak =
                [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) } + [UInt8](repeating: 0, count: 12)
            guard (try? AES.permute(&tweak, key: tweakKey)) != nil else { return nil }
            let reversed = Array(padded[start..<start + unit].reversed())
            var result: [UInt8] = []
            for offset in stride(from: 0, to: unit, by: 16) {
                var block = zip(reversed[offset..<offset + 16], tweak).map { $0 ^ $1 }
                guard (try? AES.permute(&block, key: dataKey)) != nil else { return nil }
                result += zip(block, tweak).map { $0 ^ $1 }
                Self.multiply(&tweak)
            }
            cipher += result.reversed()
        }
        return Array(cipher[before..<before + plain.count])
    }

    /// Multiplies by x in GF(2^128), least significant byte first (IEEE 1619, 5.2).
    private static func multiply(_ tweak: inout [UInt8]) {
        var carry: UInt8 = 0
        for index in tweak.indices {
            let next = tweak[index] >> 7
            tweak[index] = tweak[index] << 1 | carry
            carry = next
        }
        if carry != 0 { tweak[0] ^= 0x87 }
    }
}
