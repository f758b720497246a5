extension PartKind {
    /// The courses of its quantities before the first `set`.
    var initialCourses: [QuantityCourse] { quantities.map { .constant($0.initial) } }
}

extension PartKind.Setting {
    /// The setting of the level at which a part works; the first is the default.
    static func active(_ first: String, _ second: String, _ summary: String) -> Self {
        .init("active", .word([first, second]), summary)
    }
}

extension Double {
    /// The nearest value in a range; its lower end if it is not a number.
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
