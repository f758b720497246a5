import ESPChips

/// How the ESP32's ROM finds the frequency of its crystal: it counts the crystal's cycles against its RC oscillator, whose
/// frequency the eFuses state. The oscillator drifts, so the result is inexact, and so is a baud rate that the ROM sets
/// by it; flashers read both registers and request another rate ("Change Baudrate", ESP serial protocol).
enum ESP32Clock {
    /// TIMG0_RTCCALICFG1: the counted cycles, in bits 7 to 31.
    static let calibrationRegister: UInt32 = 0x3FF5_F06C
    /// EFUSE_BLK0_RDATA4: the oscillator's frequency, in bits 0 to 7.
    static let oscillatorFuse: UInt32 = 0x3FF5_A010
    /// The code in the eFuses of most chips.
    static let oscillatorCode: UInt32 = 51
    /// The oscillator of this chip is slower than its eFuses state, as warm ones are.
    private static let drift = 0.99

    /// The content of ``calibrationRegister`` with a crystal of `megahertz`.
    static func calibration(crystal megahertz: UInt32) -> UInt32 {
        let cycles = Double(megahertz) * 1e6 * drift * 40 / 15_625 / Double(oscillatorCode)
        return UInt32(cycles) << 7
    }

    /// The rate that the ROM sets when it is asked for `rate`.
    static func rate(_ rate: Int, crystal megahertz: UInt32) -> Int {
        let measured = Double(calibration(crystal: megahertz) >> 7) * 15_625 * Double(oscillatorCode) / 40
        return Int((Double(rate) * Double(megahertz) * 1e6 / measured).rounded())
    }
}
