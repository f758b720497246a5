import ByteCodec
import Crypto
import ESPChips
public import ESPImage
import ESPProtocol

extension Flasher {
    /// Writes all regions of `layout`, each erased, written compressed and then compared by its digest.
    ///
    /// Everything that can be validated beforehand is validated before the first erase.
    ///
    /// - Parameters:
    ///   - layout: what to write; regions begin at sectors.
    ///   - board: what ``identify()`` returned.
    ///   - progress: called after each step, on the caller's executor.
    /// - Throws: ``FlasherError``: a layout that ``FlashPlan`` rejects, a command that failed three times, or
    ///   `verifyMismatch`.
    public func write(
        _ layout: FlashLayout, to board: ConnectedBoard, progress: (FlashProgress) -> Void = { _ in }
    ) async throws(FlasherError) {
        try FlashPlan.check(layout, for: board)
        let total = layout.regions.reduce(0) { $0 + $1.bytes.count }
        var written = 0
        for region in layout.regions where !region.bytes.isEmpty {
            var state = FlashProgress(
                region: region.name, offset: region.offset, phase: .erasing, written: 0, total: region.bytes.count,
                compressedTotal: 0, overallWritten: written, overallTotal: total)
            try await write(region, to: board, state: &state, progress)
            written += region.bytes.count
        }
    }

    private func write(
        _ region: FlashLayout.Region, to board: ConnectedBoard, state: inout FlashProgress,
        _ progress: (FlashProgress) -> Void
    ) async throws(FlasherError) {
        // Flash is written in words.
        let bytes = region.bytes + Array(repeating: 0xFF, count: (4 - region.bytes.count % 4) % 4)
        let isROM = connection.dialect == .rom
        let blockSize = isROM ? romBlockSize : stubBlockSize
        let data = try DeflatedData(bytes, blockSize: Int(blockSize))
        let before = state.overallWritten
        state.compressedTotal = data.count
        progress(state)

        let size = UInt32(bytes.count)
        let begin = FlashWriteRegion(
            eraseSize: isROM ? (size + blockSize - 1) / blockSize * blockSize : size,
            blockCount: UInt32(data.blocks.count), blockSize: blockSize, offset: region.offset,
            isEncrypted: isROM && !board.chip.acceptsEncryptedWord ? nil : false)
        _ = try await connection.send(DeflateBegin(begin), "erasing the \(region.name)")

        state.phase = .writing
        for (index, block) in data.blocks.enumerated() {
            let command = DeflateData(
                DataBlock(sequence: UInt32(index), payload: block.bytes), inflatedCount: UInt32(block.inflatedCount))
            try await send(command, "writing the \(region.name), block \(index + 1) of \(data.blocks.count)")
            state.written = min(state.total, state.written + block.inflatedCount)
            state.overallWritten = before + state.written
            progress(state)
        }
        if !isROM {
            // The stub answers a block before it has written it; this command waits for the last write, and returns its
            // error.
            _ = try await read(Chip.magicRegister)
        }

        state.phase = .verifying
        progress(state)
        try await verify(bytes, of: region)
        state.phase = .done
        progress(state)
    }

    /// Sends a block; repeats it when it arrived damaged or got no answer.
    private func send(_ block: DeflateData, _ context: String) async throws(FlasherError) {
        for attempt in 1... {
            do throws(FlasherError) {
                _ = try await connection.send(block, context)
                return
            } catch  where attempt < Self.blockAttempts && Self.isRetryable(error) {
                try await connection.discardInput(context)
            }
        }
    }

    private static func isRetryable(_ error: FlasherError) -> Bool {
        switch error.code {
        case .timeout, .malformedAnswer: true
        case .refused:
            [LoaderErrorCode.invalidMessage, .invalidChecksum, .stubChecksum, .stubLength].contains {
                $0 == error.underlying as? LoaderErrorCode
            }
        default: false
        }
    }

    private func verify(_ bytes: [UInt8], of region: FlashLayout.Region) async throws(FlasherError) {
        let context = "verifying the \(region.name)"
        let command = FlashMD5(address: region.offset, size: UInt32(bytes.count))
        let found = try await connection.send(command, context).digest
        var md5 = Insecure.MD5()
        bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
        let expected = Array(md5.finalize())
        guard found.elementsEqual(expected) else {
            throw FlasherError(
                .verifyMismatch,
                "\(context): expected MD5 \(Hexadecimal.string(expected)), got \(Hexadecimal.string(found)); "
                    + "write again, at a lower rate if it stays")
        }
    }
}

/// The size of a block sent to the stub, in bytes.
private let stubBlockSize: UInt32 = 0x4000
