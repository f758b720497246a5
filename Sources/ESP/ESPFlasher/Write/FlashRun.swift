internal import ESPProtocol

/// One run of a write: sends one begin command and the blocks; the caller verifies the run.
struct FlashRun {
    let flasher: Flasher
    /// A multiple of 4 bytes.
    let bytes: ArraySlice<UInt8>
    /// The address; the beginning of a sector.
    let offset: UInt32
    let acceptsEncryptedWord: Bool
    let isCompressed: Bool
    /// True for a ROM that may write its whole window at the end of compressed data, over what follows the region.
    let writesWholeWindow: Bool
    let level: WriteCare.Level
    /// The region in the sentences of errors, with its article if it has one.
    let name: String

    /// Called with an upper bound of the run's bytes written so far, and the number of bytes sent.
    typealias Progress = (_ written: Int, _ sent: Int) -> Void

    private var connection: LoaderConnection { flasher.connection }
    private var isROM: Bool { connection.dialect == .rom }
    private var blockSize: Int { min(level.blockSize, isROM ? Int(romBlockSize) : Self.stubBlockSize) }

    /// The size of a block sent to the stub, in bytes.
    private static let stubBlockSize = 0x4000
    /// The longest wait for the answer to a block besides the time of line, erase and program.
    private static let answerTime = Duration.seconds(1)

    /// The maximum number of unanswered requests: a ROM answers a block after writing it, and can buffer another one
    /// meanwhile; the stub answers before it writes, and then has a free buffer.
    private var window: Int { isROM && level.isOverlapped && connection.ledger.silence == .zero ? 2 : 1 }

    func write(_ progress: Progress) async throws(FlasherError) {
        let isWorthWhile = isCompressed && isROM ? try isROMWorthWhile() : true
        if level.isStepwise {
            try await writeStepwise(progress)
        } else if isCompressed, isWorthWhile {
            try await writeCompressed(progress)
        } else {
            try await writePlain(progress)
        }
    }

    // MARK: Compressed

    private func isROMWorthWhile() throws(FlasherError) -> Bool {
        // The first failure may mean that the ROM does not take the blank windows.
        guard !writesWholeWindow || (level.isOverlapped && bytes.count >= Self.leastWithWindows) else { return false }
        return try DeflateStream.isWorthWhile(bytes)
    }

    /// The bytes from which blank windows pay: a flash programs them in some 0.1 s.
    private static let leastWithWindows = 1 << 16

    /// The bytes that are compressed: for a ROM that writes its whole window, which has the remains of the window before
    /// in its unused part, the last two windows end in FF, which changes no byte of a flash.
    private var inflatedBytes: ArraySlice<UInt8> {
        guard isROM, writesWholeWindow else { return bytes }
        let rest = (Self.inflateWindow - bytes.count % Self.inflateWindow) % Self.inflateWindow
        return bytes + repeatElement(0xFF, count: rest + Self.inflateWindow)
    }

    /// The size of a loader's window of inflated bytes, which it may write only with a later block.
    private static let inflateWindow = 1 << 15

    private func writeCompressed(_ progress: Progress) async throws(FlasherError) {
        let stream = try DeflateStream(inflatedBytes, blockSize: blockSize)
        // A ROM writes the last part of its window after the announced number of blocks: compress all to count them.
        // The stub counts bytes: compress each block while others are on their way.
        let count =
            isROM ? try stream.compressAll() : DeflateStream.blockLimit(bytes.count, blockSize: blockSize)
        _ = try await connection.send(
            DeflateBegin(region(blockCount: count)), within: beginTime, "erasing \(name)")
        // The ROM of the ESP32 refuses a block that comes while it inflates another one.
        var pending = PendingBlocks<DeflateData>(
            flasher: flasher, window: writesWholeWindow ? 1 : window, name: name)
        var sequence: UInt32 = 0
        var inflated = 0
        var sent = 0
        var next = try stream.next()
        while let block = next {
            let count = block.inflatedEnd - inflated
            try await pending.send(
                DeflateData(
                    DataBlock(sequence: sequence, payload: block.bytes[...]), inflatedCount: UInt32(count)),
                within: blockTime(sent: block.bytes.count, written: count + Self.inflateWindow),
                // zlib holds input back for later blocks: this block completes only the input of the blocks before.
                completing: min(inflated, bytes.count))
            sequence += 1
            inflated = block.inflatedEnd
            sent += block.bytes.count
            // Compressed while the block is on its way.
            next = try stream.next()
            try await pending.settle()
            if next == nil { try await pending.finish() }
            progress(next == nil ? bytes.count : pending.written, sent)
        }
    }

    // MARK: Plain

