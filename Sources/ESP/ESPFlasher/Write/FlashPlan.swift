import CZlib
import ESPChips
import ESPImage
internal import ESPProtocol

/// Validates the data against the board, before anything is erased.
enum FlashPlan {
    private static let sectorSize: UInt32 = 0x1000
    /// The address range of the commands: 4 GB.
    private static let addressSpace: UInt64 = 1 << 32

    /// Throws when `layout` cannot or must not be written to `board`.
    ///
    /// - Throws: ``FlasherError`` with code `misaligned`, `tooLarge`, `wrongChip`, `invalidImage` or
    ///   `hostImageOnRealBoard`.
    static func check(
        _ layout: FlashLayout, for board: ConnectedBoard, validatesImages: Bool = true
    ) throws(FlasherError) {
        for region in layout.regions {
            let place = "\(region.name) at 0x\(String(region.offset, radix: 16))"
            guard region.offset % sectorSize == 0 else {
                throw FlasherError(.misaligned, "\(place): expected an address that is a multiple of 0x1000")
            }
            let size = board.flashSize ?? addressSpace
            if region.end > size {
                throw FlasherError(
                    .tooLarge,
                    """
                    \(place): expected an end within the flash of \(size) bytes, got \
                    0x\(String(region.end, radix: 16))
                    """)
            }
            if validatesImages { try checkImages(region, place, for: board) }
        }
        guard validatesImages else { return }
        do throws(ImageError) {
            try layout.partitionTable()?.check(flashSize: board.flashSize ?? addressSpace)
        } catch {
            throw FlasherError(.invalidImage, "partition table at 0x8000", underlying: error)
        }
    }

    private static func checkImages(
        _ region: FlashLayout.Region, _ place: String, for board: ConnectedBoard
    ) throws(FlasherError) {
        let chip = board.chip
        // A region may be one image, or a whole flash with images at the usual places.
        let inner = [chip.bootloaderOffset, usualAppOffset].compactMap { address in
            address > region.offset && UInt64(address) < region.end ? Int(address - region.offset) : nil
        }
        for start in [0] + inner {
            let bytes = region.bytes[start...]
            guard bytes.first == ImageHeader.magic else { continue }
            let address = String(UInt64(region.offset) + UInt64(start), radix: 16)
            let place = start == 0 ? place : "\(place), image at 0x\(address)"
            let image: FirmwareImage
            do {
                image = try FirmwareImage(bytes, for: chip)
            } catch {
                throw FlasherError(error.code == .wrongChip ? .wrongChip : .invalidImage, place, underlying: error)
            }
            if image.isVirtualBootloader, !board.isVirtual { throw refusal(place, board) }
        }
        if !board.isVirtual, HostProgram.occurs(in: region.bytes[...]) { throw refusal(place, board) }
    }

    private static func refusal(_ place: String, _ board: ConnectedBoard) -> FlasherError {
        FlasherError(
            .hostImageOnRealBoard,
            "\(place): it was built for the virtual board, and would not start on this real \(board.chip.name)")
    }

    private static let usualAppOffset: UInt32 = 0x1_0000
}

/// Finds the sectors of a region that differ from the flash: compares digests of ranges, and halves ranges that differ.
struct ChangedRanges {
    private static let sector = 0x1000
    /// Unchanged gaps of up to this size between changed ranges are written too: an additional erase and digest would
    /// take longer.
    private static let joinGap = 0x4000
    /// Regions of at least this size are sampled first, so that an entirely different region needs few digests.
    private static let sampledSize = 0x8000
    private static let sampleCount = 4

    let flasher: Flasher
    let bytes: ArraySlice<UInt8>
    let offset: UInt32
    let context: String
    /// How many more bytes the chip may digest; the rest counts as changed.
    private var budget: Int
    private var changed: [Range<Int>] = []

    /// The ranges of `bytes` (from 0) that differ from the flash at `offset`; in order, whole sectors.
    static func find(
        _ bytes: ArraySlice<UInt8>, at offset: UInt32, _ flasher: Flasher, _ context: String
    ) async throws(FlasherError) -> [Range<Int>] {
        var search = ChangedRanges(flasher: flasher, bytes: bytes, offset: offset, context: context)
        try await search.run()
        return search.changed
    }

    private init(flasher: Flasher, bytes: ArraySlice<UInt8>, offset: UInt32, context: String) {
        self.flasher = flasher
        self.bytes = bytes
        self.offset = offset
        self.context = context
        budget = bytes.count * 3
    }

    private mutating func run() async throws(FlasherError) {
        if bytes.count >= Self.sampledSize {
            var equal = 0
            for index in 0..<Self.sampleCount {
                let start = bytes.count * (2 * index + 1) / (2 * Self.sampleCount) / Self.sector * Self.sector
                if try await isEqual(start..<min(start + Self.sector, bytes.count)) { equal += 1 }
            }
            if equal == 0 {
                changed = [0..<bytes.count]
                return
            }
        }
        if try await isEqual(0..<bytes.count) { return }
        try await split(0..<bytes.count)
    }

    /// Adds the changed parts of `range`, which is known to differ.
    private mutating func split(_ range: Range<Int>) async throws(FlasherError) {
        guard range.count > Self.sector, budget >= range.count else { return add(range) }
        let middle = range.lowerBound + (range.count / 2 + Self.sector - 1) / Self.sector * Self.sector
        let first = range.lowerBound..<middle
        let second = middle..<range.upperBound
        guard !second.isEmpty else { return add(range) }
        if try await isEqual(first) {
            // The first half is equal, so the second half differs.
            return try await split(second)
        }
        try await split(first)
        if try await !isEqual(second) { try await split(second) }
    }

