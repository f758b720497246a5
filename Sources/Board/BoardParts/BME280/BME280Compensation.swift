/// The trimming values of one BME280, and Bosch's compensation (data sheet BST-BME280-DS001, 4.2.2, 4.2.3 and 8.1).
struct BME280Trimming: Sendable {
    // Temperature and pressure: of the example in the data sheet of BMP280 (BST-BMP280-DS001, 3.12), whose formulas are
    // the same; humidity: of a device.
    var t1 = 27504.0
    var t2 = 26435.0
    var t3 = -1000.0
    var p: [Double] = [36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]
    var h1 = 75.0
    var h2 = 363.0
    var h3 = 0.0
    var h4 = 313.0
    var h5 = 50.0
    var h6 = 30.0

    /// Registers 0x88...0xA1: low byte first; 0xA0 is reserved.
    var lowBytes: [UInt8] {
        ([t1, t2, t3] + p).flatMap { Self.bytes($0) } + [0, UInt8(h1)]
    }

    /// Registers 0xE1...0xE7: H4 and H5 share the byte at 0xE5.
    var highBytes: [UInt8] {
        let (h4, h5) = (Int(h4), Int(h5))
        return Self.bytes(h2) + [
            UInt8(h3), UInt8(truncatingIfNeeded: h4 >> 4), UInt8((h4 & 0xF) | (h5 & 0xF) << 4),
            UInt8(truncatingIfNeeded: h5 >> 4), UInt8(truncatingIfNeeded: Int(h6)),
        ]
    }

    private static func bytes(_ number: Double) -> [UInt8] {
        let bits = Int(number)
        return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }

    /// The temperature as the other formulas use it: 5120 per degree.
    func fineTemperature(raw: Double) -> Double {
        let first = (raw / 16384 - t1 / 1024) * t2
        let second = raw / 131072 - t1 / 8192
        return first + second * second * t3
    }

    /// The pressure in pascals.
    func pressure(raw: Double, fine: Double) -> Double {
        var first = fine / 2 - 64000
        var second = first * first * p[5] / 32768
        second += first * p[4] * 2
        second = second / 4 + p[3] * 65536
        first = (p[2] * first * first / 524288 + p[1] * first) / 524288
        first = (1 + first / 32768) * p[0]
        guard first != 0 else { return 0 }
        let pressure = (1_048_576 - raw - second / 4096) * 6250 / first
        return pressure + (p[8] * pressure * pressure / 2_147_483_648 + pressure * p[7] / 32768 + p[6]) / 16
    }

    /// The relative humidity in percent, not clipped.
    func humidity(raw: Double, fine: Double) -> Double {
        let temperature = fine - 76800
        let offset = h4 * 64 + h5 / 16384 * temperature
        let slope = h2 / 65536 * (1 + h6 / 67_108_864 * temperature * (1 + h3 / 67_108_864 * temperature))
        let humidity = (raw - offset) * slope
        return humidity * (1 - h1 * humidity / 524288)
    }

    /// The converter's value whose compensated number is nearest to `wanted`, which rises or falls evenly with it.
    static func raw(bits: Int, _ wanted: Double, _ compensated: (Double) -> Double) -> Int {
        var (low, high) = (0, (1 << bits) - 1)
        let isRising = compensated(Double(high)) > compensated(Double(low))
        while high - low > 1 {
            let middle = (low + high) / 2
            if (compensated(Double(middle)) > wanted) == isRising { high = middle } else { low = middle }
        }
        return abs(compensated(Double(high)) - wanted) < abs(compensated(Double(low)) - wanted) ? high : low
    }
}
