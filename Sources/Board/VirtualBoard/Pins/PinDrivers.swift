import CFirmwareChannel

/// External drivers of the board's pins: the BOOT button with its pull-up, DTR and RTS on the same pin, and buttons to
/// ground on other pins.
struct PinDrivers {
    /// The pin of the BOOT button; low at the start of the chip means download mode.
    static let bootPin = 0

    /// The pins whose button is held.
    private(set) var pressed: Set<Int> = []
    /// Whether DTR and RTS pull the BOOT button's pin low.
    private(set) var linesPullBoot = false

    /// Presses or releases a button; returns whether the state changed.
    mutating func setPressed(_ isPressed: Bool, pin: Int) -> Bool {
        if isPressed { return pressed.insert(pin).inserted }
        return pressed.remove(pin) != nil
    }

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
