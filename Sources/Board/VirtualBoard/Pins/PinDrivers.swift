import CFirmwareChannel

/// External drivers of the board's pins: the BOOT button with its pull-up, DTR and RTS on the same pin, and buttons to
/// ground on other pins.
struct PinDrivers {
    /// The pin of the BOOT button; low at the start of the chip means download mode.
    static let bootPin = 0

    /// The pins that an ESP32 has (SOC_GPIO_VALID_GPIO_MASK), as in the host core's `Sleep.h`.
    private static let pins = Set(0...39).subtracting([24] + Array(28...31))
    /// Those that a module's flash is connected to.
    private static let flashPins = 6...11

    /// The pins whose button is held.
    private(set) var pressed: Set<Int> = []
    /// Those that were pressed since the program that runs has started, or since the chip sleeps.
    private var recent: Set<Int> = []
    /// Whether DTR and RTS pull the BOOT button's pin low.
    private(set) var linesPullBoot = false

    /// Why there can be no button at a pin of the chip; `nil`: there can.
    static func fault(of pin: Int) -> String? {
        if !pins.contains(pin) { return "the ESP32 has no pin \(pin)" }
        return flashPins.contains(pin) ? "pin \(pin) is connected to the flash" : nil
    }

    /// Presses or releases a button; returns whether the state changed.
    mutating func setPressed(_ isPressed: Bool, pin: Int) -> Bool {
        guard isPressed else { return pressed.remove(pin) != nil }
        recent.insert(pin)
        return pressed.insert(pin).inserted
    }

    /// Whether the button that is released now was pressed since the last start or end of a program.
    mutating func takeRecent(_ pin: Int) -> Bool { recent.remove(pin) != nil }

    /// A program starts or has ended: a button that is held may have been meant for either.
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
