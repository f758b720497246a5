import Crypto
import ESPChips
public import ESPImage
internal import ESPProtocol

extension Flasher {
    /// Reads `range` of the flash; the returned bytes have been compared with digests that the chip computed.
    ///
    /// - Throws: ``FlasherError``, as ``read(_:of:into:progress:)``.
    public func read(
        _ range: Range<UInt64>, of board: ConnectedBoard, progress: (Int) -> Void = { _ in }
    ) async throws(FlasherError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        try await read(range, of: board, into: { result += $0 }, progress: progress)
        return result
    }

    /// Reads `range` of the flash in pieces, in order, each verified by a digest before it is delivered.
    ///
    /// After a fault of the line a piece is read again, with shorter packets.
    ///
    /// - Parameters:
    ///   - range: the addresses to read.
    ///   - board: the board returned by ``identify()``.
    ///   - sink: receives each piece, at most 256 KB.
    ///   - progress: called with the number of bytes read so far.
    /// - Throws: ``FlasherError`` with code `beyondEnd`, `secureDownload`, `readMismatch` when a piece stays damaged,
    ///   `noisyLine` when faults leave too little progress, or the error of a command.
    public func read(
        _ range: Range<UInt64>, of board: ConnectedBoard, into sink: ([UInt8]) -> Void,
        progress: (Int) -> Void = { _ in }
    ) async throws(FlasherError) {
        let place = "reading 0x\(String(range.lowerBound, radix: 16)) to 0x\(String(range.upperBound, radix: 16))"
        try checkBounds(range, place, of: board)
        try board.checkPermits(place)
        var start = range.lowerBound
        var care = ReadCare()
        var pace = ReadPace(self)
        while start < range.upperBound {
            let count = Int(min(range.upperBound - start, UInt64(care.pieceSize)))
            let done = Int(start - range.lowerBound)
            var arrived = 0
            do throws(FlasherError) {
                let strays = connection.ledger.strayCount
                let piece = try await readPiece(UInt32(start), count, care, place) { progress(done + $0) }
                guard try await connection.mark(place) == strays else { throw Self.readMismatch(place) }
                sink(piece)
                start += UInt64(count)
                arrived = count
                care.succeeded()
                connection.lostTime = .zero
            } catch {
                guard error.isTransient || error.code == .readMismatch || error.code == .refused, care.failed(),
                    try await connection.resynchronize(place)
                else { throw error }
            }
            if start < range.upperBound { try pace.advance(arrived, left: Int(range.upperBound - start), place) }
        }
    }

    private func readPiece(
        _ offset: UInt32, _ count: Int, _ care: ReadCare, _ context: String, progress: (Int) -> Void
    ) async throws(FlasherError) -> [UInt8] {
        switch dialect {
        case .stub: try await readStream(offset, count, packetSize: care.packetSize, context, progress)
        case .rom: try await readSlowly(offset, count, context, progress)
        }
    }

