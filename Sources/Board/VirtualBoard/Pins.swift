internal import CFirmwareChannel
internal import ESPChips

/// External drivers of the board's pins: the BOOT button with its pull-up, DTR and RTS on the same pin, and buttons to
/// ground on other pins.
struct PinDrivers {
    /// The pin of the BOOT button; low at the start of the chip means download mode.
    static let bootPin = 0

    /// The pins whose button is held.
    private(set) var pressed: Set<Int> = []
    /// The pins whose button was pressed since the last program ended, or the chip slept or was woken by a pin.
    private var recent: Set<Int> = []
    /// True if DTR and RTS pull the BOOT button's pin low.
    private(set) var linesPullBoot = false

    /// The reason why a pin of the chip cannot have a button; `nil`: it can.
    static func fault(of pin: Int) -> String? { ChipPins.esp32.fault(of: pin) }

    /// Presses or releases a button; returns whether the state changed.
    mutating func setPressed(_ isPressed: Bool, pin: Int) -> Bool {
        guard isPressed else { return pressed.remove(pin) != nil }
        recent.insert(pin)
        return pressed.insert(pin).inserted
    }

    /// True if the button that is released now was pressed since the last program ended.
    mutating func takeRecent(_ pin: Int) -> Bool { recent.remove(pin) != nil }

    /// Handles the end of a program, or a wake-up by a pin: a button that is held was meant for the program before.
    mutating func forgetRecent() { recent.removeAll() }

    /// Sets whether DTR and RTS pull the BOOT button's pin low; returns whether the state changed.
    mutating func setLinesPullBoot(_ isPulled: Bool) -> Bool {
        defer { linesPullBoot = isPulled }
        return linesPullBoot != isPulled
    }

    /// The current level or drive of a pin.
    func drive(of pin: Int) -> Int {
        if pressed.contains(pin) || pin == Self.bootPin && linesPullBoot { return CFC_PIN_LOW }
        // GPIO 0 has a pull-up on the board; other pins have only the chip's.
        return pin == Self.bootPin ? CFC_PIN_HIGH : CFC_PIN_FLOATING
    }

    /// The pins that are driven.
    var driven: [Int] { pressed.union([Self.bootPin]).sorted() }
}

/// The modes that a program has given to the chip's pins (`CFC_PIN_MODE`).
package struct PinModes {
    /// The bits of a mode, as in Arduino's `INPUT` and `OUTPUT`.
    private static let input: UInt32 = 1
    private static let driven: UInt32 = 2
    private static let pullUp: UInt32 = 4
    private static let pullDown: UInt32 = 8
    private static let openDrain: UInt32 = 16

    private var modes: [Int: UInt32] = [:]
    private var inputs: Set<Int> = []
    private var pulledUp: Set<Int> = []
    private var pulledDown: Set<Int> = []

    /// No modes yet.
    package init() {}

    /// Sets the mode of a pin.
    package mutating func set(_ pin: Int, mode: UInt32) {
        modes[pin] = mode
        // OUTPUT has the input on, too, but reads only what the chip itself drives.
        let isOfOthers = mode & Self.driven == 0 || mode & Self.openDrain != 0
        if mode & Self.input != 0, isOfOthers { inputs.insert(pin) }
        if mode & Self.pullUp != 0 { pulledUp.insert(pin) }
        if mode & Self.pullDown != 0 { pulledDown.insert(pin) }
    }

    /// True if the program drives the pin now.
    func isDriven(_ pin: Int) -> Bool { modes[pin, default: 0] & Self.driven != 0 }

    /// The pins that the program drives now.
    var driven: [Int] { modes.keys.filter(isDriven).sorted() }

    /// The pins that have been inputs, without those that the program drives now.
    var usedInputs: [Int] { inputs.filter { !isDriven($0) }.sorted() }

    /// True if the program has read the pin at some time.
    func wasInput(_ pin: Int) -> Bool { inputs.contains(pin) }

    /// True if the program has switched the pin's pull-up on at some time: without a pull-up, it always reads LOW.
    func wasPulledUp(_ pin: Int) -> Bool { pulledUp.contains(pin) }

    /// True if the program has switched the pin's pull-down on at some time.
    func wasPulledDown(_ pin: Int) -> Bool { pulledDown.contains(pin) }

    /// The reason why a call for a pin had no effect (`CFC_PIN_IGNORED`); one line.
    static func reason(_ fields: cfc_pin) -> String {
        switch Int(fields.value) {
        case CFC_IGNORED_NO_PIN: "the ESP32 does not have it"
        case CFC_IGNORED_NO_OUTPUT: "it can only be an input"
        case CFC_IGNORED_NO_PULL: "it has no pull-up and no pull-down"
        case CFC_IGNORED_WRITE: "digitalWrite() before pinMode() has no effect"
        case CFC_IGNORED_READ: "digitalRead() before pinMode() is always LOW"
        case CFC_IGNORED_NOT_DRIVEN: "a level was written, but it is not an output"
        default: "a call had no effect"
        }
    }
}

/// The signal of a servo's pin.
public struct ServoSignal: Hashable, Sendable {
    /// The GPIO number.
    public var pin: Int
    /// True if a servo is attached to the pin; a detached servo stays in place, without torque.
    public var isAttached: Bool
    /// The length of a pulse; `nil` without pulses.
    public var pulse: Duration?
    /// The pulses for 0° and 180° with which the sketch attached the servo, in microseconds.
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
