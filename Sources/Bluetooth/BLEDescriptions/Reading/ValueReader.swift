import SourceText
import YAMLReading
import Yams

/// Reads the definitions of the values of one characteristic.
struct ValueReader {
    /// The keys of a value.
    static let keys = [
        "type", "at", "length", "bits", "order", "scale", "offset", "value", "unit", "names", "range", "decimals", "if",
        "repeat", "simulated",
    ]
    private static let bitKeys = ["bits", "names", "unit", "range", "simulated"]
    /// The last offset in the longest value (Core 5.4, Vol 3 Part F 3.2.9).
    private static let offsets = 0...511

    private let service: ServiceReader
    private let role: CharacteristicDescription.Role
    /// The service's other values.
    private let context: [String: Formula.Reference]

    var diagnostics: DiagnosticCollector { service.diagnostics }
    var scalars: ScalarReader { service.scalars }
    var reader: DescriptionReader { service.reader }

    init(
        _ service: ServiceReader, _ context: [String: Formula.Reference], _ role: CharacteristicDescription.Role
    ) {
        self.service = service
        self.role = role
        self.context = context
    }

    func values(_ outlines: [ValueOutline]) -> [ValueDescription] {
        var names = context
        var isOpen = false
        return outlines.enumerated().map { index, outline in
            let value = value(outline, names, &isOpen)
            names[outline.name] = .value(index)
            names["\(outline.name).raw"] = .raw(index)
            return value
        }
    }

    /// - Parameter isOpen: true if an earlier field extends to the end.
    private func value(
        _ outline: ValueOutline, _ names: [String: Formula.Reference], _ isOpen: inout Bool
    ) -> ValueDescription {
        switch outline.content {
        case .alternatives(let alternatives):
            guard let first = alternatives.first else { break }
            let isList = first["repeat"].flatMap { scalars.bool($0, "'repeat'") } ?? false
            let source = source(alternatives, names, outline)
            if case .field(let fields) = source {
                if isOpen, fields.contains(where: { $0.offset == nil }) {
                    diagnostics.report(
                        "'\(outline.name)' needs 'at', the value before it goes to the end", at: outline.place)
                }
                isOpen = isList || fields.contains { $0.type.length == nil }
            }
            return described(outline.name, first, isList, source)
        case .bits(let parent, let node):
            let fields =
                if case .mapping = node { Fields(node, of: "bits", known: Self.bitKeys, diagnostics) } else {
                    nil as Fields?
                }
            let place = fields.map { $0.required("bits", of: "bits", diagnostics) } ?? node
            let bits = place.flatMap(bits) ?? 0...0
            return described(
                outline.name, fields, false, .bits(of: parent, lowest: bits.lowerBound, count: bits.count))
        case .faulty: break
        }
        return described(outline.name, nil, false, .field([]))
    }

    private func described(
        _ name: String, _ fields: Fields?, _ isList: Bool, _ source: ValueDescription.Source
    ) -> ValueDescription {
        var names = fields?["names"].map { self.names($0, source) } ?? []
        var unit = fields?["unit"].flatMap { scalars.text($0, "a unit") }
        switch role {
        case .configuration(let off, let on, let calibrate) where names.isEmpty && source.isField:
            names = [(off, "off"), (on, "on")] + (calibrate.map { [($0, "calibrate")] } ?? []).map { ($0.0, $0.1) }
        case .period where source.isField: unit = unit ?? "ms"
        default: break
        }
        let range = fields?["range"].flatMap(range)
        let simulation = fields?["simulated"].flatMap { node in
            WaveReader(reader, names).wave(node).map { wave in
                check(wave, node, source, range)
                return wave
            }
        }
        return ValueDescription(
            name: name, unit: unit, names: names.map { (Int128($0.0), $0.1) },
            range: range,
            decimals: fields?["decimals"].flatMap { reader.integer($0, "'decimals'", 0...9) }, isList: isList,
            simulation: simulation, source: source)
    }