    private mutating func add(_ range: Range<Int>) {
        if let last = changed.last, range.lowerBound - last.upperBound <= Self.joinGap {
            changed[changed.count - 1] = last.lowerBound..<range.upperBound
        } else {
            changed.append(range)
        }
    }

    private mutating func isEqual(_ range: Range<Int>) async throws(FlasherError) -> Bool {
        budget -= range.count
        let part = bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
        let found = try await flasher.digest(offset + UInt32(range.lowerBound), count: range.count, context)
        return found == md5(part)
    }
}

/// Compresses data for the loaders block by block: one zlib stream.
final class DeflateStream {
    /// One block of compressed data.
    struct Block {
        let bytes: [UInt8]
        /// The maximum number of input bytes to which all blocks up to this one inflate.
        let inflatedEnd: Int
    }

    /// A last block of up to this size is joined to the block before it: the stub refuses a block that begins after all
    /// data are written, such as one with only the end code and the checksum of the stream.
    private static let tailLimit = 16

    /// The input is fed in small pieces, so that zlib reads little more input than it has compressed.
    private static let feedSize = 4096

    // zlib keeps the address of its state.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: ArraySlice<UInt8>
    private let pieceSize: Int
    private var isFinished = false
    private var lookahead: Block?
    private var ready: ArraySlice<Block> = []

    /// A stream of blocks of at most `blockSize` bytes.
    ///
    /// - Throws: ``FlasherError`` with code `compression` when zlib fails.
    init(_ input: ArraySlice<UInt8>, blockSize: Int) throws(FlasherError) {
        self.input = input
        pieceSize = blockSize - Self.tailLimit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit_(
            stream, Z_BEST_COMPRESSION, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            isFinished = true
            throw FlasherError(.compression, "compressing \(input.count) bytes: zlib status \(status)")
        }
        lookahead = try produce()
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// True if samples of `bytes` become shorter. A ROM writes inflated data a whole window at a time, and accepts only
    /// one more block meanwhile; plain blocks are faster unless compression shortens the data.
    ///
    /// - Throws: ``FlasherError`` with code `compression`.
    static func isWorthWhile(_ bytes: ArraySlice<UInt8>) throws(FlasherError) -> Bool {
        guard bytes.count > sampleSize * 4 else { return true }
        var count = 0
        for index in 0..<4 {
            let start = bytes.startIndex + bytes.count / 4 * index
            var length = compressBound(uLong(sampleSize))
            var output = [UInt8](repeating: 0, count: Int(length))
            let status = Array(bytes[start..<start + sampleSize]).withUnsafeBufferPointer { source in
                compress2(&output, &length, source.baseAddress, uLong(source.count), Z_BEST_SPEED)
            }
            guard status == Z_OK else {
                throw FlasherError(.compression, "compressing a sample of \(sampleSize) bytes: zlib status \(status)")
            }
            count += Int(length)
        }
        return count < sampleSize * 4 * 15 / 16
    }

    private static let sampleSize = 4096

    /// The maximum number of compressed blocks for `count` bytes; the stub accepts fewer than announced.
    static func blockLimit(_ count: Int, blockSize: Int) -> Int {
        let bound = Int(compressBound(uLong(count)))
        return (bound + blockSize - tailLimit - 1) / (blockSize - tailLimit)
    }

    /// Compresses all remaining input in advance; keeps both the input and the blocks in memory.
    ///
    /// - Returns: the number of remaining blocks.
    /// - Throws: ``FlasherError`` with code `compression`.
    func compressAll() throws(FlasherError) -> Int {
        while let block = try compressNext() { ready.append(block) }
        return ready.count
    }

    /// The next block; `nil` after the last.
    ///
    /// - Throws: ``FlasherError`` with code `compression`.
    func next() throws(FlasherError) -> Block? {
        if let block = ready.popFirst() { return block }
        return try compressNext()
    }

    private func compressNext() throws(FlasherError) -> Block? {
        guard let block = lookahead else { return nil }
        lookahead = try produce()
        if let tail = lookahead, tail.bytes.count <= Self.tailLimit {
            lookahead = nil
            return Block(bytes: block.bytes + tail.bytes, inflatedEnd: tail.inflatedEnd)
        }
        return block
    }

    private func produce() throws(FlasherError) -> Block? {
        guard !isFinished else { return nil }
        var status = Z_OK
        var output = [UInt8](repeating: 0, count: pieceSize)
        var produced = 0
        input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = uInt(target.count)
                repeat {
                    let start = Int(stream.pointee.total_in)
                    let count = min(Self.feedSize, source.count - start)
                    stream.pointee.next_in = source.baseAddress.map { UnsafeMutablePointer(mutating: $0 + start) }
                    stream.pointee.avail_in = uInt(count)
                    status = deflate(stream, start + count == source.count ? Z_FINISH : Z_NO_FLUSH)
                } while status == Z_OK && stream.pointee.avail_out > 0
                produced = target.count - Int(stream.pointee.avail_out)
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
            }
        }
        guard status == Z_OK || status == Z_STREAM_END || (status == Z_BUF_ERROR && produced > 0) else {
            throw FlasherError(.compression, "compressing \(input.count) bytes: zlib status \(status)")
        }
        isFinished = status == Z_STREAM_END
        guard produced > 0 else { return nil }
        if produced < output.count { output.removeLast(output.count - produced) }
        return Block(bytes: output, inflatedEnd: Int(stream.pointee.total_in))
    }
}
