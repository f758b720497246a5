internal import CFirmwareChannel

#if canImport(Glibc)
    import Glibc
#endif

/// Applies the way in which a board and its successive firmware processes hand over the turn: measures the times that
/// the scheduler gives both, and applies the decision of ``HandOverChoice``.
///
/// Used on the bench's thread.
final class HandOver {
    /// Measuring costs some microseconds, so it is done only after this number of turns and if this time has passed.
    private static let turnsPerLook = 256
    private static let leastInterval: UInt64 = 10_000_000
    /// A longer interval is ignored: the bench was busy with something else.
    private static let longestInterval: UInt64 = 200_000_000

    /// The process that turns are handed to, and the statistics of both sides.
    private struct Parties {
        let process: Int32
        let thread: Int32
        let processTimes: Int32
        let threadTimes: Int32
    }

    private let processors: Processors
    private let preferred: Int
    private var choice: HandOverChoice
    private var parties: Parties?
    private var applied: HandOverChoice.Way?
    private var turnsToLook = turnsPerLook
    private var lastTime: UInt64 = 0
    private var lastRunning: UInt64 = 0
    private var lastWaiting: UInt64 = 0

    /// Hand-overs of a board on these processors.
    init(_ processors: Processors) {
        self.processors = processors
        choice = processors.add(from: cfc_processor())
        preferred = choice.preferred
    }

    deinit {
        end()
        processors.remove(preferred)
    }

    /// The number of times that either side polls for the turn before it sleeps.
    private(set) var spins = UInt32(CFC_SPINS)

    /// A process has been started.
    func begin(_ process: Int32) {
        end()
        let thread = cfc_thread()
        parties = Parties(
            process: process, thread: thread, processTimes: cfc_open_run_times(process),
            threadTimes: cfc_open_run_times(thread))
        turnsToLook = Self.turnsPerLook
        measure()
        choice.decide(at: lastTime, isCrowded: processors.areCrowded)
        apply()
    }

    /// The process has ended: the thread may run on all processors again.
    func end() {
        guard let parties else { return }
        if applied != nil { Self.bind(parties.thread, to: processors.allowed) }
        applied = nil
        for statistics in [parties.processTimes, parties.threadTimes] where statistics >= 0 { close(statistics) }
        self.parties = nil
    }

    /// A turn has come back.
    func turnEnded() {
        turnsToLook -= 1
        if turnsToLook == 0 { look() }
    }

    private func look() {
        turnsToLook = Self.turnsPerLook
        let elapsed = cfc_monotonic_ns() &- lastTime
        let areCrowded = processors.areCrowded
        guard elapsed >= Self.leastInterval || choice.isOutdated(isCrowded: areCrowded) else { return }
        let (running, waiting) = (lastRunning, lastWaiting)
        guard measure(), elapsed <= Self.longestInterval else { return }
        choice.decide(
            HandOverChoice.Measurement(
                elapsed: elapsed, running: lastRunning &- running, waiting: lastWaiting &- waiting),
            at: lastTime, isCrowded: areCrowded)
        apply()
    }

    /// Reads the clock and both statistics; `false` if the kernel has no statistics.
    @discardableResult
    private func measure() -> Bool {
        guard let parties else { return false }
        lastTime = cfc_monotonic_ns()
        lastRunning = 0
        lastWaiting = 0
        for statistics in [parties.processTimes, parties.threadTimes] {
            var running: UInt64 = 0
            var waiting: UInt64 = 0
            guard statistics >= 0, cfc_read_run_times(statistics, &running, &waiting) else { return false }
            lastRunning += running
            lastWaiting += waiting
        }
        return true
    }

    private func apply() {
        guard let parties, choice.way != applied else { return }
        applied = choice.way
        processors.remember(choice)
        let allowed = processors.allowed
        switch choice.way {
        case .spinning:
            // Left to itself, the kernel tends to wake each on the other's processor, where both would poll in vain.
            let own = allowed.indices.contains(choice.preferred) ? allowed[choice.preferred] : nil
            Self.bind(parties.thread, to: allowed.filter { $0 == own })
            Self.bind(parties.process, to: allowed.filter { $0 != own })
            spins = UInt32(CFC_SPINS)
        case .sharing(let index):
            let shared = allowed.indices.contains(index) ? [allowed[index]] : []
            Self.bind(parties.thread, to: shared)
            Self.bind(parties.process, to: shared)
            spins = 0
        }
    }

    /// Binds a thread to processors, if there are any. If the kernel refuses, only speed suffers.
    private static func bind(_ thread: Int32, to processors: [UInt16]) {
        guard !processors.isEmpty else { return }
        _ = cfc_set_processors(thread, processors, Int32(processors.count))
    }
}

