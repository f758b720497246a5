import MonotonicTime

/// A terminal that the chip drives with levels or a PWM signal, as a load sees it.
struct OutputTerminal {
    /// True if the load works while the terminal is low.
    let isActiveLow: Bool
    /// Its PWM signal.
    var pwm: PWMSignal?
    private var drive = PinDrive.floating
    /// Drives whose time has not come.
    private var pending: [TimedDrive] = []

    init(isActiveLow: Bool) { self.isActiveLow = isActiveLow }

    /// Takes changes of the chip's drive: the first replaces those that were announced for later times.
    mutating func receive(_ changes: [TimedDrive]) {
        guard let first = changes.first else { return }
        pending.removeAll { $0.time >= first.time }
        pending += changes
        pass(to: first.time)
    }

    /// The drives that are due take effect.
    mutating func pass(to time: MonotonicInstant) {
        let due = pending.prefix { $0.time <= time }
        if let last = due.last { drive = last.drive }
        pending.removeFirst(due.count)
    }

    /// The time of the next drive that was announced.
    var nextDrive: MonotonicInstant? { pending.first?.time }

    /// The share of time in which the load works, 0...1. A floating terminal does not drive it.
    var share: Double {
        if let pwm {
            let duty = pwm.duty.clamped(to: 0...1)
            return isActiveLow ? 1 - duty : duty
        }
        return drive == (isActiveLow ? .low : .high) ? 1 : 0
    }
}
