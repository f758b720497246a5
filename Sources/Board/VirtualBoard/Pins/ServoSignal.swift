import CFirmwareChannel

/// The signal of a servo's pin.
public struct ServoSignal: Hashable, Sendable {
    /// The GPIO number.
    public var pin: Int
    /// Whether a servo is attached to the pin; a detached servo stays in place, without torque.
    public var isAttached: Bool
    /// The length of a pulse; `nil` without pulses.
    public var pulse: Duration?
    /// The pulses of 0° and 180° that the sketch attached the servo with, in microseconds.
    public var range: ClosedRange<Int>

    /// All fields.
    public init(pin: Int, isAttached: Bool, pulse: Duration?, range: ClosedRange<Int>) {
        self.pin = pin
        self.isAttached = isAttached
        self.pulse = pulse
        self.range = range
    }

    /// The pulse in microseconds, rounded down; `nil` without pulses.
    public var pulseMicroseconds: Int? {
        pulse.map { Int($0.components.seconds) * 1_000_000 + Int($0.components.attoseconds / 1_000_000_000_000) }
    }

    /// The target angle in degrees from 0 to 180; `nil` without pulses.
    ///
    /// ESP32Servo's pulses are multiples of 19.5 µs, so this is up to 2° below the angle that the sketch wrote.
    public var angle: Double? {
        guard isAttached, let pulse, range.count > 1 else { return nil }
        let microseconds = pulse / .microseconds(1)
        let share = (microseconds - Double(range.lowerBound)) / Double(range.upperBound - range.lowerBound)
        return min(max(share, 0), 1) * 180
    }
}

extension ServoSignal {
    init(_ servo: cfc_servo) {
        let (minimum, maximum) = (Int(servo.minimum_us), Int(servo.maximum_us))
        self.init(
            pin: Int(servo.pin), isAttached: servo.is_attached != 0,
            pulse: servo.pulse_ns > 0 ? .nanoseconds(Int64(servo.pulse_ns)) : nil,
            range: min(minimum, maximum)...max(minimum, maximum))
    }
}
