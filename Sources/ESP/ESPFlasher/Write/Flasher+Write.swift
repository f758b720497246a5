import ByteCodec
import ESPChips
public import ESPImage
import ESPProtocol

extension Flasher {
    /// Writes all regions of `layout`: what differs from the flash is erased, written, and compared by its digest.
    ///
    /// Everything that can be validated beforehand is validated before the first erase. The regions are written by
    /// address: bootloader and partition table are short and come first, so that a board whose application was
    /// interrupted says so at boot. After a fault of the line only what is not verified yet is begun anew, more
    /// carefully each time.
    ///
    /// - Parameters:
    ///   - layout: what to write; regions begin at sectors.
    ///   - board: what ``identify()`` returned.
    ///   - options: what is skipped, compressed and validated.
    ///   - progress: called after each step, on the caller's executor.
    /// - Returns: what was written and skipped.
    /// - Throws: ``FlasherError``: a layout that ``FlashPlan`` rejects, `encryptedFlash`, `verifyMismatch`, `noisyLine`,
    ///   or one of a command. Its `flashState` says whether the flash is unchanged or what must be written again.
    @discardableResult
    public func write(
        _ layout: FlashLayout, to board: ConnectedBoard, options: WriteOptions = WriteOptions(),
        progress: (FlashProgress) -> Void = { _ in }
    ) async throws(FlasherError) -> WriteSummary {
        var summary = WriteSummary()
        summary.isVerified = !board.isInSecureDownloadMode
        try Self.check(layout, for: board, options: options)
        summary.total = layout.regions.reduce(0) { $0 + $1.bytes.count }
        let regions = layout.regions.filter { !$0.bytes.isEmpty }
        var state = WriteState()
        for _ in 0..<Self.passes {
            let former = (summary.restarts, strays: connection.ledger.strayCount)
            try await write(regions, to: board, options, &summary, &state, progress)
            do throws(FlasherError) {
                let strays = try await connection.mark("verifying")
                // Requests carry no checksum, answers no number: a damaged request may have reached a region that was
                // verified before, and a digest may be that of another one.
                guard summary.restarts > former.0 || strays > former.strays, summary.isVerified, !board.isFlashEncrypted
                else { return summary }
                if try await areIntact(regions) { return summary }
            } catch {
                throw error.with(state.isChanging ? .incomplete(regions.map(\.name)) : .unchanged)
            }
        }
        throw FlasherError(
            .noisyLine, "writing: regions that were verified do not stay; check the cable, or use a lower rate",
            flashState: .incomplete(regions.map(\.name)))
    }

    private static let passes = 3

    private func areIntact(_ regions: [FlashLayout.Region]) async throws(FlasherError) -> Bool {
        try await confirmed("verifying") { () throws(FlasherError) in
            for region in regions {
                let context = "verifying \(region.name)"
                guard try await holds(region.bytes[...], at: region.offset, context) else { return false }
            }
            return true
        }
    }

    private func write(
        _ regions: [FlashLayout.Region], to board: ConnectedBoard, _ options: WriteOptions,
        _ summary: inout WriteSummary, _ state: inout WriteState, _ progress: (FlashProgress) -> Void
    ) async throws(FlasherError) {
        var written = 0
        summary.skipped = 0
        for (index, region) in regions.enumerated() {
            var current = FlashProgress(
                region: region.name, offset: region.offset, phase: .comparing, written: 0, total: region.bytes.count,
                compressedTotal: 0, overallWritten: written, overallTotal: summary.total)
            do throws(FlasherError) {
                let writer = RegionWriter(flasher: self, board: board, region: region, options: options)
                try await writer.write(&current, &summary, state: &state, progress)
            } catch {
                // Those that were not begun may not fit to those that are new.
                for rest in regions[index...] where state.isChanging { state.begin(rest.name) }
                throw error.with(state.isChanging ? .incomplete(state.incomplete) : .unchanged)
            }
            written += region.bytes.count
        }
    }

    /// Compares the flash with all regions of `layout`, by digests.
    ///
    /// - Returns: the regions that differ, each with the ranges of addresses; empty when all are the same.
    /// - Throws: ``FlasherError`` with code `beyondEnd`, `secureDownload`, or one of a command.
    public func verify(
        _ layout: FlashLayout, on board: ConnectedBoard, progress: (FlashProgress) -> Void = { _ in }
    ) async throws(FlasherError) -> [FlashDifference] {
        let total = layout.regions.reduce(0) { $0 + $1.bytes.count }
        var result: [FlashDifference] = []
        var done = 0
        for region in layout.regions where !region.bytes.isEmpty {
            let context = "verifying \(region.name)"
            try checkBounds(UInt64(region.offset)..<region.end, context, of: board)
            try board.checkPermits(context)
            var state = FlashProgress(
                region: region.name, offset: region.offset, phase: .verifying, written: 0, total: region.bytes.count,
                compressedTotal: 0, overallWritten: done, overallTotal: total)
            progress(state)
            let ranges = try await confirmed(context) { () throws(FlasherError) in
                try await ChangedRanges.find(region.bytes[...], at: region.offset, self, context)
            }
            if !ranges.isEmpty {
                let base = UInt64(region.offset)
                result.append(
                    FlashDifference(
                        region: region.name,
                        ranges: ranges.map { base + UInt64($0.lowerBound)..<base + UInt64($0.upperBound) }))
            }
            done += region.bytes.count
            state.phase = .done
            state.written = region.bytes.count
            state.overallWritten = done
            progress(state)
        }
        return result
    }
}

/// A region whose flash differs from the data.
public struct FlashDifference: Hashable, Sendable {
    /// The region's name.
    public var region: String
    /// Ranges of addresses, in order, that hold all differences; some of their sectors may be the same.
    public var ranges: [Range<UInt64>]
}

/// What is erased and not written again yet.
struct WriteState {
    /// Whether anything was erased or written.
    private(set) var isChanging = false
    /// Names of the regions that are not complete.
    private(set) var incomplete: [String] = []

    mutating func begin(_ region: String) {
        isChanging = true
        if !incomplete.contains(region) { incomplete.append(region) }
    }

    mutating func complete(_ region: String) { incomplete.removeAll { $0 == region } }
}

extension FlasherError {
    /// The same error, with the state of the flash.
    func with(_ state: FlashState) -> FlasherError {
        var result = self
        result.flashState = state
        return result
    }
}
