import Crypto
import CryptoExtras

/// AES-128 for the link layer. Keys have 16 bytes and texts whole blocks, so no operation can fail; other text is left
/// unchanged.
enum BlockCipher {
    /// The encryption of one block, most significant byte first (Core 5.4, Vol 6 Part E 1).
    static func encrypt(_ block: inout [UInt8], key: [UInt8]) {
        try? AES.permute(&block, key: SymmetricKey(data: key))
    }

    /// The first four bytes of the CBC-MAC over `text`.
    static func chain(_ text: [UInt8], _ key: SymmetricKey) -> UInt32 {
        guard let zero, let chained = try? AES._CBC.encrypt(text, using: key, iv: zero, noPadding: true) else {
            return 0
        }
        return chained.suffix(16).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Counter mode over `text`, the first counter being `block`.
    static func count(_ text: inout [UInt8], _ key: SymmetricKey, from block: [UInt8]) {
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: block),
            let counted = try? AES._CTR.encrypt(text, using: key, nonce: nonce)
        else { return }
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: counted)
    }

    private static let zero = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
}
