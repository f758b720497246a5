import CZlib

/// Compresses data for the loaders block by block: one zlib stream.
final class DeflateStream {
    /// One block of compressed data.
    struct Block {
        let bytes: [UInt8]
        /// The number of bytes of the input that this block and those before it may inflate to.
        let inflatedEnd: Int
    }

    /// A last block of no more bytes is joined to the one before: the stub refuses a block that begins after all data
    /// are written, as one with only the end code and the checksum of the stream would.
    private static let tailLimit = 16

    /// The input is fed in small pieces, so that zlib takes little more than it has compressed.
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

    /// Whether samples of `bytes` become shorter. A ROM writes what it inflates a whole window at a time, while it takes
    /// only one more block; plain blocks are faster when they are no longer.
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

    /// The most blocks that `count` bytes can become; the stub accepts fewer than it was told.
    static func blockLimit(_ count: Int, blockSize: Int) -> Int {
        let bound = Int(compressBound(uLong(count)))
        return (bound + blockSize - tailLimit - 1) / (blockSize - tailLimit)
    }

    /// Compresses all that is left, before its first block is taken: it is kept in memory, as the input is.
    ///
    /// - Returns: the number of blocks that are left.
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
