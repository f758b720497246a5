import Crypto
import CryptoExtras

/// AES-128 for the Security Manager; numbers represent octets, most significant first.
package enum AESBlock {
    /// e: one block (Core 5.4, Vol 3 Part H 2.2.1).
    package static func encrypt(_ plaintext: UInt128, key: UInt128) -> UInt128 {
        var block = octets(plaintext)
        do {
            try AES.permute(&block, key: SymmetricKey(data: octets(key)))
        } catch {
            preconditionFailure("AES: expected to take a key and a block of 16 bytes, got \(error)")
        }
        return number(block)
    }

    /// AES-CMAC (RFC 4493) of `message`, most significant octet first.
    package static func cmac(_ message: [UInt8], key: UInt128) -> UInt128 {
        do {
            var code = try AES.CMAC(key: SymmetricKey(data: octets(key)))
            message.withUnsafeBytes { code.update(bufferPointer: $0) }
            return code.finalize().withUnsafeBytes { number($0) }
        } catch {
            preconditionFailure("AES-CMAC: expected to take a key of 16 bytes, got \(error)")
        }
    }

    /// The sixteen octets of `value`, most significant first.
    static func octets(_ value: UInt128) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func number(_ octets: some Sequence<UInt8>) -> UInt128 {
        octets.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