/// Chooses how a board and its firmware process hand over the turn, by the free processors of the machine.
///
/// If each has its own processor, both poll for the turn in a loop ("spin"), which is fastest. If another program needs
/// a processor, one of the two often waits for a processor while the other polls in vain; then both share one processor
/// and sleep outside their turn. From time to time spinning is tried again. The choice does not affect results, only
/// speed.
package struct HandOverChoice: Equatable {
    /// How the turn is handed over.
    package enum Way: Equatable {
        /// Both poll for the turn, each on its own processor.
        case spinning
        /// Both sleep, on one processor: the index among those allowed.
        case sharing(Int)
    }

    /// Times measured since the last decision, in nanoseconds of the machine's clock.
    package struct Measurement {
        package var elapsed: UInt64
        /// The total time for which board and process ran.
        package var running: UInt64
        /// The total time for which board and process waited for a processor.
        package var waiting: UInt64

        /// A measurement.
        package init(elapsed: UInt64, running: UInt64, waiting: UInt64) {
            self.elapsed = elapsed
            self.running = running
            self.waiting = waiting
        }
    }

    /// Spinning ends when more than 1/n of the time was spent waiting for a processor; this is n.
    private static let tolerableWaiting: UInt64 = 12
    /// Spinning ends only after more than this number of such measurements in a row: the first one has the time in which
    /// the kernel has moved the two to their processors.
    private static let tolerableMeasurements = 1
    /// Board and process move to the next processor when they had the shared one for less than this part of the time,
    /// in percent: another program is bound to it.
    private static let leastShare: UInt64 = 65
    /// The time for which a processor is shared before spinning is tried again; doubled whenever spinning fails at
    /// once.
    package static let firstPause: UInt64 = 250_000_000
    package static let longestPause: UInt64 = 4_000_000_000
    /// Spinning that lasted this long has not failed at once.
    private static let success: UInt64 = 1_000_000_000

    /// The number of processors that may be used.
    private let processorCount: Int
    package private(set) var way = Way.spinning
    private var pause = firstPause
    /// When the way was chosen.
    private var since: UInt64 = 0
    /// True while a processor is shared only because there are too many benches.
    private(set) var isCrowdedOut = false
    /// The number of measurements in a row, while spinning, with too much waiting.
    private var badMeasurements = 0
    /// The number of moves to another processor since the sharing began.
    private var moves = 0
    /// The processor to share next.
    package internal(set) var preferred: Int

    /// - Parameters:
    ///   - processorCount: the number of processors that may be used, at least 1.
    ///   - preferred: the index of the processor that is shared first.
    package init(processorCount: Int, preferred: Int) {
        self.processorCount = processorCount
        self.preferred = preferred
        if processorCount < 2 { way = .sharing(preferred) }
    }

    /// True if the way changes at once, without a measurement: benches have been added or removed.
    func isOutdated(isCrowded: Bool) -> Bool {
        isCrowded ? way == .spinning : isCrowdedOut
    }

    /// Decides the way from now on.
    ///
    /// - Parameters:
    ///   - measured: of this board; `nil` when it begins.
    ///   - now: the machine's clock, in nanoseconds.
    ///   - isCrowded: whether the machine has fewer than two processors for each bench.
    package mutating func decide(_ measured: Measurement? = nil, at now: UInt64, isCrowded: Bool) {
        if processorCount < 2 { return share(preferred, now) }
        if isCrowded {
            isCrowdedOut = isCrowdedOut || way == .spinning
            return share(preferred, now)
        }
        if isCrowdedOut {
            // Spinning has not failed: a bench makes its next board before it removes the last one.
            isCrowdedOut = false
            way = .spinning
            since = now
            return
        }
        switch way {
        case .spinning:
            guard let measured else { return }
            badMeasurements = measured.waiting * Self.tolerableWaiting > measured.elapsed ? badMeasurements + 1 : 0
            guard badMeasurements > Self.tolerableMeasurements else { return }
            pause = now &- since < Self.success ? min(2 * pause, Self.longestPause) : Self.firstPause
            share(preferred, now)
        case .sharing(let processor):
            if now &- since >= pause {
                way = .spinning
                since = now
            } else if let measured, measured.running * 100 < measured.elapsed * Self.leastShare, moves < processorCount
            {
                moves += 1
                preferred = (processor + 1) % processorCount
                way = .sharing(preferred)
            }
        }
    }

    private mutating func share(_ processor: Int, _ now: UInt64) {
        guard way != .sharing(processor) else { return }
        way = .sharing(processor)
        since = now
        moves = 0
        badMeasurements = 0
    }
}
