import ByteCodec
import ESPChips
public import ESPImage
internal import ESPProtocol

extension Flasher {
    /// Writes all regions of `layout`: changed sectors are erased, written, and compared by digest.
    ///
    /// Everything that can be validated beforehand is validated before the first erase. The regions are written in the
    /// order of their addresses: bootloader and partition table are short and come first, so that the bootloader
    /// reports an incompletely written application at boot. After a fault of the line, only unverified parts are
    /// written again, each time in smaller runs and blocks.
    ///
    /// - Parameters:
    ///   - layout: the regions to write; each begins at a sector.
    ///   - board: the board returned by ``identify()``.
    ///   - options: the choice of skipping, compressing and validating data.
    ///   - progress: called after each step, on the caller's executor.
    /// - Returns: a summary of the written and skipped bytes.
    /// - Throws: ``FlasherError``: a layout that ``FlashPlan`` rejects, `encryptedFlash`, `verifyMismatch`,
    ///   `noisyLine`, or the error of a command. Its `flashState` is `unchanged`, or names the regions that must be
    ///   written again.
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
                // Requests carry no checksum, and answers no number: a damaged request may have changed a verified
                // region, and a digest may belong to another region.
                guard summary.restarts > former.0 || strays > former.strays, summary.isVerified, !board.isFlashEncrypted
                else { return summary }
                if try await areIntact(regions) { return summary }
            } catch {
                throw error.with(state.isChanging ? .incomplete(regions.map(\.name)) : .unchanged)
            }
        }
        throw FlasherError(
            .noisyLine, "writing: verified regions no longer match; check the cable, or use a lower rate",
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
                // Regions not yet written may not match the newly written ones.
                for rest in regions[index...] where state.isChanging { state.begin(rest.name) }
                throw error.with(state.isChanging ? .incomplete(state.incomplete) : .unchanged)
            }
            written += region.bytes.count
        }
    }

    /// Compares the flash with all regions of `layout`, by digests.
    ///
    /// - Returns: the regions that differ, each with the ranges of addresses; empty when all are the same.
    /// - Throws: ``FlasherError`` with code `beyondEnd`, `secureDownload`, or the error of a command.
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
    /// Address ranges, in order, that cover all differences; they may include equal sectors.
    public var ranges: [Range<UInt64>]
}

/// The regions that have been erased and not written completely.
struct WriteState {
    /// True if anything was erased or written.
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
    /// A copy of the error with the state of the flash.
    func with(_ state: FlashState) -> FlasherError {
        var result = self
        result.flashState = state
        return result
    }
}

/// Options for writing a layout.
public struct WriteOptions: Hashable, Sendable {
    /// True to skip sectors that already contain the data; found by digests.
    public var skipsUnchanged: Bool
    /// True to send compressed data where that is faster.
    public var isCompressed: Bool
    /// True to validate images (chip, checksum, hash) before anything is erased; false for raw data.
    public var validatesImages: Bool
    /// True to allow plain data on a chip that encrypts its flash; the chip cannot boot them.
    public var allowsPlainOnEncrypted: Bool

    /// Settings; by default everything that is safe and fast.
    public init(
        skipsUnchanged: Bool = true, isCompressed: Bool = true, validatesImages: Bool = true,
        allowsPlainOnEncrypted: Bool = false
    ) {
        self.skipsUnchanged = skipsUnchanged
        self.isCompressed = isCompressed
        self.validatesImages = validatesImages
        self.allowsPlainOnEncrypted = allowsPlainOnEncrypted
    }
}

/// The result of a write.
public struct WriteSummary: Hashable, Sendable {
    /// The number of bytes of all regions.
    public var total = 0
    /// The number of bytes skipped because the flash already contained them.
    public var skipped = 0
    /// The number of data bytes sent, after compression; includes bytes sent again.
    public var sent = 0
    /// The number of times that part of a region was restarted because of a fault of the line.
    public var restarts = 0
    /// True if the content was compared with a digest; not possible in secure download mode.
    public var isVerified = true
}

