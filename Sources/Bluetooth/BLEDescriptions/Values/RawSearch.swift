import SourceText

/// Finds the raw number of a field for a value.
struct RawSearch {
    /// The number of raw numbers tried before the search narrows between two of them: a formula may rise and fall, and
    /// may lack results in places.
    private static let samples: Int128 = 64

    private let scope: ValueScope
    private let value: ValueDescription
    private let field: ValueDescription.Field

    /// The raw number of the previous encoding: waves change slowly.
    private let former: Int128?

    init(
        _ scope: ValueScope, _ value: ValueDescription, _ field: ValueDescription.Field, near former: Int128? = nil
    ) {
        self.scope = scope
        self.value = value
        self.field = field
        self.former = former
    }

    /// The encoding of `content`: the nearest value that the field can hold.
    ///
    /// - Throws: `notEncodable`.
    func raw(_ content: DescribedContent) throws(DescriptionError) -> DescribedContent {
        let content = Self.whole(content, value)?.content ?? content
        if let range = value.range {
            guard let number = content.number, range.contains(number) else {
                let (low, high) = (range.lowerBound, range.upperBound)
                throw unfit("a number of \(shown(low)) to \(shown(high)), got \(ValueRendering(value).text(content))")
            }
        }
        switch field.conversion {
        case .none:
            guard field.type.integers != nil, case .real(let number) = content else { return content }
            guard let whole = Int128(exactly: number.rounded()) else { throw unfit(field.type.expectation) }
            return .integer(whole)
        case .linear(let scale, let offset):
            guard let number = content.number else { throw unfit("a number") }
            return try rounded((number - offset) / scale)
        case .formula:
            guard let number = content.number else { throw unfit("a number") }
            return .integer(try inverted(number))
        }
    }

    /// The whole number with this name, or given as a number.
    static func whole(_ content: DescribedContent, _ value: ValueDescription) -> Number? {
        switch content {
        case .text(let name): value.names.first { $0.name == name }.map { .integer($0.number) }
        case .flag(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real, .bytes, .list: nil
        }
    }

    static func unfit(
        _ value: ValueDescription, _ characteristic: CharacteristicDescription, _ expectation: String
    ) -> DescriptionError {
        let names = value.names.isEmpty ? "" : " or one of: \(value.names.map(\.name).list)"
        return DescriptionError(
            .notEncodable, "\(characteristic.path): expected '\(value.name)' to be \(expectation)\(names)")
    }

    private func unfit(_ expectation: String) -> DescriptionError {
        Self.unfit(value, scope.characteristic, expectation)
    }

    private func shown(_ number: Double) -> String { "\(number: number)" }

    private func rounded(_ number: Double) throws(DescriptionError) -> DescribedContent {
        guard let integers = field.type.integers else { return .real(number) }
        guard let whole = Int128(exactly: number.rounded()), integers.contains(whole) else {
            throw unfit("a value whose field is \(field.type.expectation), it would be \(shown(number))")
        }
        return .integer(whole)
    }

    /// The raw number for which the formula's result is nearest.
    private func inverted(_ wanted: Double) throws(DescriptionError) -> Int128 {
        guard let integers = field.type.integers else {
            throw unfit("not set: its formula can only be inverted for whole numbers")
        }
        if let former, let found = inverted(wanted, near: former, integers) { return found }
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
                return narrowed(wanted, before.raw, raw, isRising: before.result <= result)
            }
            before = (raw, result)
        }
        guard lowest <= highest else { throw unfit("of a formula with results") }
        throw unfit("a number of \(shown(lowest)) to \(shown(highest)), got \(shown(wanted))")
    }

    /// The raw number near a former one; `nil` if it is not between two tried numbers.
    private func inverted(_ wanted: Double, near former: Int128, _ integers: ClosedRange<Int128>) -> Int128? {
        guard let origin = result(former) else { return nil }
        var width: Int128 = 8
        while width < 4096 {
            for raw in [former - width, former + width] where integers.contains(raw) {
                guard let result = result(raw) else { continue }
                if (origin <= wanted) != (result < wanted) || result == wanted {
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
        let distance = { (raw: Int128) in result(raw).map { abs($0 - wanted) } ?? .infinity }
        return distance(low) < distance(high) ? low : high
    }

    private func result(_ raw: Int128) -> Double? {
        let content = try? scope.converted(.integer(raw), .integer(raw), field, value)
        return content?.number.flatMap { $0.isFinite ? $0 : nil }
    }
}
