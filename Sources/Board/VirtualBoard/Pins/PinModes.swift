import CFirmwareChannel

/// What a program has made of the chip's pins (`CFC_PIN_MODE`).
struct PinModes {
    /// The bits of a mode, as Arduino's `INPUT` and `OUTPUT` have them.
    private static let input: UInt32 = 1
    private static let driven: UInt32 = 2
    private static let pullUp: UInt32 = 4

    private var modes: [Int: UInt32] = [:]
    private var inputs: Set<Int> = []
    private var pulledUp: Set<Int> = []

    /// A pin is what `mode` says from now on.
    mutating func set(_ pin: Int, mode: UInt32) {
        modes[pin] = mode
        if mode & Self.input != 0 { inputs.insert(pin) }
        if mode & Self.pullUp != 0 { pulledUp.insert(pin) }
    }

    /// Whether the program drives the pin now.
    func isDriven(_ pin: Int) -> Bool { modes[pin, default: 0] & Self.driven != 0 }

    /// Whether the program has read the pin at some time.
    func wasInput(_ pin: Int) -> Bool { inputs.contains(pin) }

    /// True if the program has switched the pin's pull-up on at some time: without one it always reads LOW.
    func wasPulledUp(_ pin: Int) -> Bool { pulledUp.contains(pin) }

    /// Why a call for a pin had no effect (`CFC_PIN_IGNORED`); one line.
    static func reason(_ fields: cfc_pin) -> String {
        switch Int(fields.value) {
        case CFC_IGNORED_NO_PIN: "the ESP32 does not have it"
        case CFC_IGNORED_NO_OUTPUT: "it can only be an input"
        case CFC_IGNORED_NO_PULL: "it has no pull-up and no pull-down"
        case CFC_IGNORED_WRITE: "digitalWrite() before pinMode() has no effect"
        case CFC_IGNORED_READ: "digitalRead() before pinMode() is always LOW"
        case CFC_IGNORED_NOT_DRIVEN: "a level was written, but it is no output"
        default: "a call had no effect"
        }
    }
}
