import ESPProtocol
import MonotonicTime

/// A write that FLASH_BEGIN or FLASH_DEFL_BEGIN opened.
///
/// The stub erases ahead of what it writes, and leaves sectors that are blank already until it meets one that is not;
/// the ROM erases everything when the write begins.
struct FlashWriteSession {
    /// The bytes announced and not written yet; below zero when more came.
    private(set) var remaining: Int
    /// Decompresses; `nil` in an uncompressed write.
    let inflater: ZlibInflater?
    private var offset: Int
    private var nextErase: Int
    private let eraseEnd: Int
    private var hasMetData = false

    init(_ region: FlashWriteRegion, isCompressed: Bool) {
        remaining = Int(region.eraseSize)
        offset = Int(region.offset)
        inflater = isCompressed ? ZlibInflater() : nil
        let sector = NORFlash.sectorSize
        nextErase = offset / sector * sector
        eraseEnd = (offset + remaining + sector - 1) / sector * sector
    }

    /// Erases all of the region.
    mutating func eraseAll(_ flash: NORFlash, now: MonotonicInstant) throws(FlashError) {
        try flash.erase(at: nextErase, count: eraseEnd - nextErase, now: now)
        nextErase = eraseEnd
    }

    /// Erases the next sector or block, unless it is found blank.
    mutating func eraseNext(_ flash: NORFlash, now: MonotonicInstant) throws(FlashError) {
        guard nextErase < eraseEnd else { return }
        if !hasMetData {
            let sector = try flash.read(at: nextErase, count: NORFlash.sectorSize)
            guard sector.contains(where: { $0 != 0xFF }) else {
                nextErase += NORFlash.sectorSize
                return
            }
            hasMetData = true
        }
        let isBlock =
            nextErase.isMultiple(of: NORFlash.blockSize) && eraseEnd - nextErase >= NORFlash.blockSize
        let count = isBlock ? NORFlash.blockSize : NORFlash.sectorSize
        try flash.erase(at: nextErase, count: count, now: now)
        nextErase += count
    }

    /// Programs `bytes` behind those written, erasing first what is not erased yet.
    mutating func write(_ bytes: ArraySlice<UInt8>, _ flash: NORFlash, now: MonotonicInstant) throws(FlashError) {
        while nextErase < offset + bytes.count, nextErase < eraseEnd { try eraseNext(flash, now: now) }
        try flash.program(bytes, at: offset, now: now)
        offset += bytes.count
        remaining -= bytes.count
    }
}
