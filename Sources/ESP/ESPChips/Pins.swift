/// The pins of a chip: what each can do, and what a module or the chip's start uses it for.
///
/// Source: the chips' datasheets, chapters "Pins" and "IO MUX and GPIO", and ESP-IDF's `soc/<chip>`.
public struct ChipPins: Sendable {
    /// The chip's name.
    public let chip: String
    /// The GPIO numbers that exist.
    public let all: Set<Int>
    /// The pins that cannot be outputs, and have no pull-up and pull-down.
    public let inputOnly: Set<Int>
    /// The pins that a module connects to its flash, from which the chip reads its code.
    public let flash: Set<Int>
    /// The pins whose level at a reset selects the chip's start.
    public let strapping: Set<Int>
    /// The pins of the first analog-to-digital converter, in the order of its channels.
    public let adc1: [Int]
    /// The pins of the second converter.
    public let adc2: [Int]
    /// The pins of the digital-to-analog converters.
    public let dac: [Int]
    /// The touch pins, in the order of their channels.
    public let touch: [Int]
    /// The pins that keep their function, or wake the chip, in deep sleep.
    public let rtc: Set<Int>
    /// The console's transmitter and receiver.
    public let console: (transmit: Int, receive: Int)
    /// The pins of the first I²C bus unless a sketch gives others (arduino-esp32, `pins_arduino.h` of the generic board).
    public let i2c: (data: Int, clock: Int)
    /// The pins of JTAG, or of USB.
    public let debugging: Set<Int>

    /// The reason why nothing can be wired to a pin; `nil`: it can.
    public func fault(of pin: Int) -> String? {
        if !all.contains(pin) { return "the \(chip) has no pin \(pin)" }
        return flash.contains(pin) ? "pin \(pin) is connected to the flash" : nil
    }
}

extension ChipPins {
    /// The ESP32's.
    public static let esp32 = ChipPins(
        chip: "ESP32", all: Set(0...39).subtracting([24, 28, 29, 30, 31]), inputOnly: Set(34...39),
        flash: Set(6...11), strapping: [0, 2, 5, 12, 15], adc1: [36, 37, 38, 39, 32, 33, 34, 35],
        adc2: [4, 0, 2, 15, 13, 12, 14, 27, 25, 26], dac: [25, 26], touch: [4, 0, 2, 15, 13, 12, 14, 27, 33, 32],
        rtc: Set([0, 2, 4, 25, 26, 27] + Array(12...15) + Array(32...39)), console: (1, 3), i2c: (21, 22),
        debugging: Set(12...15))

    /// The table of a chip; `nil`: espbench has none.
    public init?(_ chip: Chip) {
        guard let pins = Self.all.first(where: { $0.chip == chip.name }) else { return nil }
        self = pins
    }

    /// The tables.
    public static let all: [ChipPins] = [
        esp32,
        ChipPins(
            chip: "ESP32-S3", all: Set(0...48).subtracting(22...25), inputOnly: [], flash: Set(26...32),
            strapping: [0, 3, 45, 46], adc1: Array(1...10), adc2: Array(11...20), dac: [], touch: Array(1...14),
            rtc: Set(0...21), console: (43, 44), i2c: (8, 9), debugging: Set([19, 20] + Array(39...42))),
        ChipPins(
            chip: "ESP32-C3", all: Set(0...21), inputOnly: [], flash: Set(12...17), strapping: [2, 8, 9],
            adc1: Array(0...4), adc2: [5], dac: [], touch: [], rtc: Set(0...5), console: (21, 20), i2c: (8, 9),
            debugging: Set([18, 19] + Array(4...7))),
        ChipPins(
            chip: "ESP32-C6", all: Set(0...30), inputOnly: [], flash: Set(24...30), strapping: [4, 5, 8, 9, 15],
            adc1: Array(0...6), adc2: [], dac: [], touch: [], rtc: Set(0...7), console: (16, 17), i2c: (23, 22),
            debugging: Set([12, 13] + Array(4...7))),
    ]
}
