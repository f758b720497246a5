import MonotonicTime

extension Duration {
    /// The duration as reports show it, in the unit that fits: `12.345 ms`, `2 s`, `20 µs`.
    public var brief: String {
        let nanoseconds = wholeNanoseconds
        switch nanoseconds.magnitude {
        case 1_000_000_000...: return Self.decimal(nanoseconds, per: 1_000_000_000) + " s"
        case 1_000_000...: return Self.decimal(nanoseconds, per: 1_000_000) + " ms"
        case 1_000...: return Self.decimal(nanoseconds, per: 1_000) + " µs"
        default: return "\(nanoseconds) ns"
        }
    }

    /// `value / unit` with at most three digits after the point, rounded towards zero.
    private static func decimal(_ value: Int64, per unit: Int64) -> String {
        let thousandths = value.magnitude / UInt64(unit / 1000)
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        let sign = value < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(whole)" }
        var digits = String(fraction + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}
