/// The numbers of IEEE 11073-20601 (SFLOAT and FLOAT): a mantissa and an exponent to the base 10, both signed.
enum MedicalFloat {
    /// The sizes of mantissa and exponent.
    enum Format {
        case sfloat
        case float

        var mantissaBits: Int { self == .sfloat ? 12 : 24 }
        var exponents: ClosedRange<Int> { self == .sfloat ? -8...7 : -128...127 }
        /// The largest mantissa of a number; those above and their negatives are special values.
        var largest: Int { (1 << (mantissaBits - 1)) - 3 }
    }

    /// The number; "not at this resolution" and reserved values are no numbers either.
    static func number(_ raw: UInt32, _ format: Format) -> Double {
        let width = format.mantissaBits
        let sign = 1 << (width - 1)
        let field = Int(raw) & (1 << width - 1)
        let mantissa = field >= sign ? field - 2 * sign : field
        let high = Int(raw >> UInt32(width))
        // The special values: +∞ and −∞ next to the largest numbers, then those that are no numbers.
        switch mantissa {
        case _ where high != 0: break
        case sign - 2: return .infinity
        case 2 - sign: return -.infinity
        case sign - 1, -sign, 1 - sign: return .nan
        default: break
        }
        let exponent = high > format.exponents.upperBound ? high - 2 * (format.exponents.upperBound + 1) : high
        return scaled(mantissa, exponent)
    }

    /// The representation of `number` with as many digits as fit; `nil` for a number that is too large.
    static func raw(_ number: Double, _ format: Format) -> UInt32? {
        let (width, sign) = (format.mantissaBits, 1 << (format.mantissaBits - 1))
        if number.isNaN { return UInt32(sign - 1) }
        if number.isInfinite { return UInt32((number > 0 ? sign - 2 : 2 - sign) & (1 << width - 1)) }
        for exponent in format.exponents {
            let mantissa = scaled(number, -exponent).rounded()
            guard abs(mantissa) <= Double(format.largest) else { continue }
            var (value, power) = (Int(mantissa), exponent)
            // The usual form: 36.5 is 365 × 10⁻¹.
            while value != 0, value.isMultiple(of: 10), power < 0 { (value, power) = (value / 10, power + 1) }
            if value == 0 { power = 0 }
            let bits = UInt32(bitPattern: Int32(power)) << UInt32(width)
            return (bits | UInt32(value & (1 << width - 1))) & (format == .sfloat ? 0xFFFF : .max)
        }
        return nil
    }

    /// Powers of ten that are exact are divided by, so that 365 × 10⁻¹ is the number nearest to 36.5.
    private static func scaled(_ mantissa: Int, _ exponent: Int) -> Double { scaled(Double(mantissa), exponent) }

    private static func scaled(_ number: Double, _ exponent: Int) -> Double {
        exponent < 0 ? number / Math.power(10, Double(-exponent)) : number * Math.power(10, Double(exponent))
    }
}
