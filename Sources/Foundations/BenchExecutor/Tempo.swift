import MonotonicTime

/// Holds virtual time back to a speed: how far it may be by now. Pure: it is told the machine's clock.
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
