import BenchModel
import YAMLReading
import Yams

/// Reads a case's `each`: a mapping of names to ranges and lists, or a list of rows.
struct MatrixReader {
    private static let maximumAxisLength = 65_536

    let scalars: ScalarReader

    private var diagnostics: DiagnosticCollector { scalars.diagnostics }

    func matrix(_ node: Node) -> ParameterMatrix? {
        switch node {
        case .mapping(let mapping): product(mapping, node)
        case .sequence(let rows): table(rows, node)
        case .scalar, .alias:
            reported("expected 'each' to map names to values, or to be a list of rows, got \(node.summary)", node)
        }
    }

    /// The names that `node` defines, even if their values are faulty: a fault in a value must not cause an error at
    /// each use of the name. `nil`: the names could not be determined.
    func names(_ node: Node) -> [String]? {
        let mapping = node.mapping ?? node.sequence?.first?.mapping
        return mapping.map { $0.keys.compactMap { $0.scalar?.string } }
    }

    private func product(_ mapping: Node.Mapping, _ node: Node) -> ParameterMatrix? {
        var axes: [(name: String, values: [Int64])] = []
        for (key, value) in mapping {
            guard let name = name(key), let values = values(value) else { return nil }
            axes.append((name, values))
        }
        let limit = ParameterMatrix.maximumCount
        return ParameterMatrix(product: axes)
            ?? reported("expected at most \(limit) combinations, got more", node)
    }

    private func table(_ rows: Node.Sequence, _ node: Node) -> ParameterMatrix? {
        var names: [String] = []
        var values: [[Int64]] = []
        for row in rows {
            guard case .mapping(let mapping) = row else {
                return reported("expected a row that maps names to numbers, got \(row.summary)", row)
            }
            var rowValues: [Int64] = []
            var rowNames: [String] = []
            for (key, value) in mapping {
                guard let name = name(key), let value = number(value) else { return nil }
                rowNames.append(name)
                rowValues.append(value)
            }
            if values.isEmpty { names = rowNames }
            guard rowNames == names else {
                return reported("expected the names of the first row (\(names.list)), got (\(rowNames.list))", row)
            }
            values.append(rowValues)
        }
        guard !values.isEmpty else { return reported("expected at least one row, got none", node) }
        return ParameterMatrix(names: names, rows: values)
    }

    private func name(_ key: Node) -> String? {
        guard let text = key.scalar?.string, ExpressionLexer.isName(text) else {
            return reported("expected a parameter's name of letters, digits and '_', got \(key.summary)", key)
        }
        return text
    }

    private func number(_ node: Node) -> Int64? {
        if let text = node.scalar?.string, node.isQuoted || text.contains("."), bound(text[...]) == nil {
            return reported("a parameter is a whole number, such as 5, -1 or 0xFF, got \(node.summary)", node)
        }
        return scalars.expression(node, "a whole number", [])?.constant
    }

    /// The values of one parameter: a range `0...255`, or a list of numbers and ranges.
    private func values(_ node: Node) -> [Int64]? {
        var values: [Int64] = []
        let elements: [Node] = node.sequence.map { Array($0) } ?? [node]
        for element in elements {
            guard let range = range(element) else { return nil }
            guard range.count <= Self.maximumAxisLength - values.count else {
                return reported("expected at most \(Self.maximumAxisLength) values of one parameter, got more", element)
            }
            values.append(contentsOf: range)
        }
        guard !values.isEmpty else { return reported("expected at least one value, got none", node) }
        return values
    }

    private func range(_ node: Node) -> ClosedRange<Int64>? {
        guard let text = node.scalar?.string, let dots = text.firstRange(of: "...") else {
            if let text = node.scalar?.string, let dots = text.firstRange(of: "..") {
                let (low, high) = (bound(text[..<dots.lowerBound]), bound(text[dots.upperBound...]))
                let example = low.flatMap { low in high.map { "\(low)...\($0)" } } ?? "0...255"
                return reported("a range is written \(example), with both ends and three dots, got '\(text)'", node)
            }
            return number(node).map { $0...$0 }
        }
        let lower = bound(text[..<dots.lowerBound])
        let upper = bound(text[dots.upperBound...])
        guard let lower, let upper, lower <= upper, upper.subtractingReportingOverflow(lower).overflow == false else {
            return reported("expected a range from low to high such as 0...255, got '\(text)'", node)
        }
        return lower...upper
    }

    private func bound(_ text: Substring) -> Int64? {
        do throws(ExpressionError) {
            return try Expression(String(text), parameters: []).constant
        } catch {
            return nil
        }
    }

    private func reported<Value>(_ message: String, _ node: Node) -> Value? {
        diagnostics.report(message, at: node)
        return nil
    }
}

extension Node {
    /// True for a text in quotes.
    fileprivate var isQuoted: Bool {
        guard case .scalar(let scalar) = self else { return false }
        return scalar.style == .singleQuoted || scalar.style == .doubleQuoted
    }
}
