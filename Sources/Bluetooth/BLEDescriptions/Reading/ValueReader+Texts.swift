import YAMLReading
import Yams

/// Names of numbers, ranges and bits.
extension ValueReader {
    /// `{0: off, 1: on}`
    ///
    /// - Parameter source: where the numbers come from.
    func names(_ node: Node, _ source: ValueDescription.Source) -> [(Int, String)] {
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected 'names' to map whole numbers to names, got \(node.summary)", at: node)
            return []
        }
        return mapping.compactMap { key, value in
            let text = key.scalar?.string ?? ""
            let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            if number == nil { diagnostics.report("expected a whole number, got \(key.summary)", at: key) }
            if let number, let held = source.integers, !held.contains(Int128(number)) {
                diagnostics.report(
                    "expected a number from \(held.lowerBound) to \(held.upperBound), got \(number)", at: key)
            }
            let name = scalars.text(value, "the name of a number")
            return number.flatMap { number in name.map { (number, $0) } }
        }
    }

    /// Reports the numbers of a simulated value that cannot be encoded, or are outside of its range.
    func check(_ wave: Wave, _ node: Node, _ source: ValueDescription.Source, _ range: ClosedRange<Double>?) {
        for number in wave.numbers {
            let fault =
                if let range, !range.contains(number) {
                    (range, "as 'range' says")
                } else if let held = source.numbers, !held.contains(number) {
                    (held, "which can be encoded")
                } else {
                    nil as (ClosedRange<Double>, String)?
                }
            guard let (allowed, why) = fault else { continue }
            let (low, high) = (allowed.lowerBound, allowed.upperBound)
            diagnostics.report(
                "expected numbers from \(number: low) to \(number: high), \(why), got \(number: number)", at: node)
        }
    }

    /// `[0, 100]`
    func range(_ node: Node) -> ClosedRange<Double>? {
        if case .sequence(let list) = node, list.count == 2 {
            let bounds = list.map { reader.number($0, "the bound of a range") }
            guard let low = bounds[0], let high = bounds[1] else { return nil }
            if low <= high { return low...high }
        }
        diagnostics.report(
            "expected 'range' to be the lowest and the highest number, such as [0, 100], got \(node.summary)", at: node)
        return nil
    }

    /// `3` or `1-2`
    func bits(_ node: Node) -> ClosedRange<Int>? {
        let parts = (node.scalar?.string ?? "").split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if (1...2).contains(parts.count), let first = parts.first ?? nil, let last = parts.last ?? nil,
            (0...63).contains(first), (first...63).contains(last)
        {
            return first...last
        }
        diagnostics.report("expected bits such as 3 or 1-2, of 0 to 63, got \(node.summary)", at: node)
        return nil
    }
}