    /// READ_FLASH: each packet is acknowledged. The stub sends one packet at a time, even if more may be in flight.
    private func readStream(
        _ offset: UInt32, _ count: Int, packetSize: Int, _ context: String, _ progress: (Int) -> Void
    ) async throws(FlasherError) -> [UInt8] {
        let command = ReadFlash(
            offset: offset, count: UInt32(count), packetSize: UInt32(packetSize), maximumInFlight: 1)
        _ = try await connection.send(command, context)
        let wait = Self.packetTime + connection.lineTime(packetSize * 2)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            guard let packet = try await connection.frame(within: wait, context) else {
                throw FlasherError(.timeout, "\(context): no packet of the flash within \(wait)")
            }
            guard packet.count == min(packetSize, count - bytes.count) else {
                connection.noteStray(packet)
                throw FlasherError(
                    .malformedAnswer, "\(context): expected a packet of \(packetSize) bytes, got \(packet.count)")
            }
            bytes += packet
            let total = UInt32(bytes.count)
            if connection.ledger.silence > .zero { try await connection.settle(context) }
            try await connection.transmit(frame: total.bytes.reversed(), context)
            progress(bytes.count)
        }
        guard let found = try await connection.frame(within: wait, context) else {
            throw FlasherError(.timeout, "\(context): no digest after the packets within \(wait)")
        }
        guard found == md5(bytes[...]) else { throw Self.readMismatch(context) }
        // Requests carry no checksum: on a line with faults, the received data may come from another address.
        if lineFaults > 0, try await !holds(bytes[...], at: offset, context) {
            throw Self.readMismatch(context)
        }
        return bytes
    }

    /// READ_FLASH_SLOW, 64 bytes at a time; sends the next request before it reads the answer, to keep the line busy.
    private func readSlowly(
        _ offset: UInt32, _ count: Int, _ context: String, _ progress: (Int) -> Void
    ) async throws(FlasherError) -> [UInt8] {
        let step = ReadFlashSlow.replyLength
        func request(_ done: Int) async throws(FlasherError) {
            let size = UInt32(min(step, count - done))
            try await connection.transmit(ReadFlashSlow(offset: offset + UInt32(done), count: size), context)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var requested = 0
        let inFlight = connection.ledger.silence > .zero ? 1 : Self.slowReadsInFlight
        while bytes.count < count {
            while requested < count, requested - bytes.count < inFlight * step {
                if connection.ledger.silence > .zero { try await connection.settle(context) }
                try await request(requested)
                requested += min(step, count - requested)
            }
            let reply = try await connection.answer(
                to: ReadFlashSlow.self, within: Self.packetTime + connection.lineTime(step * 4), context)
            bytes += reply.bytes.prefix(min(step, count - bytes.count))
            if bytes.count % 1024 == 0 || bytes.count == count { progress(bytes.count) }
        }
        guard try await digest(offset, count: count, context) == md5(bytes[...]) else {
            throw Self.readMismatch(context)
        }
        return bytes
    }

    private static func readMismatch(_ context: String) -> FlasherError {
        FlasherError(.readMismatch, "\(context): the data received differ from the chip's digest of its flash")
    }

    private static let packetTime = Duration.seconds(1)
    private static let slowReadsInFlight = 2
}

/// The sizes for reading a region: after faults, smaller pieces and packets.
private struct ReadCare {
    /// Sizes of pieces and packets, in bytes.
    private static let levels = [(1 << 18, 4096), (1 << 16, 1024), (1 << 12, 512), (1 << 9, 256), (1 << 7, 128)]
    private static let attempts = 40
    private static let successesPerLevel = 16

    private var level = 0
    private var failures = 0
    private var successes = 0

    var pieceSize: Int { Self.levels[level].0 }
    var packetSize: Int { Self.levels[level].1 }

    mutating func succeeded() {
        failures = 0
        successes += 1
        guard level > 0, successes >= Self.successesPerLevel else { return }
        level -= 1
        successes = 0
    }

    /// Returns true if another attempt is worthwhile.
    mutating func failed() -> Bool {
        failures += 1
        successes = 0
        level = min(level + 1, Self.levels.count - 1)
        return failures < Self.attempts
    }
}

extension Flasher {
    /// The MD5 digest, 16 bytes, of `range` of the flash, computed by the chip.
    ///
    /// - Throws: ``FlasherError`` with code `beyondEnd`, `secureDownload`, or the error of the command.
    public func digest(_ range: Range<UInt64>, of board: ConnectedBoard) async throws(FlasherError) -> [UInt8] {
        let place = "digest of 0x\(String(range.lowerBound, radix: 16)) to 0x\(String(range.upperBound, radix: 16))"
        try checkBounds(range, place, of: board)
        try board.checkPermits(place)
        return try await confirmed(place) { () throws(FlasherError) in
            try await digest(UInt32(range.lowerBound), count: range.count, place)
        }
    }

    func digest(_ offset: UInt32, count: Int, _ context: String) async throws(FlasherError) -> [UInt8] {
        Array(try await connection.query(FlashMD5(address: offset, size: UInt32(count)), context).digest)
    }

