internal import CFirmwareChannel
import ESPImage
import MonotonicTime

/// The board's non-volatile storage: the NVS partition that the partition table names, in ESP-IDF's format.
///
/// It is mounted when it is first used. A partition without a free page or of a newer format is erased, as at the start
/// of arduino-esp32.
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

    /// The time at which all writes will be complete; `nil` when they are complete.
    var writesCompleted: MonotonicInstant? { chip.nextDeadline }

    /// Uses the storage at `now`.
    ///
    /// - Throws: ``NVSError``: the error of `body`; `notInitialized` when no partition can be mounted.
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
            // Completes the operations of the previous program first: the chip kept its power.
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

/// A sketch's calls to the non-volatile storage (`CFC_NVS_…`), answered with ESP-IDF's codes.
struct StorageCalls {
    /// The result of a call.
    struct Answer {
        var status: Int32 = 0
        var bytes: [UInt8] = []
    }

    let storage: BoardStorage
    /// The open namespaces; the sketch refers to them by index.
    private var namespaces: [NVSNamespace] = []

    init(_ storage: BoardStorage) {
        self.storage = storage
    }

    /// Performs a call of the sketch; `nil` when the message is not a storage call.
    mutating func answer(_ message: FirmwareMessage, now: MonotonicInstant) -> Answer? {
        guard (CFC_NVS_OPEN...CFC_NVS_FREE_ENTRIES).contains(message.type) else { return nil }
        do throws(NVSError) {
            return Answer(bytes: try perform(message, now))
        } catch {
            return Answer(status: error.code.rawValue)
        }
    }

    private mutating func perform(_ message: FirmwareMessage, _ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        switch message.type {
        case CFC_NVS_OPEN: return try open(message, now)
        case CFC_NVS_ERASE_ALL:
            let number = message.fields(cfc_number.self)?.value
            if number == CFC_WHOLE_PARTITION { return try erasePartition(now) }
            let namespace = try namespace(number.map { UInt32(bitPattern: $0) })
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.eraseAll(in: namespace) }
            return []
        case CFC_NVS_FREE_ENTRIES:
            return Self.bytes(try storage.use(now: now) { (nvs) throws(NVSError) in nvs.statistics.freeEntries })
        default:
            guard let item = message.fields(cfc_nvs_item.self) else { throw Self.invalidHandle }
            return try perform(message, item, try namespace(item.name_space), now)
        }
    }

    private func perform(
        _ message: FirmwareMessage, _ item: cfc_nvs_item, _ namespace: NVSNamespace, _ now: MonotonicInstant
    ) throws(NVSError) -> [UInt8] {
        let key = withUnsafeBytes(of: item.key) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let type = NVSType(rawValue: UInt8(truncatingIfNeeded: item.type))
        switch message.type {
        case CFC_NVS_SET:
            guard let value = NVSValue(message.tail(after: cfc_nvs_item.self), type: type) else {
                throw NVSError(.valueTooLong, "\(key): these bytes are not a value of that type")
            }
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.set(key, to: value, in: namespace) }
            return []
        case CFC_NVS_GET:
            let value = try storage.use(now: now) { (nvs) throws(NVSError) in
                try nvs.value(of: key, type: type, in: namespace)
            }
            return Self.bytes(value.bytes.count) + value.bytes
        default:
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.erase(key, in: namespace) }
            return []
        }
    }

    private mutating func open(_ message: FirmwareMessage, _ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        guard let fields = message.fields(cfc_nvs_open.self) else { throw Self.invalidHandle }
        let name = String(decoding: message.tail(after: cfc_nvs_open.self), as: UTF8.self)
        let namespace = try storage.use(now: now) { (nvs) throws(NVSError) in
            try nvs.openNamespace(name, readOnly: fields.may_write == 0)
        }
        let place = namespaces.firstIndex(of: namespace) ?? namespaces.count
        if place == namespaces.count { namespaces.append(namespace) }
        return Self.bytes(place)
    }

    private mutating func erasePartition(_ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        namespaces = []
        do throws(FlashError) {
            try storage.erase(now: now)
        } catch {
            throw NVSError(NVSError.Code(rawValue: -1), "\(error)")  // ESP_FAIL
        }
        return []
    }

    private func namespace(_ number: UInt32?) throws(NVSError) -> NVSNamespace {
        guard let number, number < namespaces.count else { throw Self.invalidHandle }
        return namespaces[Int(number)]
    }

    /// `ESP_ERR_NVS_INVALID_HANDLE`
    private static let invalidHandle = NVSError(NVSError.Code(rawValue: 0x1107), "the namespace was not opened")

    private static func bytes(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: Int32(truncatingIfNeeded: number)) { Array($0) }
    }
}
