extension Duration {
    private static let nanosecondsPerUnit: [(unit: String, nanoseconds: Int64)] = [
        ("us", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000),
    ]

    /// A time as people write it: a number and one of the units us, ms, s and min, e.g. `1.5 s`; `nil` for anything else.
    public init?(text: String) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let scale = Self.nanosecondsPerUnit.first(where: { $0.unit == unit })?.nanoseconds else { return nil }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }), parts.count <= 2 else { return nil }
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow, nanoseconds <= Int64.max / 2 else { return nil }
        guard parts.count == 2 else {
            self = .nanoseconds(nanoseconds)
            return
        }
        guard (1...9).contains(parts[1].count), let digits = Int128(parts[1]) else { return nil }
        let divisor = parts[1].reduce(1 as Int128) { power, _ in power * 10 }
        self = .nanoseconds(nanoseconds + Int64(digits * Int128(scale) / divisor))
    }
}
