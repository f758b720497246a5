import BLECore
import SourceText
import YAMLReading
import Yams

/// Reads all characteristics of a service together: the formulas of a characteristic may use values of the others.
struct ServiceReader {
    /// The keys of a characteristic.
    private static let keys = [
        "uuid", "properties", "optional properties", "security", "descriptors", "label", "optional", "notifies",
        "calibration", "period",
        "switch", "values", "sets",
    ]

    let reader: DescriptionReader
    private let service: String
    let defaults: DescriptionReader.Defaults

    var diagnostics: DiagnosticCollector { reader.diagnostics }
    var scalars: ScalarReader { reader.scalars }

    init(_ reader: DescriptionReader, _ service: String, _ defaults: DescriptionReader.Defaults) {
        self.reader = reader
        self.service = service
        self.defaults = defaults
    }

    /// A characteristic whose values have names, but no definitions yet.
    private struct Outline {
        var name: String
        var fields: Fields
        var values: [ValueOutline]
        var role: CharacteristicDescription.Role
        var firstSlot: Int
    }

    /// References to the service's values, by the names of the values, for formulas of other characteristics.
    private typealias Slots = [String: Formula.Reference]

    func characteristics(_ node: Node) -> [CharacteristicDescription] {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            diagnostics.report(
                "expected 'characteristics' to map names to characteristics, got \(node.summary)", at: node)
            return []
        }
        var slots: Slots = [:]
        var count = 0
        let outlines = mapping.compactMap { key, value -> Outline? in
            guard let name = reader.name(key, "a characteristic"),
                let fields = Fields(
                    value, of: "a characteristic", known: Self.keys + ValueReader.keys, diagnostics)
            else { return nil }
            let values = ValueOutline.all(in: fields, of: name, reader)
            let role = role(fields)
            // A sensor that sends values counts as on while its register has not been read.
            let on: Int128? = if case .configuration(_, let on, _) = role { Int128(on) } else { nil }
            for (index, value) in values.enumerated() {
                let unread = index == 0 ? on : nil
                let reference = Formula.Reference.context(count + index, unread: unread)
                if slots.updateValue(reference, forKey: value.name) != nil {
                    diagnostics.report("the service '\(service)' has two values '\(value.name)'", at: value.place)
                }
            }
            defer { count += values.count }
            return Outline(name: name, fields: fields, values: values, role: role, firstSlot: count)
        }
        let described = outlines.compactMap { characteristic($0, slots) }
        let uuids = described.map(\.uuid)
        for (index, uuid) in uuids.enumerated() where uuids[..<index].contains(uuid) {
            diagnostics.report("the characteristic \(uuid) is described twice in '\(service)'", at: node)
        }
        return described
    }

    private func characteristic(_ outline: Outline, _ slots: Slots) -> CharacteristicDescription? {
        let (fields, what) = (outline.fields, "a characteristic")
        let uuid = fields.required("uuid", of: what, diagnostics).flatMap { reader.uuid($0, defaults) }
        let properties = fields.required("properties", of: what, diagnostics).map(reader.properties)
        let optional = fields["optional properties"].map(reader.properties) ?? []
        let security = fields["security"].map(reader.security) ?? (.none, .none)
        let role = outline.role
        var context = slots
        for value in outline.values { context[value.name] = nil }
        let values = ValueReader(self, context, role).values(outline.values)
        let trigger = fields["notifies"].flatMap(reader.trigger)
        if let node = fields["notifies"], let properties,
            properties.union(optional).isDisjoint(with: [.notify, .indicate])
        {
            diagnostics.report("'notifies' needs the property notify or indicate", at: node)
        }
        let assignments = fields["sets"].map { self.assignments($0, outline.values, slots) } ?? []
        guard let uuid, let properties else { return nil }
        return CharacteristicDescription(
            path: "\(service).\(outline.name)", name: outline.name, uuid: uuid,
            properties: properties.union(optional), optionalProperties: optional, readNeeds: security.read,
            writeNeeds: security.write,
            descriptors: fields["descriptors"].map { reader.descriptors($0, defaults) } ?? [],
            label: fields["label"].flatMap { scalars.text($0, "a text of the Characteristic User Description") },
            isOptional: fields["optional"].flatMap { scalars.bool($0, "'optional'") } ?? false, role: role,
            trigger: trigger, values: values, assignments: assignments, firstSlot: outline.firstSlot)
    }

    /// The purpose of the characteristic; the first value of a register is the register's number.
    private func role(_ fields: Fields) -> CharacteristicDescription.Role {
        let roles = ["switch", "period", "calibration"].filter { fields[$0] != nil }
        if roles.count > 1 { diagnostics.report("expected one of \(roles.list), got several", at: fields.node) }
        if let node = fields["calibration"], scalars.bool(node, "'calibration'") == true { return .calibration }
        if let node = fields["period"] {
            guard let unit = scalars.duration(node, "the unit of the period"), unit >= DescriptionReader.shortestTime
            else {
                diagnostics.report("expected a unit of the period of at least 1 ms, got \(node.summary)", at: node)
                return .data
            }
            return .period(unit: unit)
        }
        guard let node = fields["switch"] else { return .data }
        let what = "'switch'"
        guard let words = Fields(node, of: what, known: ["off", "on", "calibrate"], diagnostics) else { return .data }
        let numbers = ["off", "on"].map { key in
            words.required(key, of: what, diagnostics).flatMap { reader.integer($0, "'\(key)'", 0...255) }
        }
        let calibrate = words["calibrate"].flatMap { reader.integer($0, "'calibrate'", 0...255) }
        guard let off = numbers[0], let on = numbers[1] else { return .data }
        return .configuration(off: off, on: on, calibrate: calibrate)
    }

    /// The values set by a write: names of values of the service, with formulas over the written values.
    private func assignments(
        _ node: Node, _ written: [ValueOutline], _ slots: Slots
    ) -> [CharacteristicDescription.Assignment] {
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected 'sets' to map values to formulas, got \(node.summary)", at: node)
            return []
        }
        let names = Dictionary(written.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return mapping.compactMap { key, value in
            let choices = slots.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            guard
                case .context(let slot, _) = scalars.choice(key, "a value of the service", among: choices)
            else { return nil }
            if let index = value.scalar.flatMap({ names[$0.string] }) {
                return CharacteristicDescription.Assignment(slot: slot, source: .copy(index))
            }
            return reader.formula(value, "a formula", names.mapValues { .value($0) }).map {
                CharacteristicDescription.Assignment(slot: slot, source: .formula($0))
            }
        }
    }
}

/// A value of a characteristic with its name and index, before its definition is read.
struct ValueOutline {
    let name: String
    let place: Node
    let content: Content

    enum Content {
        /// The keys of each alternative.
        case alternatives([Fields])
        /// Bits of the value at this index; the node contains either keys or only the numbers of the bits.
        case bits(of: Int, Node)
        /// Invalid, and reported.
        case faulty
    }

    /// The values of a characteristic, in the order of decoding: those under `values`, or a single one, which has the
    /// characteristic's name.
    static func all(in fields: Fields, of characteristic: String, _ reader: DescriptionReader) -> [ValueOutline] {
        let only = ValueReader.keys.filter { fields[$0] != nil }
        guard let node = fields["values"] else {
            guard !only.isEmpty || fields["switch"] != nil || fields["period"] != nil else { return [] }
            let value = ValueOutline(
                name: characteristic, place: fields.node, content: .alternatives([fields]))
            return [value] + bits(in: [fields], of: 0, reader)
        }
        if let key = only.first {
            reader.diagnostics.report(
                "expected '\(key)' inside one of the 'values', or a characteristic without 'values'", at: node)
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
