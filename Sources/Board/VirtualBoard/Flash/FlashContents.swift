/// The bytes of a flash chip in memory. Copies share unchanged sectors.
public struct FlashContents: Sendable {
    private var sectors: [[UInt8]]

    /// An erased chip.
    ///
    /// - Parameter size: a multiple of the sector size.
    init(size: Int) {
        let erased = [UInt8](repeating: 0xFF, count: NORFlash.sectorSize)
        sectors = Array(repeating: erased, count: size / NORFlash.sectorSize)
    }

    /// The size in bytes.
    public var size: Int { sectors.count * NORFlash.sectorSize }

    func read(at offset: Int, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let piece = Self.piece(at: offset + bytes.count, of: count - bytes.count)
            bytes += sectors[piece.sector][piece.range]
        }
        return bytes
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        var done = 0
        while done < bytes.count {
            let piece = Self.piece(at: offset + done, of: bytes.count - done)
            sectors[piece.sector].replaceSubrange(piece.range, with: bytes[done..<done + piece.range.count])
            done += piece.range.count
        }
    }

    /// The part of the next `count` bytes that is in one sector.
    private static func piece(at offset: Int, of count: Int) -> (sector: Int, range: Range<Int>) {
        let start = offset % NORFlash.sectorSize
        return (offset / NORFlash.sectorSize, start..<min(start + count, NORFlash.sectorSize))
    }
}
