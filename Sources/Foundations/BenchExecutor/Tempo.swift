import Dispatch
import MonotonicTime
import Synchronization

/// Holds virtual time back to a speed: how far it may be by now. Pure: the machine's time is passed to it.
package struct Tempo: Sendable {
    /// How far virtual time may fall behind what it may reach before it gives that up: after a busy moment it is caught
    /// up, after a pause of the machine it is not. In nanoseconds of virtual time.
    private static let maximumLag: Int64 = 250_000_000

    /// Virtual seconds per second; 0: it stands.
    package let speed: Double
    /// The machine's clock when virtual time might be `time`, both in nanoseconds.
    private var real: UInt64
    private var time: Int64

    /// A tempo from an instant on.
    package init(speed: Double, from time: MonotonicInstant, at real: UInt64) {
        self.speed = speed.isFinite ? max(0, speed) : 0
        self.real = real
        self.time = time.nanoseconds
    }

    /// How far virtual time may be.
    package func limit(at now: UInt64) -> MonotonicInstant {
        guard speed > 0, now > real else { return MonotonicInstant(nanoseconds: time) }
        let progress = Double(now - real) * speed
        // Beyond 2⁵² a Double has no single nanoseconds; ten years are far enough for a bench.
        return MonotonicInstant(nanoseconds: time + Int64(min(progress, 3e17)))
    }

    /// How long the machine has to wait until virtual time may be `deadline`, in nanoseconds; `nil`: for ever.
    package func wait(until deadline: MonotonicInstant, at now: UInt64) -> Int64? {
        guard speed > 0 else { return nil }
        let rest = Double(deadline.nanoseconds - limit(at: now).nanoseconds) / speed
        return Int64(max(0, min(rest.rounded(.up), 3e17)))
    }

    /// Gives up what it is behind, if that is too much.
    package mutating func slip(to due: MonotonicInstant, at now: UInt64) {
        guard speed > 0 else { return }
        let lag = limit(at: now).nanoseconds - due.nanoseconds
        guard Double(lag) > Double(Self.maximumLag) * max(1, speed) else { return }
        (real, time) = (now, due.nanoseconds)
    }

    /// Lets virtual time go on to an instant at once.
    package mutating func allow(_ instant: MonotonicInstant, at now: UInt64) {
        guard instant > limit(at: now) else { return }
        (real, time) = (now, instant.nanoseconds)
    }
}

/// Virtual time for people who watch: as exact as ever, but no faster than they want.
extension BenchExecutor {
    /// How fast virtual time passes: virtual seconds per second, 0 to let it stand; `nil`, the default: as fast as the
    /// machine can. Has no effect in real time. Safe from any thread.
    ///
    /// Between events time passes too, so that events from outside are handled in time. When no event is scheduled this
    /// is no deadlock: somebody outside may do something. Where the machine is too slow, time lags, and nothing is
    /// lost.
    public var speed: Double? {
        get { state.withLock { $0.tempo?.speed } }
        set {
            let real = DispatchTime.now().uptimeNanoseconds
            changeTempo { state in
                let now = Self.refreshNow(&state)
                state.tempo = newValue.map { Tempo(speed: $0, from: now, at: real) }
            }
        }
    }

    /// Lets virtual time go on by `duration` at once, after earlier steps, and then stand or pass as ``speed`` says. Safe
    /// from any thread.
    public func step(by duration: Duration) {
        changeTempo { state in
            let real = DispatchTime.now().uptimeNanoseconds
            guard let limit = state.tempo?.limit(at: real) else { return }
            state.tempo?.allow(max(limit, state.now).advanced(by: duration), at: real)
        }
    }

    /// Lets virtual time go on to the next event at once; does nothing when none is scheduled. Safe from any thread.
    public func stepToNextEvent() {
        changeTempo { state in
            guard let deadline = state.events.nextDeadline else { return }
            state.tempo?.allow(deadline, at: DispatchTime.now().uptimeNanoseconds)
        }
    }

    private func changeTempo(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            return Self.clearWaiting(&state)
        }
        wake(waiting)
    }

    /// The current instant of virtual time that is held back: it does not pass an event that has not run, nor while
    /// another thread is awaited.
    static func heldNow(_ tempo: Tempo, _ state: State) -> MonotonicInstant {
        guard state.waitsElsewhere == 0 else { return state.now }
        let limit = tempo.limit(at: DispatchTime.now().uptimeNanoseconds)
        return max(state.now, min(limit, state.events.nextDeadline ?? limit))
    }

    /// The next event of virtual time that is held back, or the wait for it.
    static func heldStep(_ state: inout State) -> Step {
        let real = DispatchTime.now().uptimeNanoseconds
        guard let deadline = state.events.nextDeadline, let tempo = state.tempo else {
            state.waiting = .forSignal
            return .wait(until: nil, from: state.now)
        }
        guard deadline <= tempo.limit(at: real) else {
            state.waiting = .forSignal
            guard let wait = tempo.wait(until: deadline, at: real) else { return .wait(until: nil, from: state.now) }
            return .pause(nanoseconds: wait)
        }
        state.tempo?.slip(to: deadline, at: real)
        state.now = max(state.now, deadline)
        guard let action = state.events.popDue(at: state.now) else { return .deadlock(state.now) }
        return .event(action)
    }
}
