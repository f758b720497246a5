import CFirmwareChannel

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
    private var applied = HandOverChoice.Way.spinning
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
        processors.remove(choice, preferred: preferred)
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
        if processors.areCrowded {
            choice.decide(HandOverChoice.Measurement(elapsed: 0, running: 0, waiting: 0), isCrowded: true)
        }
        apply()
    }

    /// The process has ended: the thread may run on all processors again.
    func end() {
        guard let parties else { return }
        if applied != .spinning { setProcessors(of: parties.thread, .spinning) }
        applied = .spinning
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
        guard elapsed >= Self.leastInterval else { return }
        let (running, waiting) = (lastRunning, lastWaiting)
        guard measure(), elapsed <= Self.longestInterval else { return }
        choice.decide(
            HandOverChoice.Measurement(
                elapsed: elapsed, running: lastRunning &- running, waiting: lastWaiting &- waiting),
            isCrowded: processors.areCrowded)
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
        setProcessors(of: parties.thread, applied)
        setProcessors(of: parties.process, applied)
        spins = applied == .spinning ? UInt32(CFC_SPINS) : 0
    }

    /// Binds a thread to a processor, or unbinds it. If the kernel refuses, only speed suffers.
    private func setProcessors(of thread: Int32, _ way: HandOverChoice.Way) {
        var permitted = processors.allowed
        if case .sharing(let index) = way, permitted.indices.contains(index) { permitted = [permitted[index]] }
        guard !permitted.isEmpty else { return }
        _ = cfc_set_processors(thread, permitted, Int32(permitted.count))
    }
}
