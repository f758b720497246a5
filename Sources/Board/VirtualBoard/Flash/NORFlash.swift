public import MonotonicTime

/// A NOR flash chip: erasing sets the bits of whole sectors, programming only clears bits, and both take time.
///
/// Operations are queued; each takes effect when its time has passed. At a power loss the running operation stays
/// incomplete, and queued ones have no effect.
public final class NORFlash {
    /// The smallest erasable unit, in bytes.
    public static let sectorSize = 4096
    /// The larger unit that can be erased in one operation, in bytes.
    public static let blockSize = 65_536
    /// The largest number of bytes programmed in one operation.
    public static let pageSize = 256

    private enum Action {
        case erase
        case program([UInt8])
    }

    /// One sector, block or page.
    private struct Step {
        let offset: Int
        let count: Int
        let action: Action
        let end: MonotonicInstant
    }

    private let storage: any FlashStorage
    private let timing: FlashTiming
    private var random: SeededRandom
    private var steps: [Step] = []
    private var nextStep = 0
    /// The first error of the file: after a failed write, changes are no longer stored.
    public private(set) var fault: FlashError?

    /// The chip whose bytes are in the file at `path`, or in memory without a path. A new chip is erased.
    ///
    /// - Parameters:
    ///   - size: a multiple of 64 KB.
    ///   - contents: the initial contents of a chip in memory; `nil`: erased.
    ///   - random: determines the bits that a power loss leaves.
    /// - Throws: ``FlashError``.
    public init(
        path: String?, size: Int = 4 << 20, contents: FlashContents? = nil, timing: FlashTiming = .typical,
        random: SeededRandom
    ) throws(FlashError) {
        storage =
            if let path { try FlashFile(path: path, size: size) } else {
                FlashMemory(contents ?? FlashContents(size: size))
            }
        self.timing = timing
        self.random = random
    }

    /// The size in bytes.
    public var size: Int { storage.size }

    /// The contents of a chip in memory after the completed operations; `nil` for a chip in a file.
    public var contents: FlashContents? { (storage as? FlashMemory)?.contents }

    /// The time at which the last operation completes; `nil` when the chip is idle.
    public var nextDeadline: MonotonicInstant? { steps.last?.end }

    /// The current bytes at `offset`.
    ///
    /// - Throws: ``FlashError``.
    public func read(at offset: Int, count: Int) throws(FlashError) -> [UInt8] {
        try check(offset, count)
        return try recordingFault { () throws(FlashError) in try storage.read(at: offset, count: count) }
    }

    /// Queues erasing `count` bytes at `offset`, both multiples of the sector size.
    ///
    /// - Returns: when it completes.
    /// - Throws: ``FlashError`` with code `outOfRange`.
    @discardableResult
    public func erase(at offset: Int, count: Int, now: MonotonicInstant) throws(FlashError) -> MonotonicInstant {
        try check(offset, count)
        guard offset.isMultiple(of: Self.sectorSize), count.isMultiple(of: Self.sectorSize) else {
            throw FlashError(
                .outOfRange, "flash", "expected whole sectors to erase, got \(count) bytes at \(offset)")
        }
        var start = offset
        while start < offset + count {
            let isBlock = start.isMultiple(of: Self.blockSize) && offset + count - start >= Self.blockSize
            let length = isBlock ? Self.blockSize : Self.sectorSize
            append(start, length, .erase, isBlock ? timing.blockErase : timing.sectorErase, now)
            start += length
        }
        return nextDeadline ?? now
    }

