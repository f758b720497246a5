import Crypto

/// Checksum and hash of an image.
enum ImageChecksum {
    /// The initial value of the checksum.
    static let seed: UInt8 = 0xEF
    /// The length of the SHA-256 digest.
    static let hashLength = 32
    /// The checksum is the last byte of a block of this many bytes.
    static let blockLength = 16

    /// Continues the exclusive or over `data`.
    static func update(_ checksum: UInt8, _ data: ArraySlice<UInt8>) -> UInt8 {
        // Eight bytes at a time: in a debug build, byte for byte took half of a test's time.
        data.withUnsafeBytes { bytes in
            let end = bytes.count - bytes.count % 8
            var word: UInt64 = 0
            var offset = 0
            while offset < end {
                word ^= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            word ^= word >> 32
            word ^= word >> 16
            word ^= word >> 8
            return bytes[end...].reduce(checksum ^ UInt8(truncatingIfNeeded: word), ^)
        }
    }

    /// The SHA-256 digest of `bytes`.
    static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sha = SHA256()
        bytes.withUnsafeBytes { sha.update(bufferPointer: $0) }
        return Array(sha.finalize())
    }
}
