import CFirmwareChannel

/// What drives the board's pins from outside: the BOOT button with its resistor, the serial line's DTR and RTS beside it,
/// and buttons to ground anywhere else.
struct PinDrivers {
    /// The pin of the BOOT button; low at the start of the chip means download mode.
    static let bootPin = 0

    /// The pins whose button is held.
    private(set) var pressed: Set<Int> = []
    /// Whether DTR and RTS pull the BOOT button's pin low.
    private(set) var linesPullBoot = false

    /// Holds or lets go a button; returns whether that changed anything.
    mutating func setPressed(_ isPressed: Bool, pin: Int) -> Bool {
        if isPressed { return pressed.insert(pin).inserted }
        return pressed.remove(pin) != nil
    }

    /// Says whether DTR and RTS pull the BOOT button's pin low; returns whether that changed anything.
    mutating func setLinesPullBoot(_ isPulled: Bool) -> Bool {
        defer { linesPullBoot = isPulled }
        return linesPullBoot != isPulled
    }

    /// What drives a pin now.
    func drive(of pin: Int) -> Int {
        if pressed.contains(pin) || pin == Self.bootPin && linesPullBoot { return CFC_PIN_LOW }
        // A resistor on the board pulls GPIO 0 up; other pins have only the chip's own.
        return pin == Self.bootPin ? CFC_PIN_HIGH : CFC_PIN_FLOATING
    }

    /// The pins that are driven.
    var driven: [Int] { pressed.union([Self.bootPin]).sorted() }
}
