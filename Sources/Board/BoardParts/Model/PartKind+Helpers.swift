import YAMLReading

extension PartKind {
    /// The courses of its quantities before the first `set`.
    var initialCourses: [QuantityCourse] { quantities.map { .constant($0.initial) } }
}

extension PartKind.Quantity {
    /// A value as people read it: one of its words, or a number with its unit.
    package func text(_ value: Double) -> String {
        if let number = Int(exactly: value), words.indices.contains(number) { return words[number] }
        return value.decimal + (unit.isEmpty ? "" : " \(unit)")
    }

    /// The fault of a value that it cannot have; `nil`: it can.
    package func fault(of value: Double) -> String? {
        if !words.isEmpty {
            guard Int(exactly: value).map(words.indices.contains) != true else { return nil }
            return "expected '\(name)' as the number of one of: \(words.list), from 0; got \(value.decimal)"
        }
        guard !range.contains(value) else { return nil }
        let unit = unit.isEmpty ? "" : " \(unit)"
        return
            "expected '\(name)' of \(range.lowerBound.decimal)...\(range.upperBound.decimal)\(unit), got \(value.decimal)"
    }
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
