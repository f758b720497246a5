import ESPProtocol
import MonotonicTime

/// A write that FLASH_BEGIN or FLASH_DEFL_BEGIN opened in the stub, which erases ahead of the write position, and skips blank
/// sectors until the first that is not blank.
struct FlashWriteSession {
    /// The announced bytes that are not written yet; negative after too much data.
    private(set) var remaining: Int
    /// Decompresses; `nil` in an uncompressed write.
    let inflater: ZlibInflater?
    /// Encrypts what is written; `nil` in a plain write.
    let encryption: FlashCipher?
    private var offset: Int
    private var nextErase: Int
    private let eraseEnd: Int
    private var hasFoundData = false

    init(_ region: FlashWriteRegion, isCompressed: Bool, encryption: FlashCipher?) {
        remaining = Int(region.eraseSize)
        offset = Int(region.offset)
        inflater = isCompressed ? ZlibInflater() : nil
        self.encryption = encryption
        let sector = NORFlash.sectorSize
        nextErase = offset / sector * sector
        eraseEnd = (offset + remaining + sector - 1) / sector * sector
    }

    /// Erases the next sector or block, unless it is blank.
    mutating func eraseNext(_ flash: NORFlash, now: MonotonicInstant) throws(FlashError) {
        guard nextErase < eraseEnd else { return }
        if !hasFoundData {
            let sector = try flash.read(at: nextErase, count: NORFlash.sectorSize)
            guard sector.contains(where: { $0 != 0xFF }) else {
                nextErase += NORFlash.sectorSize
                return
            }
            hasFoundData = true
        }
        let isBlock =
            nextErase.isMultiple(of: NORFlash.blockSize) && eraseEnd - nextErase >= NORFlash.blockSize
        let count = isBlock ? NORFlash.blockSize : NORFlash.sectorSize
        try flash.erase(at: nextErase, count: count, now: now)
        nextErase += count
    }

    /// Programs `bytes` at the write position; erases sectors first where needed.
    mutating func write(_ bytes: ArraySlice<UInt8>, _ flash: NORFlash, now: MonotonicInstant) throws(FlashError) {
        while nextErase < offset + bytes.count, nextErase < eraseEnd { try eraseNext(flash, now: now) }
        try flash.program(encrypted(bytes), at: offset, now: now)
        offset += bytes.count
        remaining -= bytes.count
    }

    /// The contents of the flash for `bytes` at the write position.
    private func encrypted(_ bytes: ArraySlice<UInt8>) throws(FlashError) -> ArraySlice<UInt8> {
        guard let encryption else { return bytes }
        guard let cipher = encryption.encrypt(bytes, at: offset) else {
            throw FlashError(
                .outOfRange, "flash",
                "expected an encrypted write of whole blocks of 16 bytes, got \(bytes.count) bytes at \(offset)")
        }
        return cipher[...]
    }
}
