import CZlib
import ESPProtocol
import MonotonicTime

/// A write that FLASH_BEGIN or FLASH_DEFL_BEGIN opened in the stub, which erases ahead of the write position, and skips
/// blank sectors up to the first sector that is not blank.
struct FlashWriteSession {
    /// The announced bytes that are not written yet; negative after too much data.
    private(set) var remaining: Int
    /// The decompressor; `nil` in an uncompressed write.
    let inflater: ZlibInflater?
    /// The cipher for the written data; `nil` in a plain write.
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

/// Inflates a zlib stream in chunks, with at most one window of output at a time.
final class ZlibInflater {
    /// The compressed data are invalid.
    struct Failure: Error {
        /// True if only the Adler-32 sum at the end is wrong.
        var isChecksum: Bool
    }

    /// The output chunk, in bytes: the window of the loaders' decompressor.
    static let windowSize = 32_768

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// The output since the last full window, followed by bytes of earlier windows.
    private(set) var window: [UInt8]
    /// The number of bytes in the window that have not been emitted.
    private(set) var filled = 0

    /// The number of bytes received after the end of the stream.
    private(set) var unusedCount = 0

    /// True if the end of the stream was reached.
    private(set) var isFinished = false

    /// An inflater whose window initially has the bytes that an earlier inflater has left.
    init(window: [UInt8] = [UInt8](repeating: 0, count: windowSize)) {
        self.window = window
        stream.initialize(to: z_stream())
        // This fails only if memory is exhausted; then the first call of inflate fails, too.
        inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates the next chunk of the stream; calls `emit` with each full window and, if `emitsEnd`, with the last one,
    /// and `prepare` before each step; there is one step more than windows.
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

/// An image that a flasher has loaded into RAM: never executed, but recognised.
struct MemoryImage {
    /// The program that starts at the entry point.
    enum Program: Hashable {
        /// A flasher stub.
        case stub
        /// A program that prints this text again and again: its first text that ends with a line feed.
        case greeting(String)
        /// Any other program.
        case silent
    }

    /// The largest number of bytes kept: more than the RAM of any chip.
    private static let limit = 2 << 20
    /// Stubs are 3.3 KB and more; other programs that use the protocol contain the greeting, too.
    private static let smallestStub = 2048
    /// The first frame of a stub, as a word.
    private static let stubGreeting: UInt32 = 0x4941_484F

    private var segments: [(address: UInt32, bytes: [UInt8])] = []

    private var count: Int { segments.reduce(0) { $0 + $1.bytes.count } }

    /// Begins a segment at `address`, or continues the last one if the address is in it or at its end.
    mutating func begin(at address: UInt32) {
        if let last = segments.last, address >= last.address, Int(address - last.address) <= last.bytes.count {
            segments[segments.count - 1].bytes.removeLast(last.bytes.count - Int(address - last.address))
            return
        }
        segments.append((address, []))
    }

    /// Appends to the current segment.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard let last = segments.indices.last, count + bytes.count <= Self.limit else { return }
        segments[last].bytes += bytes
    }

    /// The word that was loaded to `address`; `nil`: no word was loaded there.
    func word(at address: UInt32) -> UInt32? {
        guard
            let segment = segments.last(where: {
                $0.address <= address && Int(address - $0.address) + 4 <= $0.bytes.count
            })
        else { return nil }
        return segment.bytes[Int(address - segment.address)...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The program that starts at `entryPoint`.
    func program(entryPoint: UInt32) -> Program {
        let entry = segments.last { $0.address <= entryPoint && Int(entryPoint - $0.address) < $0.bytes.count }
        if let entry, entry.bytes.count >= Self.smallestStub, segments.contains(where: { Self.greets($0.bytes) }) {
            return .stub
        }
        return segments.lazy.compactMap { Self.text(in: $0.bytes) }.first.map { .greeting($0) } ?? .silent
    }

    /// True if code or data contain `OHAI`: as a literal, or as operands of RISC-V code, which loads the upper 20 bits
    /// with LUI.
    private static func greets(_ bytes: [UInt8]) -> Bool {
        let literal = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: stubGreeting >> $0) }
        // The lower 12 bits are added with their sign.
        let upper = (stubGreeting + 0x800) >> 12
        return bytes.indices.dropLast(3).contains { index in
            if bytes[index] == literal[0], bytes[index..<index + 4].elementsEqual(literal) { return true }
            guard bytes[index] & 0x7F == 0x37, index.isMultiple(of: 2) else { return false }
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32($1 * 8) }
            return word >> 12 == upper
        }
    }

    /// The first text of at least four characters, a line feed and a zero byte.
    private static func text(in bytes: [UInt8]) -> String? {
        var start = 0
        for (index, byte) in bytes.enumerated() {
            if byte == 0 {
                let candidate = bytes[start..<index]
                if candidate.count > 4, candidate.last == 0x0A { return String(decoding: candidate, as: UTF8.self) }
                start = index + 1
            } else if !(0x20...0x7E).contains(byte), byte != 0x0A, byte != 0x0D, byte != 0x09 {
                start = index + 1
            }
        }
        return nil
    }
}
