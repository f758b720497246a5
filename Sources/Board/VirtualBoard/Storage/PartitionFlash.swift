import ESPImage
import MonotonicTime

/// An NVS partition in the board's flash chip, for ``NVSStorage``.
///
/// The storage works on the bytes after all queued operations; the chip performs them in order, each in its own time.
/// At a power loss some are complete, one is incomplete, and the rest have not begun, as with a driver that waits for
/// each operation.
final class PartitionFlash: NVSFlash {
    private let chip: NORFlash
    private let offset: Int
    /// The partition after all operations.
    private var bytes: [UInt8]
    /// The start of the next operation.
    var now: MonotonicInstant

    var size: Int { bytes.count }

    init(_ chip: NORFlash, _ partition: Partition, now: MonotonicInstant) throws(NVSError) {
        self.chip = chip
        self.now = now
        offset = Int(partition.offset)
        do {
            // Complete the operations of the previous program first: the chip kept its power.
            if let deadline = chip.nextDeadline { try chip.advance(to: deadline) }
            bytes = try chip.read(at: offset, count: Int(partition.size))
        } catch {
            throw NVSError(.flashOperationFailed, error.description)
        }
    }

    func read(at offset: Int, count: Int) throws(NVSError) -> [UInt8] {
        try check(offset, count)
        return Array(bytes[offset..<offset + count])
    }

    func program(_ data: [UInt8], at offset: Int) throws(NVSError) {
        try check(offset, data.count)
        for (index, byte) in data.enumerated() { bytes[offset + index] &= byte }
        try perform { (chip) throws(FlashError) in try chip.program(data[...], at: self.offset + offset, now: now) }
    }

    func eraseSector(at offset: Int) throws(NVSError) {
        try check(offset, NORFlash.sectorSize)
        bytes.replaceSubrange(
            offset..<offset + NORFlash.sectorSize, with: repeatElement(0xFF, count: NORFlash.sectorSize))
        try perform { (chip) throws(FlashError) in
            try chip.erase(at: self.offset + offset, count: NORFlash.sectorSize, now: now)
        }
    }

    private func check(_ offset: Int, _ count: Int) throws(NVSError) {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw NVSError(
                .flashOperationFailed, "expected at most \(size) bytes of partition, got \(count) at \(offset)")
        }
    }

    private func perform(_ operation: (NORFlash) throws(FlashError) -> MonotonicInstant) throws(NVSError) {
        do throws(FlashError) {
            try chip.advance(to: now)
            _ = try operation(chip)
        } catch {
            throw NVSError(.flashOperationFailed, error.description)
        }
    }
}
