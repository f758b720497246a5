internal import BenchExecutor
import LivePage
import MonotonicTime

/// The clock of a bench as a page shows and controls it.
struct LiveClockModel: LiveClock {
    /// A request that a bench in real time cannot fulfil.
    struct Uncontrolled: Error, CustomStringConvertible {
        var description: String { "the time of a real board cannot be changed" }
    }

    let executor: BenchExecutor
    let hub: LiveHub

    private var isControlled: Bool { executor.speed != nil }

    /// Sends the state to the page.
    func publish() {
        hub.set(
            "clock",
            ClockState(
                // Sent with a resolution of a tenth of a second; in between, the page counts itself.
                now: Double(executor.now.nanoseconds / 1_000_000), speed: executor.speed ?? 1,
                isControlled: isControlled))
    }

    private func check() throws(Uncontrolled) {
        guard isControlled else { throw Uncontrolled() }
    }

    func setSpeed(_ speed: Double) async throws {
        try check()
        executor.speed = speed
    }

    func step(by duration: Duration) async throws {
        try check()
        executor.step(by: duration)
    }

    func stepToNextEvent() async throws {
        try check()
        executor.stepToNextEvent()
    }
}