    /// True if the flash at `offset` contains `bytes`.
    ///
    /// A line fault can turn a match into a mismatch, but not the reverse: a mismatch is checked with another digest.
    func holds(
        _ bytes: ArraySlice<UInt8>, at offset: UInt32, _ context: String
    ) async throws(FlasherError) -> Bool {
        let expected = md5(bytes)
        for _ in 0..<(lineFaults > 0 ? 3 : 1) {
            if try await digest(offset, count: bytes.count, context) == expected { return true }
        }
        return false
    }
}

/// The MD5 digest of `bytes`.
func md5(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var md5 = Insecure.MD5()
    bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
    return Array(md5.finalize())
}

/// Detects a line on which faults leave so little progress that the transfer would take too long. A line that is slow
/// without faults does not count.
struct ReadPace {
    /// The time after which the progress is judged.
    private static let period = Duration.seconds(30)
    private static let leastBytes = 512
    /// The same limit for a line that repeats answers: each request waits for silence, and the line does not improve.
    private static let leastBytesWithRepeats = 1 << 14
    /// The number of further periods granted to a line that repeats answers.
    private static let periodsLeft = 4
    /// The minimum number of faults in a period; with fewer faults, the line itself is slow.
    private static let leastFaults = 8

    private let flasher: Flasher
    private let stopwatch: Stopwatch
    private let faults: Int
    private let strays: Int
    private var bytes = 0

    init(_ flasher: Flasher) {
        self.flasher = flasher
        stopwatch = Stopwatch(flasher.connection.clock)
        faults = flasher.lineFaults
        strays = flasher.connection.ledger.strayCount
    }

    /// Records `count` more bytes read, 0 for a failed attempt; `left` bytes remain.
    ///
    /// - Throws: ``FlasherError`` with code `noisyLine` when the progress is too slow.
    mutating func advance(_ count: Int, left: Int, _ context: String) throws(FlasherError) {
        bytes += count
        let elapsed = stopwatch.elapsed
        guard elapsed >= Self.period else { return }
        let newFaults = flasher.lineFaults - faults
        let isRepeating = flasher.connection.ledger.strayCount - strays >= Self.leastFaults
        let isTooSlow =
            bytes < Self.leastBytes
            || (isRepeating && bytes < Self.leastBytesWithRepeats && left / Self.periodsLeft > bytes)
        guard newFaults < Self.leastFaults || !isTooSlow else {
            throw FlasherError(
                .noisyLine,
                "\(context): only \(bytes) bytes came in \(elapsed.components.seconds) s, with \(newFaults) answers "
                    + "that were lost, damaged or came twice; is another program using the port? Check the cable, or "
                    + "use a lower rate")
        }
        self = ReadPace(flasher)
    }
}

extension Flasher {
    /// Loads an image into RAM and runs it; the loader then ends. ``unreadOutput`` then contains the image's first
    /// output.
    ///
    /// - Parameter image: an image whose segments all lie in the chip's RAM.
    /// - Throws: ``FlasherError`` with code `wrongChip`, `notInRAM` when a segment is not in the chip's RAM,
    ///   `stubRunning` when a stub runs, which the program may overwrite, `secureDownload`, or the error of a command.
    public func runInRAM(_ image: FirmwareImage, on board: ConnectedBoard) async throws(FlasherError) {
        let context = "loading the program into RAM"
        try board.checkPermits(context)
        guard image.header.chipID == board.chip.id else {
            let other = Chip.withID(image.header.chipID)?.name ?? "chip id \(image.header.chipID)"
            throw FlasherError(.wrongChip, "\(context): expected one for the \(board.chip.name), got one for \(other)")
        }
        guard dialect == .rom else {
            throw FlasherError(
                .stubRunning, "\(context): expected the loader in ROM, got a stub, which the program may overwrite")
        }
        for segment in image.segments where !board.chip.memory.hasRAM(segment.data.count, at: segment.address) {
            throw FlasherError(
                .notInRAM,
                "\(context): expected segments in RAM, got \(segment.data.count) bytes at "
                    + "0x\(String(segment.address, radix: 16))")
        }
        for segment in image.segments { try await load(Array(segment.data), at: segment.address, context) }
        let end = MemoryEnd(entryPoint: image.header.entryPoint)
        unreadOutput = try await connection.sendLast(end, within: .milliseconds(500), "starting the program")
    }
}
