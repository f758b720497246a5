import CZlib

/// Compression for the loaders: one zlib stream, divided into blocks.
struct DeflatedData {
    /// One block of compressed data.
    struct Block {
        let bytes: ArraySlice<UInt8>
        /// The number of bytes that it inflates to, after the blocks before it.
        let inflatedCount: Int
    }

    let blocks: [Block]
    /// The number of bytes of all blocks.
    let count: Int

    /// Compresses `bytes`, and divides the result into blocks of `blockSize`.
    ///
    /// - Throws: ``FlasherError`` with code `compression` when zlib fails.
    init(_ bytes: [UInt8], blockSize: Int) throws(FlasherError) {
        var length = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        let status = compress2(&compressed, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
        guard status == Z_OK else {
            throw FlasherError(.compression, "compressing \(bytes.count) bytes: zlib status \(status)")
        }
        let end = Int(length)
        let pieces = stride(from: 0, to: end, by: blockSize).map { start in
            compressed[start..<min(end, start + blockSize)]
        }
        let counts = try Self.inflatedCounts(pieces, total: bytes.count)
        count = end
        blocks = zip(pieces, counts).map { Block(bytes: $0, inflatedCount: $1) }
    }

    private static func inflatedCounts(
        _ pieces: [ArraySlice<UInt8>], total: Int
    ) throws(FlasherError) -> [Int] {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw FlasherError(.compression, "zlib cannot begin to inflate")
        }
        defer { inflateEnd(&stream) }
        var counts: [Int] = []
        // The output is only counted.
        var sink = [UInt8](repeating: 0, count: 1 << 16)
        for piece in pieces {
            let before = Int(stream.total_out)
            var status = Z_OK
            piece.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                repeat {
                    status = sink.withUnsafeMutableBufferPointer { output in
                        stream.next_out = output.baseAddress
                        stream.avail_out = uInt(output.count)
                        return inflate(&stream, Z_SYNC_FLUSH)
                    }
                } while status == Z_OK && stream.avail_out == 0
                stream.next_in = nil
            }
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw FlasherError(.compression, "inflating what was compressed: zlib status \(status)")
            }
            counts.append(Int(stream.total_out) - before)
        }
        guard Int(stream.total_out) == total else {
            throw FlasherError(.compression, "expected \(total) bytes to inflate again, got \(stream.total_out)")
        }
        return counts
    }
}
