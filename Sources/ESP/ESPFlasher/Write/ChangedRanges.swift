import ESPProtocol

/// Finds the sectors of a region that differ from the flash, by digests of halves of halves.
struct ChangedRanges {
    private static let sector = 0x1000
    /// Unchanged stretches of at most this size between changed ones are written too: an erase and a digest more would
    /// take longer.
    private static let joinGap = 0x4000
    /// Regions from this size are judged by samples first, so that a wholly different one costs little.
    private static let sampledSize = 0x8000
    private static let sampleCount = 4

    let flasher: Flasher
    let bytes: ArraySlice<UInt8>
    let offset: UInt32
    let context: String
    /// How many more bytes the chip may digest; what is left then counts as changed.
    private var budget: Int
    private var changed: [Range<Int>] = []

    /// The ranges of `bytes` (from 0) that differ from the flash at `offset`; in order, whole sectors.
    static func find(
        _ bytes: ArraySlice<UInt8>, at offset: UInt32, _ flasher: Flasher, _ context: String
    ) async throws(FlasherError) -> [Range<Int>] {
        var search = ChangedRanges(flasher: flasher, bytes: bytes, offset: offset, context: context)
        try await search.run()
        return search.changed
    }

    private init(flasher: Flasher, bytes: ArraySlice<UInt8>, offset: UInt32, context: String) {
        self.flasher = flasher
        self.bytes = bytes
        self.offset = offset
        self.context = context
        budget = bytes.count * 3
    }

    private mutating func run() async throws(FlasherError) {
        if bytes.count >= Self.sampledSize {
            var equal = 0
            for index in 0..<Self.sampleCount {
                let start = bytes.count * (2 * index + 1) / (2 * Self.sampleCount) / Self.sector * Self.sector
                if try await isEqual(start..<min(start + Self.sector, bytes.count)) { equal += 1 }
            }
            if equal == 0 {
                changed = [0..<bytes.count]
                return
            }
        }
        if try await isEqual(0..<bytes.count) { return }
        try await split(0..<bytes.count)
    }

    /// Adds the changed parts of `range`, which is known to differ.
    private mutating func split(_ range: Range<Int>) async throws(FlasherError) {
        guard range.count > Self.sector, budget >= range.count else { return add(range) }
        let middle = range.lowerBound + (range.count / 2 + Self.sector - 1) / Self.sector * Self.sector
        let first = range.lowerBound..<middle
        let second = middle..<range.upperBound
        guard !second.isEmpty else { return add(range) }
        if try await isEqual(first) {
            // Then the other half differs.
            return try await split(second)
        }
        try await split(first)
        if try await !isEqual(second) { try await split(second) }
    }

    private mutating func add(_ range: Range<Int>) {
        if let last = changed.last, range.lowerBound - last.upperBound <= Self.joinGap {
            changed[changed.count - 1] = last.lowerBound..<range.upperBound
        } else {
            changed.append(range)
        }
    }

    private mutating func isEqual(_ range: Range<Int>) async throws(FlasherError) -> Bool {
        budget -= range.count
        let part = bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
        let found = try await flasher.digest(offset + UInt32(range.lowerBound), count: range.count, context)
        return found == md5(part)
    }
}
