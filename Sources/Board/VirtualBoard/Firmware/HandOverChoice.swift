/// Chooses how a board and its firmware process hand over the turn, by what the machine has free.
///
/// With a processor for each, both look for the turn in a loop ("spin"), which is fastest. Where another program needs a
/// processor, one of the two often waits for it while the other loops in vain; then both share one processor and sleep
/// while it is not their turn. From time to time spinning is tried again. Nothing of this changes what happens on a
/// bench: only how long it takes.
package struct HandOverChoice: Equatable {
    /// How the turn is handed over.
    package enum Way: Equatable {
        /// Both look for the turn, each on a processor of its own.
        case spinning
        /// Both sleep, on one processor: the index among those allowed.
        case sharing(Int)
    }

    /// What was measured since the last decision, in nanoseconds of the machine's clock.
    package struct Measurement {
        package var elapsed: UInt64
        /// How long board and process ran, together.
        package var running: UInt64
        /// How long board and process waited for a processor, together.
        package var waiting: UInt64

        /// A measurement.
        package init(elapsed: UInt64, running: UInt64, waiting: UInt64) {
            self.elapsed = elapsed
            self.running = running
            self.waiting = waiting
        }
    }

    /// Spinning ends when more than one part in so many of the time was spent waiting for a processor.
    private static let tolerableWaiting: UInt64 = 12
    /// A shared processor is left for the next one when the two had it for less than this part of the time, in percent:
    /// another program is tied to it.
    private static let leastShare: UInt64 = 65
    /// How long a processor is shared before spinning is tried again; doubled each time that this fails at once.
    package static let firstPause: UInt64 = 250_000_000
    package static let longestPause: UInt64 = 4_000_000_000
    /// Spinning that lasted so long has not failed at once.
    private static let success: UInt64 = 1_000_000_000

    /// The number of processors that may be used.
    private let processorCount: Int
    package private(set) var way = Way.spinning
    private var pause = firstPause
    /// How long it has been done this way.
    private var age: UInt64 = 0
    /// The processors left since the sharing began.
    private var moves = 0
    /// The processor to share next.
    package internal(set) var preferred: Int

    /// - Parameters:
    ///   - processorCount: how many processors may be used, at least 1.
    ///   - preferred: which of them is shared first.
    package init(processorCount: Int, preferred: Int) {
        self.processorCount = processorCount
        self.preferred = preferred
        if processorCount < 2 { way = .sharing(preferred) }
    }

    /// Decides how to go on.
    ///
    /// - Parameter isCrowded: whether there are too few processors for two to each bench.
    package mutating func decide(_ measured: Measurement, isCrowded: Bool) {
        if isCrowded || processorCount < 2 { return share(preferred) }
        age += measured.elapsed
        switch way {
        case .spinning:
            guard measured.waiting * Self.tolerableWaiting > measured.elapsed else { return }
            pause = age < Self.success ? min(2 * pause, Self.longestPause) : Self.firstPause
            share(preferred)
        case .sharing(let processor):
            if age >= pause {
                way = .spinning
                age = 0
            } else if measured.running * 100 < measured.elapsed * Self.leastShare, moves < processorCount {
                moves += 1
                preferred = (processor + 1) % processorCount
                way = .sharing(preferred)
            }
        }
    }

    private mutating func share(_ processor: Int) {
        guard way != .sharing(processor) else { return }
        way = .sharing(processor)
        age = 0
        moves = 0
    }
}
