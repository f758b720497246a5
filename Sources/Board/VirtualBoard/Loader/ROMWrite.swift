import ESPProtocol

/// A write in a ROM: FLASH_BEGIN and MEM_BEGIN set one, FLASH_DEFL_BEGIN another.
///
/// A ROM does not check that a write was begun: before the first BEGIN it finds what the RAM holds. Recorded: a block size of
/// 0, which admits no data; of the ESP32-C3's plain write one that admits any. The address is then taken for one outside of the
/// flash, where a ROM writes nothing and notices nothing.
struct ROMWrite {
    /// The largest block size that a BEGIN may announce.
    static let largestBlock: UInt32 = 0x1800

    /// The announced number of bytes.
    private let size: UInt32
    private let blockCount: UInt32
    private let blockSize: UInt32
    private let isBegun: Bool
    /// The flash encryption of the written bytes; `nil` in a plain write.
    let encryption: FlashCipher?
    /// The number of the expected block.
    private var sequence: UInt32 = 0
    private var received: UInt32 = 0
    /// The address of the next byte.
    private(set) var offset: Int

    /// The write before the first BEGIN, with the block size that the RAM holds.
    init(blockSize: UInt32) {
        self.blockSize = blockSize
        (size, blockCount) = (0, 0)
        (offset, encryption, isBegun) = (Int(UInt32.max), nil, false)
    }

    /// The write of a BEGIN.
    init(size: UInt32, blockCount: UInt32, blockSize: UInt32, offset: UInt32, encryption: FlashCipher? = nil) {
        self.size = size
        self.blockCount = blockCount
        self.blockSize = blockSize
        self.offset = Int(offset)
        self.encryption = encryption
        isBegun = true
    }

    /// True when the announced number of blocks has come.
    var hasAllBlocks: Bool { sequence == blockCount }
    /// True when the announced blocks, and exactly the announced bytes, have been written.
    var isComplete: Bool { isBegun && hasAllBlocks && received == size }

    /// Checks the next block, in the ROM's order: a block whose checksum is wrong counts.
    mutating func admit(
        _ block: DataBlock, checksum: UInt32, alignment: Int = 1
    ) throws(LoaderErrorCode) {
        guard block.sequence == sequence, block.payload.count <= Int(clamping: blockSize),
            block.payload.count.isMultiple(of: alignment)
        else { throw .invalidMessage }
        sequence &+= 1
        guard UInt8(truncatingIfNeeded: checksum) == UInt8(truncatingIfNeeded: LoaderChecksum.of(block.payload)) else {
            throw .invalidChecksum
        }
    }

    /// Counts `count` bytes as written, and the address on by `step`.
    mutating func advance(_ count: Int, step: Int) {
        received &+= UInt32(clamping: count)
        offset += step
    }
}
