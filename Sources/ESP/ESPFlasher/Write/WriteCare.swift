/// How carefully a region is written: after faults of the line in shorter runs and smaller blocks.
struct WriteCare {
    /// One degree of care.
    struct Level {
        /// The longest run: what is begun, written and verified together, in bytes.
        let runSize: Int
        /// The largest block, in bytes; the loader may limit it further.
        let blockSize: Int
        /// Whether the next block is sent before the answer to the last where the loader has a buffer for it.
        let isOverlapped: Bool
        /// Whether each lost answer is resolved by a digest instead of a new beginning; uncompressed.
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

    /// Returns whether another attempt is worth while.
    mutating func failed() -> Bool {
        failures += 1
        successes = 0
        index = min(index + 1, Self.levels.count - 1)
        return failures < Self.attempts
    }
}
