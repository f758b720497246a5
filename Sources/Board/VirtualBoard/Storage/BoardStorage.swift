import ESPImage
import MonotonicTime

/// The board's non-volatile storage: the NVS partition that the partition table names, in ESP-IDF's format.
///
/// It is mounted when it is first used. As by arduino-esp32 at its start, a partition without a free page or of a newer
/// format is erased.
final class BoardStorage {
    /// ESP-IDF's subtype of NVS partitions.
    private static let subtype: UInt8 = 0x02

    private let chip: NORFlash
    private var mounted: NVSStorage<PartitionFlash>?
    /// The number of changes to the storage.
    private(set) var changes = 0

    init(_ chip: NORFlash) {
        self.chip = chip
    }

    /// When all writes are complete; `nil` when they are.
    var writesCompleted: MonotonicInstant? { chip.nextDeadline }

    /// Uses the storage at `now`.
    ///
    /// - Throws: ``NVSError``: what `body` throws; `notInitialized` when there is no partition that can be mounted.
    func use<Result>(
        now: MonotonicInstant, _ body: (inout NVSStorage<PartitionFlash>) throws(NVSError) -> Result
    ) throws(NVSError) -> Result {
        var storage = try mount(now)
        storage.flash.now = now
        let former = chip.nextDeadline
        defer {
            mounted = storage
            if chip.nextDeadline != former { changes += 1 }
        }
        // Hold the only reference to `storage` while changing it, to avoid a copy.
        mounted = nil
        return try body(&storage)
    }

    /// Erases the partition at once, as a flasher does.
    func erase(now: MonotonicInstant) throws(FlashError) {
        mounted = nil
        guard let partition = Self.partition(in: chip) else { return }
        try chip.advance(to: try chip.erase(at: Int(partition.offset), count: Int(partition.size), now: now))
    }

    /// Applies the flash operations that have completed at `now`.
    func advance(to now: MonotonicInstant) {
        // Only the file can fail; reading it then reports the same error.
        try? chip.advance(to: now)
    }

    /// Completes all flash operations at once, as a flasher waits for them.
    func completeOperations() throws(FlashError) {
        if let deadline = chip.nextDeadline { try chip.advance(to: deadline) }
    }

    private func mount(_ now: MonotonicInstant) throws(NVSError) -> NVSStorage<PartitionFlash> {
        if let mounted { return mounted }
        guard let partition = Self.partition(in: chip) else {
            throw NVSError(.notInitialized, "the partition table has no partition for NVS")
        }
        let flash = try PartitionFlash(chip, partition, now: now)
        do throws(NVSError) {
            return try NVSStorage(mounting: flash)
        } catch {
            guard error.code == .noFreePages || error.code == .newVersionFound else {
                throw NVSError(.notInitialized, "\(error)")
            }
        }
        for offset in stride(from: 0, to: flash.size, by: NORFlash.sectorSize) { try flash.eraseSector(at: offset) }
        return try NVSStorage(mounting: flash)
    }

    private static func partition(in chip: NORFlash) -> Partition? {
        let table = try? PartitionTableFault.verify(chip)
        return table?.partitions.first {
            $0.kind == .data && $0.subtype == subtype && $0.size > 0
                && $0.size.isMultiple(of: UInt32(NORFlash.sectorSize))
        }
    }
}
