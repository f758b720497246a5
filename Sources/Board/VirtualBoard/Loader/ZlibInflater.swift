import CZlib

/// Inflates a zlib stream in chunks, with at most one window of output at a time.
final class ZlibInflater {
    /// The compressed bytes are broken.
    struct Failure: Error {
        /// True if only the Adler-32 sum at the end is wrong.
        var isChecksum: Bool
    }

    /// The output chunk, in bytes: the window of the loaders' decompressor.
    static let windowSize = 32_768

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// The output since the last full window, and behind it what earlier windows have left.
    private(set) var window: [UInt8]
    /// The number of bytes in the window that have not been emitted.
    private(set) var filled = 0

    /// The number of bytes that have come behind the end of the stream.
    private(set) var unusedCount = 0

    /// Whether the end of the stream was reached.
    private(set) var isFinished = false

    /// An inflater whose window holds what an earlier one has left there.
    init(window: [UInt8] = [UInt8](repeating: 0, count: windowSize)) {
        self.window = window
        stream.initialize(to: z_stream())
        // Fails only without memory; then the first inflate fails too.
        inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates the next chunk of the stream; calls `emit` with each full window and, if `emitsEnd`, with the last one, and
    /// `prepare` before each step, of which there is one more than windows.
    func inflate<Problem: Error>(
        _ input: ArraySlice<UInt8>, emitsEnd: Bool = true, prepare: () throws(Problem) -> Void = {},
        emit: (ArraySlice<UInt8>) throws(Problem) -> Void
    ) throws {
        var rest = input
        while !isFinished {
            if !rest.isEmpty { try prepare() }
            let (status, used, made) = step(rest)
            rest = rest.dropFirst(used)
            filled += made
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw Failure(isChecksum: stream.pointee.msg.map { String(cString: $0) } == "incorrect data check")
            }
            isFinished = status == Z_STREAM_END
            if isFinished && emitsEnd || filled == Self.windowSize {
                defer { filled = 0 }
                try emit(window[..<filled])
            }
            if rest.isEmpty, made == 0 || filled > 0 { return }
        }
        unusedCount += rest.count
    }

    private func step(_ input: ArraySlice<UInt8>) -> (status: Int32, used: Int, made: Int) {
        let room = Self.windowSize - filled
        return input.withUnsafeBufferPointer { source in
            window.withUnsafeMutableBufferPointer { target in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = target.baseAddress?.advanced(by: filled)
                stream.pointee.avail_out = UInt32(room)
                let status = CZlib.inflate(stream, Z_NO_FLUSH)
                return (status, source.count - Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out))
            }
        }
    }
}
