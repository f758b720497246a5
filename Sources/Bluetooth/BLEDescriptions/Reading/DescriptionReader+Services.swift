import BLECore
import BLEPeripheral
import SourceText
import YAMLReading
import Yams

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

    /// What reading and writing require: one word for both, or a mapping.
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

    /// Of notifications and of steps of waves.
    static let shortestTime = Duration.milliseconds(1)
}
