import ESPChips
internal import ESPProtocol

extension Flasher {
    /// Erases the whole flash. Without the stub, erases block by block.
    ///
    /// - Throws: ``FlasherError``; its flash state is then incomplete.
    public func eraseFlash(of board: ConnectedBoard) async throws(FlasherError) {
        guard dialect == .rom else {
            do throws(FlasherError) {
                try await confirmed("erasing the flash") { () throws(FlasherError) in
                    _ = try await connection.query(EraseFlash(), "erasing the flash")
                }
            } catch {
                throw error.leaving("whole flash")
            }
            return
        }
        guard let size = board.flashSize, size <= 1 << 32 else {
            throw FlasherError(
                .unsupported, "erasing the flash: its size is not known; the loader in ROM erases only regions")
        }
        try await erase(0..<size, of: board)
    }

    /// Erases the sectors in `range` of addresses, which begins and ends at multiples of 4096.
    ///
    /// - Parameter progress: called with the number of bytes erased so far.
    /// - Throws: ``FlasherError`` with code `misaligned` or `beyondEnd` before anything is erased, or the error of a
    ///   command; the flash state is then incomplete.
    public func erase(
        _ range: Range<UInt64>, of board: ConnectedBoard, progress: (Int) -> Void = { _ in }
    ) async throws(FlasherError) {
        let place = try checkErase(range, of: board)
        var start = range.lowerBound
        while start < range.upperBound {
            let size = min(range.upperBound - start, Self.erasePiece - start % Self.erasePiece)
            do throws(FlasherError) {
                try await confirmed(place) { () throws(FlasherError) in
                    try await erasePiece(UInt32(start), UInt32(size), of: board, place)
                }
            } catch {
                throw error.leaving("region at 0x\(String(range.lowerBound, radix: 16))")
            }
            start += size
            progress(Int(start - range.lowerBound))
        }
    }

    /// Checks a range before it is erased.
    ///
    /// - Returns: a description of the range, for messages.
    /// - Throws: ``FlasherError`` with code `misaligned` or `beyondEnd`.
    @discardableResult
    public func checkErase(_ range: Range<UInt64>, of board: ConnectedBoard) throws(FlasherError) -> String {
        let sector: UInt64 = 0x1000
        let place = "erasing 0x\(String(range.lowerBound, radix: 16)) to 0x\(String(range.upperBound, radix: 16))"
        guard range.lowerBound % sector == 0, range.upperBound % sector == 0 else {
            throw FlasherError(.misaligned, "\(place): expected addresses that are multiples of 0x1000")
        }
        try checkBounds(range, place, of: board)
        return place
    }

    /// The number of bytes erased by one command: short enough for progress and time-outs, whole blocks of 64 KB.
    private static let erasePiece: UInt64 = 0x10_0000

    private func erasePiece(
        _ offset: UInt32, _ size: UInt32, of board: ConnectedBoard, _ context: String
    ) async throws(FlasherError) {
        switch dialect {
        case .stub:
            _ = try await connection.query(EraseRegion(offset: offset, size: size), context)
        case .rom:
            // The ROM has no erase command; FLASH_BEGIN erases.
            let begin = FlashWriteRegion(
                eraseSize: size, blockCount: size / romBlockSize, blockSize: romBlockSize, offset: offset,
                isEncrypted: board.chip.acceptsEncryptedWord ? false : nil)
            _ = try await connection.query(FlashBegin(begin), context)
        }
    }

    /// Throws `beyondEnd` unless `range` lies in the flash.
    func checkBounds(_ range: Range<UInt64>, _ place: String, of board: ConnectedBoard) throws(FlasherError) {
        let size = board.flashSize ?? 1 << 32
        guard range.upperBound <= size else {
            throw FlasherError(
                .beyondEnd,
                "\(place): expected an end within the flash of \(size) bytes, "
                    + "got 0x\(String(range.upperBound, radix: 16))")
        }
    }
}

extension FlasherError {
    /// A copy of the error that reports `region` as incomplete.
    func leaving(_ region: String) -> FlasherError {
        var result = self
        result.flashState = .incomplete([region])
        return result
    }
}
