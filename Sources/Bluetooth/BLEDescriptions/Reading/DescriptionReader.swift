import BLECore
import SourceText
public import YAMLReading
import Yams

/// Reads descriptions: every part reports its faults, and is read as far as possible.
struct DescriptionReader {
    let diagnostics: DiagnosticCollector
    let scalars: ScalarReader
    /// The lines of the file, for positions in texts of several lines.
    let lines: [Substring]

    init(_ diagnostics: DiagnosticCollector, _ yaml: String) {
        self.diagnostics = diagnostics
        scalars = ScalarReader(diagnostics: diagnostics)
        lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Settings for the whole description.
    struct Defaults {
        var base: String?
        var isBigEndian = false
    }

    func peripheral(_ root: Node) -> PeripheralDescription? {
        let what = "a description"
        let known = ["name", "title", "advertised as", "advertises", "base", "byte order", "services"]
        guard let fields = Fields(root, of: what, known: known, diagnostics) else { return nil }
        let name = fields.required("name", of: what, diagnostics).flatMap { scalars.text($0, "the description's name") }
        let title = fields["title"].flatMap { scalars.text($0, "a title") }
        var defaults = Defaults()
        defaults.base = fields["base"].flatMap(base)
        defaults.isBigEndian = fields["byte order"].flatMap(order) ?? false
        let services = fields.required("services", of: what, diagnostics).map { self.services($0, defaults) } ?? []
        let advertisedNames = fields["advertised as"].map { texts($0, "the names in advertisements") } ?? []
        let advertised = fields["advertises"].map { advertisedServices($0, services) }
        guard let name else { return nil }
        return PeripheralDescription(
            name: name, title: title ?? name, advertisedNames: advertisedNames, advertisedServices: advertised,
            services: services)
    }

    /// The base UUID, with `xxxx` in place of the number of a `base+` UUID.
    private func base(_ node: Node) -> String? {
        if let text = node.scalar?.string, text.lowercased().count(of: "xxxx") == 1,
            BLEUUID(text.lowercased().replacing("xxxx", with: "0000")) != nil
        {
            return text.lowercased()
        }
        diagnostics.report(
            "expected 'base' to be a UUID with xxxx for 16 bits, such as F000xxxx-0451-4000-B000-000000000000, got \(node.summary)",
            at: node)
        return nil
    }

    /// True if the most significant byte comes first.
    func order(_ node: Node) -> Bool? {
        scalars.choice(node, "a byte order", among: [("little", false), ("big", true)])
    }

    /// One text, or a list of them.
    private func texts(_ node: Node, _ what: String) -> [String] {
        guard case .sequence(let list) = node else { return scalars.text(node, what).map { [$0] } ?? [] }
        return list.compactMap { scalars.text($0, what) }
    }

    private func advertisedServices(_ node: Node, _ services: [ServiceDescription]) -> [BLEUUID] {
        guard case .sequence(let list) = node else {
            diagnostics.report("expected 'advertises' to be a list of services, got \(node.summary)", at: node)
            return []
        }
        return list.compactMap { entry in
            scalars.choice(entry, "a service", among: services.map { ($0.name, $0.uuid) })
        }
    }

    func uuid(_ node: Node, _ defaults: Defaults) -> BLEUUID? {
        let text = node.scalar?.string ?? ""
        if text.hasPrefix("base+") {
            guard let base = defaults.base else {
                diagnostics.report("'\(text)' needs the key 'base' of the description", at: node)
                return nil
            }
            let number = text.dropFirst("base+".count)
            if number.utf8.count == 4, let uuid = BLEUUID(base.replacing("xxxx", with: number)) { return uuid }
        } else if let uuid = BLEUUID(text) {
            return uuid
        }
        diagnostics.report(
            "expected a UUID of 4, 8 or 32 hexadecimal digits, or base+ and 4 hexadecimal digits, got \(node.summary)",
            at: node)
        return nil
    }

    /// The name in a mapping's key.
    func name(_ node: Node, _ what: String) -> String? {
        if let name = node.scalar?.string, FormulaLexer.isName(name) { return name }
        diagnostics.report(
            "expected a name of letters, digits and '_' for \(what), other than raw, not, and, or; got \(node.summary)",
            at: node)
        return nil
    }

    /// A number, which may be given as a formula without names, such as `1/1024`.
    func number(_ node: Node, _ what: String) -> Double? {
        guard let formula = formula(node, what, [:]), let number = formula.constant?.double else { return nil }
        guard number.isFinite else {
            diagnostics.report("expected a number for \(what), got \(node.summary)", at: node)
            return nil
        }
        return number
    }

    func integer(_ node: Node, _ what: String, _ range: ClosedRange<Int>) -> Int? {
        if let number = node.scalar.flatMap({ Int($0.string) }), range.contains(number) { return number }
        diagnostics.report(
            "expected \(what) of \(range.lowerBound) to \(range.upperBound), got \(node.summary)", at: node)
        return nil
    }

    func formula(_ node: Node, _ what: String, _ names: [String: Formula.Reference]) -> Formula? {
        guard let text = scalars.text(node, what) else { return nil }
        do throws(FormulaError) {
            return try FormulaCompiler.formula(text, names: names)
        } catch {
            diagnostics.report(error.message, at: position(of: error.offset, in: text, node))
            return nil
        }
    }

    /// The position in the file of a byte of a scalar's text.
    private func position(of offset: Int, in text: String, _ node: Node) -> SourcePosition {
        let before = text.utf8.prefix(offset)
        let newline = UInt8(ascii: "\n")
        guard case .scalar(let scalar) = node, scalar.style == .literal else {
            return before.contains(newline) ? node.position : node.textPosition.advanced(by: offset)
        }
        let line = node.position.line + 1 + before.count { $0 == newline }
        let indent = lines.indices.contains(line - 1) ? lines[line - 1].prefix { $0 == " " }.count : 0
        return SourcePosition(line: line, column: indent + 1 + before.reversed().prefix { $0 != newline }.count)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}

/// Services and characteristics.
extension DescriptionReader {
    func services(_ node: Node, _ defaults: Defaults) -> [ServiceDescription] {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            diagnostics.report("expected 'services' to map names to services, got \(node.summary)", at: node)
            return []
        }
        var uuids: Set<BLEUUID> = []
        return mapping.compactMap { key, value in
            let service = service(key, value, defaults)
            if let service, !uuids.insert(service.uuid).inserted {
                diagnostics.report("the service \(service.uuid) is described twice", at: key)
            }
            return service
        }
    }

    private func service(_ key: Node, _ node: Node, _ defaults: Defaults) -> ServiceDescription? {
        let what = "a service"
        guard let name = name(key, what),
            let fields = Fields(node, of: what, known: ["uuid", "optional", "characteristics"], diagnostics)
        else { return nil }
        let uuid = fields.required("uuid", of: what, diagnostics).flatMap { self.uuid($0, defaults) }
        let isOptional = fields["optional"].flatMap { scalars.bool($0, "'optional'") } ?? false
        guard let list = fields.required("characteristics", of: what, diagnostics) else { return nil }
        let characteristics = ServiceReader(self, name, defaults).characteristics(list)
        guard let uuid else { return nil }
        return ServiceDescription(name: name, uuid: uuid, isOptional: isOptional, characteristics: characteristics)
    }

    /// One property, or a list of them.
    func properties(_ node: Node) -> CharacteristicProperties {
        let nodes = if case .sequence(let list) = node { Array(list) } else { [node] }
        let choices = CharacteristicProperties.named.map { ($0.name, $0.property) }
        return nodes.reduce(into: []) { properties, entry in
            if let property = scalars.choice(entry, "a property", among: choices) { properties.formUnion(property) }
        }
    }

    /// The requirements for reading and writing: one word for both, or a mapping.
    func security(_ node: Node) -> (read: AttributeProtection, write: AttributeProtection) {
        guard case .mapping = node else {
            let both = protection(node)
            return (both, both)
        }
        guard let fields = Fields(node, of: "'security'", known: ["read", "write"], diagnostics) else {
            return (.none, .none)
        }
        return (fields["read"].map(protection) ?? .none, fields["write"].map(protection) ?? .none)
    }

    private func protection(_ node: Node) -> AttributeProtection {
        scalars.choice(
            node, "what the link must be",
            among: [("none", .none), ("encrypted", .encrypted), ("authenticated", .authenticated)]
        ) ?? .none
    }

    func descriptors(_ node: Node, _ defaults: Defaults) -> [BLEUUID] {
        guard case .sequence(let list) = node else {
            diagnostics.report("expected 'descriptors' to be a list of UUIDs, got \(node.summary)", at: node)
            return []
        }
        return list.compactMap { uuid($0, defaults) }
    }

    func trigger(_ node: Node) -> CharacteristicDescription.Trigger? {
        switch node.scalar?.string {
        case "period": return .period
        case "change": return .change
        default:
            if let text = node.scalar?.string, text.hasPrefix("every "),
                let time = Duration(text: String(text.dropFirst("every ".count))), time >= Self.shortestTime
            {
                return .every(time)
            }
            diagnostics.report(
                "expected 'notifies' to be period, change or a time of at least 1 ms such as every 10 s, got \(node.summary)",
                at: node)
            return nil
        }
    }

    /// The shortest time between notifications, and between steps of waves.
    static let shortestTime = Duration.milliseconds(1)
}

extension PeripheralDescription {
    /// Reads a description from YAML text; `file` is its name in messages. `README.md` of this target documents the format.
    ///
    /// - Throws: every fault with its line and column.
    public init(yaml: String, file: String) throws(DocumentError) {
        let diagnostics = DiagnosticCollector(file: file)
        var description: PeripheralDescription?
        switch diagnostics.document(yaml) {
        case .root(let root): description = DescriptionReader(diagnostics, yaml).peripheral(root)
        case .empty:
            diagnostics.report(
                "expected a description with the keys 'name' and 'services', the file is empty",
                at: SourcePosition(line: 1, column: 1))
        case .faulty: break
        }
        try diagnostics.finish()
        guard let description else { preconditionFailure("expected a report of what is wrong with \(file)") }
        self = description
    }
}
