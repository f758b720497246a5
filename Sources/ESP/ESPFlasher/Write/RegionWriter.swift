import ByteCodec
import ESPChips
import ESPImage
internal import ESPProtocol

/// Writes one region: finds the differing sectors, writes them in runs, verifies each run, and repeats failed runs.
struct RegionWriter {
    let flasher: Flasher
    let board: ConnectedBoard
    let region: FlashLayout.Region
    let options: WriteOptions

    /// The most failures in a row that the line does not explain, e.g. a flash that does not take the data.
    private static let attemptsWithoutFaults = 3

    private var connection: LoaderConnection { flasher.connection }
    private var canDigest: Bool { !board.isInSecureDownloadMode && !board.isFlashEncrypted }

    /// Writes the region; calls `progress` with `current`, the state of this region.
    func write(
        _ current: inout FlashProgress, _ summary: inout WriteSummary, state: inout WriteState,
        _ progress: (FlashProgress) -> Void
    ) async throws(FlasherError) {
        // Flash is written in words.
        let bytes = region.bytes + Array(repeating: 0xFF, count: (4 - region.bytes.count % 4) % 4)
        var ranges = [0..<bytes.count]
        if options.skipsUnchanged, canDigest {
            progress(current)
            ranges = try await ChangedRanges.find(
                bytes[...], at: region.offset, flasher, "comparing \(region.title)")
        }
        let changed = ranges.reduce(0) { $0 + $1.count }
        current.skipped = max(0, current.total - changed)
        current.written = current.skipped
        current.overallWritten += current.skipped
        summary.skipped += current.skipped
        if !ranges.isEmpty {
            state.begin(region.name)
            try await write(ranges, of: bytes, &current, &summary, progress)
            state.complete(region.name)
        }
        current.phase = .done
        current.overallWritten += current.total - current.written
        current.written = current.total
        progress(current)
    }

    private func write(
        _ ranges: [Range<Int>], of bytes: [UInt8], _ current: inout FlashProgress, _ summary: inout WriteSummary,
        _ progress: (FlashProgress) -> Void
    ) async throws(FlasherError) {
        var care = WriteCare()
        var queue = Array(ranges.reversed())
        var finished = current.written
        while var range = queue.popLast() {
            if range.count > care.level.runSize {
                let cut = range.lowerBound + care.level.runSize
                queue.append(cut..<range.upperBound)
                range = range.lowerBound..<cut
            }
            do throws(FlasherError) {
                try await write(range, of: bytes, care.level, after: finished, &current, progress)
                care.succeeded()
                connection.lostTime = .zero
                finished += range.count
            } catch {
                try check(error, &care)
                guard try await connection.resynchronize("writing \(region.title)") else { throw error }
                summary.restarts += 1
                current.restarts += 1
                let left = try await unfinished(range, of: bytes)
                finished += range.count - left.reduce(0) { $0 + $1.count }
                queue += left.reversed()
            }
        }
        summary.sent += current.compressedTotal
    }

    /// Throws unless another attempt is worth while.
    private func check(_ error: FlasherError, _ care: inout WriteCare) throws(FlasherError) {
        guard error.isTransient || error.code == .refused || error.code == .verifyMismatch else { throw error }
        let isExplained = flasher.lineFaults > 0
        guard care.failed(), isExplained || care.failureCount < Self.attemptsWithoutFaults else {
            guard isExplained, error.code != .refused || error.isDamagedBlock else { throw error }
            throw FlasherError(
                .noisyLine,
                "writing \(region.title): no progress in \(care.failureCount) attempts at "
                    + "\(flasher.baudRate) bits per second; check the cable, or use a lower rate", underlying: error)
        }
    }

    /// The parts of a failed run that are not in the flash yet.
    private func unfinished(_ range: Range<Int>, of bytes: [UInt8]) async throws(FlasherError) -> [Range<Int>] {
        guard canDigest else { return [range] }
        let start = range.lowerBound
        let found = try await ChangedRanges.find(
            bytes[range], at: region.offset + UInt32(start), flasher, "comparing \(region.title)")
        return found.map { $0.lowerBound + start..<$0.upperBound + start }
    }

    private func write(
        _ range: Range<Int>, of bytes: [UInt8], _ level: WriteCare.Level, after finished: Int,
        _ current: inout FlashProgress, _ progress: (FlashProgress) -> Void
    ) async throws(FlasherError) {
        let offset = region.offset + UInt32(range.lowerBound)
        let strays = connection.ledger.strayCount
        var state = current
        state.phase = .erasing
        progress(state)
        state.phase = .writing
        let former = (overall: current.overallWritten - current.written, sent: current.compressedTotal)
        let most = current.total
        defer { current = state }
        // Without a stub, compress only for ROMs whose end of a compressed write is known.
        let isKnown = board.chip.inflatesWithinRegion || board.chip == .esp32
        let run = FlashRun(
            flasher: flasher, bytes: bytes[range], offset: offset,
            acceptsEncryptedWord: board.chip.acceptsEncryptedWord,
            isCompressed: options.isCompressed && (connection.dialect == .stub || isKnown),
            writesWholeWindow: connection.dialect == .rom && !board.chip.inflatesWithinRegion, level: level,
            name: region.title)
        try await run.write { written, sent in
            // A restarted run does not move the progress back.
            state.written = max(state.written, min(most, finished + written))
            state.overallWritten = former.overall + state.written
            state.compressedTotal = former.sent + sent
            progress(state)
        }
        state.phase = .verifying
        progress(state)
        try await verify(bytes[range], at: offset, since: strays)
    }

    /// Compares the flash with a written run; `strays` is the number of unexpected answers before the run.
    private func verify(
        _ bytes: ArraySlice<UInt8>, at offset: UInt32, since strays: Int
    ) async throws(FlasherError) {
        let context = "verifying \(region.name)"
        guard canDigest else {
            if connection.dialect == .stub {
                // The stub answers a block before writing it, and reports an error of the last block at the next
                // command.
                _ = try await connection.send(ReadRegister(address: Chip.magicRegister), context)
            }
            guard try await connection.mark(context) == strays else {
                throw FlasherError(.malformedAnswer, "\(context): answers came more than once")
            }
            return
        }
        guard try await !flasher.holds(bytes, at: offset, context) else { return }
        let found = try await flasher.digest(offset, count: bytes.count, context)
        let expected = md5(bytes)
        guard found != expected else { return }
        throw FlasherError(
            .verifyMismatch,
            "\(context): expected MD5 \(Hexadecimal.string(expected)), got \(Hexadecimal.string(found)); "
                + "write again, at a lower rate if it stays")
    }
}

extension FlashLayout.Region {
    /// The names that say what a region is; all others are names of files.
    private static let kinds: Set<String> = ["application", "bootloader", "flash", "partition table"]

    /// The name within a sentence: a file's has no article.
    var title: String { Self.kinds.contains(name) ? "the \(name)" : name }
}
