internal import ESPChips
import MonotonicTime

/// The ESP32's analog-to-digital converters: their curves, noise, and factory calibration.
///
/// The curves are those with which Espressif describes a chip whose reference voltage is 1,100 mV (ESP-IDF 5,
/// `esp_adc/esp32/adc_cali_line_fitting.c`): linear, with an offset below which all voltages read 0, and bent from 2,880 on
/// at the largest attenuation. A chip's calibration inverts its curve, so the two agree up to noise and rounding.
package struct AnalogConverter {
    /// The largest value of a conversion.
    static let maximum = 4095

    /// The noise of a conversion in units of its value: a standard deviation, as the datasheet's figures for DNL and
    /// measurements with a capacitor of 0.1 µF suggest.
    private static let noise = 2.0

    /// Microvolts of the value 0, and per unit, by attenuation.
    private struct Line {
        var offset: Double
        var slope: Double

        /// The values of a driver's table: the slope in 1/65,536 of 1/4,096 of the reference voltage, and the offset in mV.
        init(_ scale: Double, _ offset: Double) {
            slope = 1100 * scale / 4096 / 65536 * 1000
            self.offset = offset * 1000
        }
    }

    private static let lines: [[Line]] = [
        [Line(57431, 75), Line(76236, 78), Line(105481, 107), Line(196602, 142)],
        [Line(57236, 63), Line(76175, 66), Line(105678, 89), Line(197170, 128)],
    ]

    /// The millivolts of 2880, 2944, … at the largest attenuation: the means of Espressif's tables for 1,000 and 1,200 mV.
    private static let bends: [[Double]] = [
        [
            2453.5, 2501.5, 2548.5, 2592.5, 2635, 2678, 2718.5, 2758.5, 2796, 2832.5, 2868, 2900.5, 2932, 2963.5,
            2993.5, 3023.5, 3052, 3080, 3107, 3134.5,
        ],
        [
            2447.5, 2495.5, 2542.5, 2586.5, 2629, 2672.5, 2714, 2753.5, 2791.5, 2828, 2862.5, 2894, 2925.5, 2956,
            2985.5, 3014.5, 3042, 3069, 3095.5, 3122,
        ],
    ]
    private static let bendStart = 2880
    private static let bendStep = 64

    private let pins: ChipPins
    private var random: SeededRandom

    init(_ pins: ChipPins, random: SeededRandom) {
        self.pins = pins
        self.random = random
    }

    /// The converter of a pin, counted from 0; `nil`: the pin has none.
    func unit(of pin: Int) -> Int? { pins.adc1.contains(pin) ? 0 : pins.adc2.contains(pin) ? 1 : nil }

    /// The mean of `count` conversions of a voltage, and the millivolts that the chip's calibration gives for it.
    mutating func convert(volts: Double, unit: Int, attenuation: Int, count: Int) -> (raw: Int, millivolts: Int) {
        // Beyond the supply the converter is at its end, whatever comes.
        let volts = volts.isFinite ? min(max(volts, -1), 10) : 0
        let exact = Self.value(of: volts * 1e6, unit, attenuation)
        var sum = 0
        let count = min(max(count, 1), 4096)
        for _ in 0..<count {
            sum += min(max(Int((exact + gaussian() * Self.noise).rounded()), 0), Self.maximum)
        }
        let raw = (sum + count / 2) / count
        return (raw, Int((Self.microvolts(of: raw, unit, attenuation) / 1000).rounded()))
    }

    /// A voltage of a pin to which nothing is connected, in volts.
    mutating func floatingVoltage() -> Double { Double(random.next() >> 11) / Double(1 << 53) * 3.3 }

    /// The value of a touch pin that nobody touches: about 75 (arduino-esp32's default measuring time).
    mutating func untouched() -> Int32 { Int32((75 + gaussian()).rounded()) }

    /// A number of the normal distribution (the sum of twelve uniform ones).
    private mutating func gaussian() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += Double(random.next() >> 11) / Double(1 << 53) }
        return sum
    }

    /// The microvolts that a value stands for.
    package static func microvolts(of raw: Int, _ unit: Int, _ attenuation: Int) -> Double {
        let line = lines[unit][attenuation]
        guard attenuation == 3, raw >= bendStart else { return line.offset + line.slope * Double(raw) }
        let (index, rest) = (raw - bendStart).quotientAndRemainder(dividingBy: bendStep)
        let (low, high) = bounds(index, unit)
        return low + (high - low) * Double(rest) / Double(bendStep)
    }

    /// The microvolts at the ends of a section of the bent curve. The first begins where the line ends.
    private static func bounds(_ index: Int, _ unit: Int) -> (Double, Double) {
        let bend = bends[unit]
        let line = lines[unit][3]
        let low = index == 0 ? line.offset + line.slope * Double(bendStart) : bend[min(index, bend.count - 1)] * 1000
        return (low, bend[min(index + 1, bend.count - 1)] * 1000)
    }

    /// The value of a voltage, not rounded; below 0 and above the maximum where the converter is at its end.
    package static func value(of microvolts: Double, _ unit: Int, _ attenuation: Int) -> Double {
        let line = lines[unit][attenuation]
        let straight = (microvolts - line.offset) / line.slope
        guard attenuation == 3, straight >= Double(bendStart) else { return straight }
        for index in 0..<(bends[unit].count - 1) {
            let (low, high) = bounds(index, unit)
            guard microvolts < high else { continue }
            return Double(bendStart + index * bendStep) + (microvolts - low) / (high - low) * Double(bendStep)
        }
        let (low, high) = bounds(bends[unit].count - 2, unit)
        return Double(maximum) + 1 + (microvolts - high) / (high - low) * Double(bendStep)
    }
}
