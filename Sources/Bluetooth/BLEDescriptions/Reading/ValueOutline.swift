import YAMLReading
import Yams

/// A value of a characteristic with its name and place, before it is read.
struct ValueOutline {
    let name: String
    let place: Node
    let content: Content

    enum Content {
        /// The keys of each alternative.
        case alternatives([Fields])
        /// Bits of the value of that index: their keys, or the bits themselves.
        case bits(of: Int, Node)
        /// Not readable; reported.
        case faulty
    }

    /// The values of a characteristic, in the order in which they are decoded: those under `values`, or the only one,
    /// which has the characteristic's name.
    static func all(in fields: Fields, of characteristic: String, _ reader: DescriptionReader) -> [ValueOutline] {
        let only = ValueReader.keys.filter { fields[$0] != nil }
        guard let node = fields["values"] else {
            guard !only.isEmpty || fields["switch"] != nil || fields["period"] != nil else { return [] }
            let value = ValueOutline(
                name: characteristic, place: fields.node, content: .alternatives([fields]))
            return [value] + bits(in: [fields], of: 0, reader)
        }
        if let key = only.first {
            reader.diagnostics.report("expected '\(key)' in one of the 'values', or no 'values'", at: node)
        }
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            reader.diagnostics.report("expected 'values' to map names to values, got \(node.summary)", at: node)
            return []
        }
        var outlines: [ValueOutline] = []
        for (key, value) in mapping {
            guard let name = reader.name(key, "a value") else { continue }
            let alternatives = alternatives(value, reader)
            outlines.append(
                ValueOutline(
                    name: name, place: key, content: alternatives.isEmpty ? .faulty : .alternatives(alternatives)))
            outlines += bits(in: alternatives, of: outlines.count - 1, reader)
        }
        return outlines
    }

    private static func alternatives(_ node: Node, _ reader: DescriptionReader) -> [Fields] {
        let nodes = if case .sequence(let list) = node { Array(list) } else { [node] }
        if nodes.isEmpty { reader.diagnostics.report("expected a value with keys, got an empty list", at: node) }
        return nodes.compactMap { Fields($0, of: "a value", known: ValueReader.keys, reader.diagnostics) }
    }

    private static func bits(in alternatives: [Fields], of parent: Int, _ reader: DescriptionReader) -> [ValueOutline] {
        guard let node = alternatives.first?["bits"] else { return [] }
        if alternatives.count > 1 {
            reader.diagnostics.report("'bits' cannot be of a value with alternatives", at: node)
        }
        guard case .mapping(let mapping) = node else {
            reader.diagnostics.report("expected 'bits' to map names to bits, got \(node.summary)", at: node)
            return []
        }
        return mapping.compactMap { key, value in
            reader.name(key, "bits").map { ValueOutline(name: $0, place: key, content: .bits(of: parent, value)) }
        }
    }
}