    /// Queues programming `bytes` at `offset`.
    ///
    /// - Returns: when it completes.
    /// - Throws: ``FlashError`` with code `outOfRange`.
    @discardableResult
    public func program(_ bytes: ArraySlice<UInt8>, at offset: Int, now: MonotonicInstant) throws(FlashError)
        -> MonotonicInstant
    {
        try check(offset, bytes.count)
        var rest = bytes
        var start = offset
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pageSize - start % Self.pageSize)
            append(start, piece.count, .program(Array(piece)), timing.pageProgram, now)
            rest = rest.dropFirst(piece.count)
            start += piece.count
        }
        return nextDeadline ?? now
    }

    private func check(_ offset: Int, _ count: Int) throws(FlashError) {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw FlashError(
                .outOfRange, "flash", "expected at most \(size) bytes of flash, got \(count) bytes at \(offset)")
        }
    }

    private func append(
        _ offset: Int, _ count: Int, _ action: Action, _ duration: Duration, _ now: MonotonicInstant
    ) {
        let start = max(now, steps.last?.end ?? now)
        steps.append(Step(offset: offset, count: count, action: action, end: start.advanced(by: duration)))
    }

    /// Applies the operations that have completed at `now`.
    ///
    /// - Throws: ``FlashError`` with code `system` when the file cannot be written.
    public func advance(to now: MonotonicInstant) throws(FlashError) {
        while nextStep < steps.count, steps[nextStep].end <= now {
            let step = steps[nextStep]
            nextStep += 1
            try recordingFault { () throws(FlashError) in try finish(step) }
        }
        if nextStep == steps.count {
            steps.removeAll()
            nextStep = 0
        }
    }

    /// Discards the queued operations, but not the running one: their driver was reset.
    public func discardQueued() {
        if nextStep + 1 < steps.count { steps.removeSubrange((nextStep + 1)...) }
    }

    /// Loses power at `now`: the running operation stays incomplete, queued ones are discarded.
    ///
    /// - Throws: ``FlashError`` with code `system` when the file cannot be written.
    public func losePower(at now: MonotonicInstant) throws(FlashError) {
        try advance(to: now)
        defer {
            steps.removeAll()
            nextStep = 0
        }
        guard nextStep < steps.count else { return }
        let step = steps[nextStep]
        try recordingFault { () throws(FlashError) in try applyPartially(step) }
    }

    private func recordingFault<Result>(_ body: () throws(FlashError) -> Result) throws(FlashError) -> Result {
        do throws(FlashError) {
            return try body()
        } catch {
            fault = fault ?? error
            throw error
        }
    }

    private func applyPartially(_ step: Step) throws(FlashError) {
        var bytes = try storage.read(at: step.offset, count: step.count)
        switch step.action {
        case .erase:
            // Only some bits have been erased.
            let noise = random.bytes(bytes.count)
            for index in bytes.indices { bytes[index] |= noise[index] }
        case .program(let data):
            let programmed = Int.random(in: 0..<bytes.count, using: &random)
            for index in 0..<programmed { bytes[index] &= data[index] }
            bytes[programmed] &= data[programmed] | UInt8.random(in: 0...255, using: &random)
        }
        try storage.write(bytes, at: step.offset)
    }

    private func finish(_ step: Step) throws(FlashError) {
        switch step.action {
        case .erase:
            try storage.write([UInt8](repeating: 0xFF, count: step.count), at: step.offset)
        case .program(let data):
            var bytes = try storage.read(at: step.offset, count: step.count)
            for index in bytes.indices { bytes[index] &= data[index] }
            try storage.write(bytes, at: step.offset)
        }
    }
}

/// The durations of flash operations; the defaults are typical values of the W25Q32's data sheet.
public struct FlashTiming: Hashable, Sendable {
    /// For erasing a 4 KB sector.
    public var sectorErase: Duration
    /// For erasing an aligned 64 KB block in one operation.
    public var blockErase: Duration
    /// For programming up to 256 bytes of a page.
    public var pageProgram: Duration

    /// All times.
    public init(sectorErase: Duration, blockErase: Duration, pageProgram: Duration) {
        self.sectorErase = sectorErase
        self.blockErase = blockErase
        self.pageProgram = pageProgram
    }

    /// The W25Q32's typical times.
    public static let typical = FlashTiming(
        sectorErase: .milliseconds(45), blockErase: .milliseconds(150), pageProgram: .microseconds(400))
}

/// The bytes of a flash chip in memory. Copies share unchanged sectors.
public struct FlashContents: Sendable {
    private(set) var sectors: [[UInt8]]
    /// Shared by all copies.
    let verified = VerifiedApplication()

    /// An erased chip.
    ///
    /// - Parameter size: a multiple of the sector size.
    init(size: Int) {
        let erased = [UInt8](repeating: 0xFF, count: NORFlash.sectorSize)
        sectors = Array(repeating: erased, count: size / NORFlash.sectorSize)
    }

    /// The size in bytes.
    public var size: Int { sectors.count * NORFlash.sectorSize }

    func read(at offset: Int, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let piece = Self.piece(at: offset + bytes.count, of: count - bytes.count)
            bytes += sectors[piece.sector][piece.range]
        }
        return bytes
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        var done = 0
        while done < bytes.count {
            let piece = Self.piece(at: offset + done, of: bytes.count - done)
            sectors[piece.sector].replaceSubrange(piece.range, with: bytes[done..<done + piece.range.count])
            done += piece.range.count
        }
    }

    /// The part of the next `count` bytes that is in one sector.
    private static func piece(at offset: Int, of count: Int) -> (sector: Int, range: Range<Int>) {
        let start = offset % NORFlash.sectorSize
        return (offset / NORFlash.sectorSize, start..<min(start + count, NORFlash.sectorSize))
    }
}

/// An error of a board's flash.
public struct FlashError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// Another process uses the file.
        case busy
        /// The file is not of the flash's size.
        case wrongSize
        /// An operation reaches beyond the flash.
        case outOfRange
        /// The operating system reported an error.
        case system
    }

    /// The kind of fault.
    public var code: Code
    /// The file, or "flash" without one.
    public var name: String
    /// The expected and the found state, on one line.
    public var detail: String

    /// An error of the flash in `name`.
    public init(_ code: Code, _ name: String, _ detail: String) {
        self.code = code
        self.name = name
        self.detail = detail
    }

    /// One line: the file and the detail.
    public var description: String { "\(name): \(detail)" }
}
