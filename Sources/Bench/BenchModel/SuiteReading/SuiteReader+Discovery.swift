import BLECore
import Yams

extension SuiteReader {
    /// Reads `discover`: services by name, each with its characteristics and their properties.
    func discover(_ node: Node, _ step: Node) -> DiscoverStep? {
        guard case .mapping(let mapping) = node else {
            diagnostics.report(
                "expected 'discover' to map services to their characteristics, got \(node.summary)", at: node)
            return nil
        }
        guard let client = client(mapping["on"], for: step) else { return nil }
        var services: [DiscoverStep.Service] = []
        for (key, value) in mapping where key.scalar?.string != "on" {
            guard let uuid = uuid(key, "a service") else { continue }
            guard case .mapping(let characteristics) = value else {
                diagnostics.report(
                    "expected a service to map characteristics to their properties, got \(value.summary)", at: value)
                continue
            }
            services.append(
                DiscoverStep.Service(
                    uuid: uuid,
                    characteristics: characteristics.compactMap { self.characteristic($0.key, $0.value) }))
        }
        return DiscoverStep(client: client, services: services)
    }

    private func characteristic(_ key: Node, _ value: Node) -> DiscoverStep.Characteristic? {
        guard let uuid = uuid(key, "a characteristic") else { return nil }
        guard case .sequence(let names) = value else {
            diagnostics.report("expected a list of properties, got \(value.summary)", at: value)
            return nil
        }
        var properties: CharacteristicProperties = []
        for name in names {
            guard let property = CharacteristicProperties.named.first(where: { $0.name == name.scalar?.string }) else {
                let known = CharacteristicProperties.named.map(\.name).list
                diagnostics.report("unknown property \(name.summary), expected one of: \(known)", at: name)
                continue
            }
            properties.insert(property.property)
        }
        return DiscoverStep.Characteristic(uuid: uuid, properties: properties)
    }
}