    private func writePlain(_ progress: Progress) async throws(FlasherError) {
        try await beginPlain()
        var pending = PendingBlocks<FlashData>(flasher: flasher, window: window, name: name)
        var done = 0
        while done < bytes.count {
            let command = plainBlock(done)
            done += min(blockSize, bytes.count - done)
            try await pending.send(
                command, within: blockTime(sent: blockSize, written: blockSize), completing: done)
            try await pending.settle()
            if done == bytes.count { try await pending.finish() }
            progress(pending.written, done)
        }
    }

    private func beginPlain() async throws(FlasherError) {
        let context = "erasing \(name)"
        let count = (bytes.count + blockSize - 1) / blockSize
        _ = try await connection.send(FlashBegin(region(blockCount: count)), within: beginTime, context)
    }

    private func plainBlock(_ done: Int) -> FlashData {
        let start = bytes.startIndex + done
        var payload = Array(bytes[start..<min(start + blockSize, bytes.endIndex)])
        payload += Array(repeating: 0xFF, count: blockSize - payload.count)
        return FlashData(DataBlock(sequence: UInt32(done / blockSize), payload: payload[...]))
    }

    // MARK: Stepwise

    /// Sends one small block at a time, and requests a digest if a block may not have been written.
    private func writeStepwise(_ progress: Progress) async throws(FlasherError) {
        try await beginPlain()
        var done = 0
        var attempt = 0
        while done < bytes.count {
            let context = "writing \(name)"
            let end = min(done + blockSize, bytes.count)
            do throws(FlasherError) {
                _ = try await connection.send(
                    plainBlock(done), within: blockTime(sent: blockSize, written: blockSize), context)
                done = end
                attempt = 0
                connection.lostTime = .zero
                progress(done, done)
            } catch {
                attempt += 1
                // A ROM does not accept a block that it has refused once: the run is restarted.
                guard error.isTransient || (error.code == .refused && !isROM), attempt < Self.blockAttempts,
                    try await connection.resynchronize(context)
                else { throw error }
                // Also checked after a refusal: its code may be damaged.
                let start = bytes.startIndex
                if try await flasher.holds(bytes[start..<start + end], at: offset, context) {
                    done = end
                    attempt = 0
                    connection.lostTime = .zero
                }
            }
        }
    }

    private static let blockAttempts = 24

    // MARK: Times

    private func region(blockCount: Int) -> FlashWriteRegion {
        let size = UInt32(bytes.count)
        let block = UInt32(blockSize)
        return FlashWriteRegion(
            eraseSize: isROM ? (size + block - 1) / block * block : size, blockCount: UInt32(blockCount),
            blockSize: block, offset: offset, isEncrypted: isROM && !acceptsEncryptedWord ? nil : false)
    }

    /// A ROM erases all of the region before it answers.
    private var beginTime: Duration {
        let erased = isROM ? UInt32(bytes.count) : 0
        return Self.answerTime + LoaderTimeout.scaled(LoaderTimeout.writePerMegabyte, byteCount: erased)
    }

    private func blockTime(sent: Int, written: Int) -> Duration {
        Self.answerTime + connection.lineTime(2 * sent)
            + LoaderTimeout.writePerMegabyte * (written + Self.stubBlockSize) / 1_000_000
    }
}

/// Blocks that were sent and are not answered yet.
private struct PendingBlocks<Command: LoaderCommand> where Command.Reply == EmptyReply {
    let flasher: Flasher
    /// The maximum number of unanswered blocks.
    let window: Int
    let name: String
    private var blocks: [(wait: Duration, end: Int)] = []
    /// The number of bytes that the answered blocks complete.
    private(set) var written = 0

    init(flasher: Flasher, window: Int, name: String) {
        self.flasher = flasher
        self.window = window
        self.name = name
    }

    /// Sends a block, which completes the first `end` bytes.
    mutating func send(_ command: Command, within wait: Duration, completing end: Int) async throws(FlasherError) {
        if blocks.isEmpty { try await flasher.connection.settle("writing \(name)") }
        try await flasher.connection.transmit(command, "writing \(name)")
        blocks.append((wait, end))
    }

    /// Waits until another block may be sent.
    mutating func settle() async throws(FlasherError) {
        while blocks.count >= window { try await takeFirst() }
    }

    /// Waits for all answers.
    mutating func finish() async throws(FlasherError) {
        while !blocks.isEmpty { try await takeFirst() }
    }

    private mutating func takeFirst() async throws(FlasherError) {
        // The loader may have to write all blocks in flight first.
        let wait = blocks.reduce(.zero) { $0 + $1.wait }
        let end = blocks.removeFirst().end
        _ = try await flasher.connection.answer(to: Command.self, within: wait, "writing \(name)")
        written = end
    }
}
