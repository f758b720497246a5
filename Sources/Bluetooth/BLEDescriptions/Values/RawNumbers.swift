import SourceText

extension ValueScope {
    /// The encoding of `content` in a field: the nearest value that the field can hold.
    ///
    /// - Parameter former: the raw number of the previous encoding: waves change slowly.
    /// - Throws: `notEncodable`.
    func raw(
        _ content: DescribedContent, _ value: ValueDescription, _ field: ValueDescription.Field,
        near former: Int128? = nil
    ) throws(DescriptionError) -> DescribedContent {
        let content = value.whole(content)?.content ?? content
        if let range = value.range {
            guard let number = content.number, range.contains(number) else {
                throw value.unfit(
                    characteristic, "a number of \(range.shown), got \(ValueRendering(value).text(content))")
            }
        }
        switch field.conversion {
        case .none:
            guard field.type.integers != nil, case .real(let number) = content else { return content }
            guard let whole = Int128(exactly: number.rounded()) else {
                throw value.unfit(characteristic, field.type.expectation)
            }
            return .integer(whole)
        case .linear(let scale, let offset):
            guard let number = content.number else { throw value.unfit(characteristic, "a number") }
            let raw = (number - offset) / scale
            guard let integers = field.type.integers else { return .real(raw) }
            guard let whole = Int128(exactly: raw.rounded()), integers.contains(whole) else {
                throw value.unfit(
                    characteristic, "a value whose field is \(field.type.expectation), it would be \(number: raw)")
            }
            return .integer(whole)
        case .formula(let formula):
            guard let number = content.number else { throw value.unfit(characteristic, "a number") }
            guard let integers = field.type.integers else {
                throw value.unfit(characteristic, "not set: its formula can only be inverted for whole numbers")
            }
            return .integer(try inverted(number, value, Inverse(formula, numbers(of: formula), integers), near: former))
        }
    }

    /// The raw number for which the formula's result is nearest.
    private func inverted(
        _ wanted: Double, _ value: ValueDescription, _ inverse: Inverse, near former: Int128?
    ) throws(DescriptionError) -> Int128 {
        if let former, let found = inverse.raw(wanted, near: former) { return found }
        switch inverse.raw(wanted) {
        case .found(let raw): return raw
        case .outside(let range?):
            throw value.unfit(characteristic, "a number of \(range.shown), got \(number: wanted)")
        case .outside(nil): throw value.unfit(characteristic, "of a formula with results")
        }
    }
}

extension ValueDescription {
    /// The whole number with this name, or given as a number.
    func whole(_ content: DescribedContent) -> Number? {
        switch content {
        case .text(let name): names.first { $0.name == name }.map { .integer($0.number) }
        case .flag(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real, .bytes, .list: nil
        }
    }

    func unfit(_ characteristic: CharacteristicDescription, _ expectation: String) -> DescriptionError {
        let known = names.isEmpty ? "" : " or one of: \(names.map(\.name).list)"
        return DescriptionError(
            .notEncodable, "\(characteristic.path): expected '\(name)' to be \(expectation)\(known)")
    }
}

extension ClosedRange<Double> {
    fileprivate var shown: String { "\(number: lowerBound) to \(number: upperBound)" }
}

/// Inverts a formula for whole numbers, by trying.
private struct Inverse {
    /// The number of raw numbers tried before the search narrows between two of them: a formula may rise and fall, and
    /// may lack results in places.
    private static let samples: Int128 = 64

    private let formula: Formula
    /// The numbers of the formula's other names.
    private let numbers: [Number?]
    private let integers: ClosedRange<Int128>

    init(_ formula: Formula, _ numbers: [Number?], _ integers: ClosedRange<Int128>) {
        self.formula = formula
        self.numbers = numbers
        self.integers = integers
    }

    enum Found {
        case found(Int128)
        /// The wanted number is not in the range of the results; `nil`: there are none.
        case outside(ClosedRange<Double>?)
    }

    /// The raw number for which the result is nearest.
    func raw(_ wanted: Double) -> Found {
        let step = max(1, (integers.upperBound - integers.lowerBound) / Self.samples)
        var before: (raw: Int128, result: Double)?
        var lowest = Double.infinity
        var highest = -Double.infinity
        for sample in 0...Self.samples {
            let raw = sample == Self.samples ? integers.upperBound : integers.lowerBound + sample * step
            guard integers.contains(raw), let result = result(raw) else {
                before = nil
                continue
            }
            (lowest, highest) = (min(lowest, result), max(highest, result))
            if let before, (before.result <= wanted) != (result < wanted) || result == wanted {
                return .found(narrowed(wanted, before.raw, raw, isRising: before.result <= result))
            }
            before = (raw, result)
        }
        return .outside(lowest <= highest ? lowest...highest : nil)
    }

    /// The raw number near a former one; `nil` if it is not between two tried numbers.
    func raw(_ wanted: Double, near former: Int128) -> Int128? {
        guard let origin = result(former) else { return nil }
        var width: Int128 = 1
        while width < 4096 {
            for raw in [former - width, former + width] where integers.contains(raw) {
                guard let result = result(raw) else { continue }
                if (origin <= wanted) != (result < wanted) || result == wanted {
                    // Most often the value has hardly changed.
                    if width == 1 { return nearer(wanted, (former, origin), (raw, result)) }
                    return raw < former
                        ? narrowed(wanted, raw, former, isRising: result <= origin)
                        : narrowed(wanted, former, raw, isRising: origin <= result)
                }
            }
            width *= 8
        }
        return nil
    }

    private func narrowed(_ wanted: Double, _ first: Int128, _ last: Int128, isRising: Bool) -> Int128 {
        var (low, high) = (first, last)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            guard let result = result(middle) else { break }
            if (result < wanted) == isRising { low = middle } else { high = middle }
        }
        return nearer(wanted, (low, result(low) ?? .infinity), (high, result(high) ?? .infinity))
    }

    /// The raw number whose result is nearer; of equal ones the higher.
    private func nearer(
        _ wanted: Double, _ one: (raw: Int128, result: Double), _ other: (raw: Int128, result: Double)
    ) -> Int128 {
        let (first, second) = (abs(one.result - wanted), abs(other.result - wanted))
        return first == second ? max(one.raw, other.raw) : first < second ? one.raw : other.raw
    }

    private func result(_ raw: Int128) -> Double? {
        guard let result = try? formula.evaluate(.integer(raw), numbers).double, result.isFinite else { return nil }
        return result
    }
}