    private func source(
        _ alternatives: [Fields], _ names: [String: Formula.Reference], _ outline: ValueOutline
    ) -> ValueDescription.Source {
        guard let first = alternatives.first, first["type"] == nil, alternatives.count == 1, let node = first["value"]
        else { return .field(alternatives.compactMap { field($0, names, outline) }) }
        let condition = first["if"].flatMap { reader.formula($0, "a condition", names) }
        guard let formula = reader.formula(node, "a formula", names) else { return .field([]) }
        return .computed(formula, condition: condition)
    }

    private func field(
        _ fields: Fields, _ names: [String: Formula.Reference], _ outline: ValueOutline
    ) -> ValueDescription.Field? {
        let condition = fields["if"].flatMap { reader.formula($0, "a condition", names) }
        let offset = fields["at"].flatMap { reader.integer($0, "an offset", Self.offsets) }
        let order = fields["order"].flatMap(reader.order)
        // Registers have one byte, unless the description gives a type.
        guard
            let type = fields["type"].map({ type($0, fields) })
                ?? (role == .data ? nil : .integer(width: 1, isSigned: false))
        else {
            if fields["type"] == nil {
                diagnostics.report(
                    "'\(outline.name)' lacks the key 'type' (or 'value', to compute it)", at: outline.place)
            }
            return nil
        }
        if case .integer = type {
        } else if let node = fields["bits"] {
            diagnostics.report("'bits' can only be of a whole number", at: node)
        }
        if let node = fields["repeat"], type.length == nil {
            diagnostics.report("'repeat' needs a type of a known length", at: node)
        }
        let isBytes = if case .bytes = type { true } else { false }
        return ValueDescription.Field(
            condition: condition, type: type, offset: offset,
            isBigEndian: order ?? (isBytes || service.defaults.isBigEndian),
            conversion: conversion(fields, type, names))
    }

    private func type(_ node: Node, _ fields: Fields) -> FieldType? {
        let length = fields["length"].flatMap { reader.integer($0, "a length", 1...512) }
        let word = node.scalar?.string ?? ""
        guard let type = FieldType(word, length: length) else {
            diagnostics.report(
                "expected a type, one of: \(FieldType.words.list), got \(node.summary)\(Suggestion.text(for: word, in: FieldType.words))",
                at: node)
            return nil
        }
        if let node = fields["length"], type.isNumber {
            diagnostics.report("'length' is for utf8, utf16 and bytes", at: node)
        }
        return type
    }

    private func conversion(
        _ fields: Fields, _ type: FieldType, _ names: [String: Formula.Reference]
    ) -> ValueDescription.Conversion {
        let given = ["scale", "offset", "value"].filter { fields[$0] != nil }
        if let key = given.first, !type.isNumber, let node = fields[key] {
            diagnostics.report("'\(key)' is for numbers", at: node)
        }
        if let node = fields["value"] {
            if given.count > 1 { diagnostics.report("expected 'value', or 'scale' and 'offset'", at: node) }
            let known = names.merging(["raw": .ownRaw]) { _, new in new }
            return reader.formula(node, "a formula", known).map { .formula($0) } ?? .none
        }
        var scale = fields["scale"].flatMap { reader.number($0, "'scale'") }
        if scale == 0, let node = fields["scale"] { diagnostics.report("expected 'scale' not to be 0", at: node) }
        let offset = fields["offset"].flatMap { reader.number($0, "'offset'") }
        if case .period(let unit) = role { scale = scale ?? unit / .milliseconds(1) }
        guard scale != nil || offset != nil else { return .none }
        return .linear(scale: scale ?? 1, offset: offset ?? 0)
    }
}

/// Names of numbers, ranges and bits.
extension ValueReader {
    /// `{0: off, 1: on}`
    ///
    /// - Parameter source: the source of the numbers.
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

    /// Reports the numbers of a simulated value that cannot be encoded, or are out of its range.
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