/// The progress of a write; for progress bars.
public struct FlashProgress: Hashable, Sendable {
    /// The phases of writing a region.
    public enum Phase: String, Hashable, Sendable {
        /// The content is being compared, to skip what is unchanged.
        case comparing
        /// The sectors are being erased.
        case erasing
        /// Blocks are being written.
        case writing
        /// The digest is being compared.
        case verifying
        /// The region is written and verified.
        case done
    }

    /// The name of the region.
    public var region: String
    /// Its first address.
    public var offset: UInt32
    /// The current phase.
    public var phase: Phase
    /// The number of bytes of the region that are written, or were unchanged, so far.
    public var written: Int
    /// Bytes of the region.
    public var total: Int
    /// The number of unchanged bytes, which are not written.
    public var skipped = 0
    /// The number of bytes sent for the region so far, compressed.
    public var compressedTotal: Int
    /// Bytes written of all regions.
    public var overallWritten: Int
    /// Bytes of all regions.
    public var overallTotal: Int
    /// The number of times that part of the region was restarted because of a fault of the line.
    public var restarts = 0
}

/// The sizes for writing a region: after faults of the line, shorter runs and smaller blocks.
struct WriteCare {
    /// One degree of care.
    struct Level {
        /// The longest run, in bytes: the data that are begun, written and verified together.
        let runSize: Int
        /// The largest block, in bytes; the loader may limit it further.
        let blockSize: Int
        /// True to send the next block before the last answer, if the loader has a buffer for it.
        let isOverlapped: Bool
        /// True to resolve each lost answer by a digest instead of a restarted run; data are then uncompressed.
        let isStepwise: Bool
    }

    private static let levels = [
        Level(runSize: 1 << 24, blockSize: 0x4000, isOverlapped: true, isStepwise: false),
        Level(runSize: 1 << 16, blockSize: 0x4000, isOverlapped: false, isStepwise: false),
        Level(runSize: 1 << 14, blockSize: 0x1000, isOverlapped: false, isStepwise: false),
        Level(runSize: 1 << 12, blockSize: 0x400, isOverlapped: false, isStepwise: false),
        Level(runSize: 1 << 12, blockSize: 0x100, isOverlapped: false, isStepwise: true),
    ]
    private static let attempts = 16
    private static let successesPerLevel = 8

    private var index = 0
    private var failures = 0
    private var successes = 0

    var level: Level { Self.levels[index] }
    /// The number of failures since the last success.
    var failureCount: Int { failures }

    mutating func succeeded() {
        failures = 0
        successes += 1
        // The first level is for lines without faults.
        guard index > 1, successes >= Self.successesPerLevel else { return }
        index -= 1
        successes = 0
    }

    /// Returns true if another attempt is worthwhile.
    mutating func failed() -> Bool {
        failures += 1
        successes = 0
        index = min(index + 1, Self.levels.count - 1)
        return failures < Self.attempts
    }
}

extension Flasher {
    /// Validates `layout` for `board`, like ``write(_:to:options:progress:)`` before its first erase; for callers that
    /// do the erasing.
    ///
    /// - Throws: ``FlasherError`` with code `misaligned`, `tooLarge`, `wrongChip`, `invalidImage`,
    ///   `hostImageOnRealBoard` or `encryptedFlash`; the flash is unchanged.
    public static func check(
        _ layout: FlashLayout, for board: ConnectedBoard, options: WriteOptions = WriteOptions()
    ) throws(FlasherError) {
        do throws(FlasherError) {
            try FlashPlan.check(layout, for: board, validatesImages: options.validatesImages)
            guard !board.isFlashEncrypted || options.allowsPlainOnEncrypted else {
                throw FlasherError(
                    .encryptedFlash,
                    "writing: the \(board.chip.name) encrypts its flash, and would not start plain data")
            }
        } catch {
            throw error.with(.unchanged)
        }
    }
}
