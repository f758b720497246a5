import Bench
import BenchModel
import BLECentral
import BLECore
import YAMLReading
import Yams

/// `discover`: compares the discovered services with the expected ones.
struct DiscoverStep: SuiteStep {
    static let kind = StepKind(
        word: "discover", argument: .required,
        reference: [
            StepReference(
                """
                `discover: {service: {input: [write, write without response], output: [read, notify]}}`
                """,
                """
                exactly these characteristics and properties; also `broadcast`, `indicate`, `signed \
                write`, `extended`
                """)
        ], examples: ["discover: {180F: {2A19: [read, notify]}}"],
        mistake: "discover: {180F: {2A19: [reads]}}", isLimited: true,
        read: DiscoverStep.read)

    /// A required service, with exactly these characteristics in this order.
    struct Service: Sendable {
        var uuid: UUIDReference
        var characteristics: [Characteristic]
    }

    /// A required characteristic, with exactly these properties.
    struct Characteristic: Sendable {
        var uuid: UUIDReference
        var properties: CharacteristicProperties
    }

    /// The central.
    var central: CentralReference
    /// The expected services.
    var services: [Service]

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        let found = try await run.session.services(of: run.central(central))
        for wanted in services {
            let name = run.name(wanted.uuid)
            let uuid = run.uuid(wanted.uuid)
            guard let service = found.first(where: { $0.uuid == uuid }) else {
                var there: [String] = []
                for service in found { there.append(await run.session.name(of: service.uuid)) }
                let known = name == "\(uuid)" ? "the service \(uuid)" : "'\(name)' (\(uuid))"
                throw BenchFailure(.assertion, expected: "\(known) on the board", got: there.joined(separator: ", "))
            }
            let expected = wanted.characteristics.map { Self.describe(run.name($0.uuid), $0.properties) }
            var got: [String] = []
            for characteristic in service.characteristics {
                got.append(Self.describe(await run.session.name(of: characteristic.uuid), characteristic.properties))
            }
            let isEqual =
                wanted.characteristics.map { run.uuid($0.uuid) } == service.characteristics.map(\.uuid)
                && wanted.characteristics.map(\.properties) == service.characteristics.map(\.properties)
            guard isEqual else {
                throw BenchFailure(
                    .assertion, expected: "'\(name)' to have \(expected.joined(separator: ", "))",
                    got: got.isEmpty ? "no characteristics" : got.joined(separator: ", "))
            }
        }
    }

    private static func describe(_ name: String, _ properties: CharacteristicProperties) -> String {
        "\(name) (\(properties.names))"
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard case .mapping(let mapping) = text.value else {
            return text.refuse(
                "expected 'discover' to map services to their characteristics, got \(text.value.summary)",
                at: text.value)
        }
        guard let central = reader.central(mapping["on"], for: text.node) else { return nil }
        var services: [Service] = []
        for (key, value) in mapping where !["on", "within"].contains(key.scalar?.string) {
            guard let uuid = reader.uuid(key, "a service") else { continue }
            guard case .mapping(let characteristics) = value else {
                text.diagnostics.report(
                    "expected a service to map characteristics to their properties, got \(value.summary)", at: value)
                continue
            }
            services.append(
                Service(
                    uuid: uuid, characteristics: characteristics.compactMap { characteristic($0.key, $0.value, text) }))
        }
        if mapping.allSatisfy({ ["on", "within"].contains($0.key.scalar?.string) }) {
            return text.refuse("'discover' of no service proves nothing, expected at least one", at: text.value)
        }
        return DiscoverStep(central: central, services: services)
    }

    private static func characteristic(_ key: Node, _ value: Node, _ text: StepText) -> Characteristic? {
        guard let uuid = text.reader.uuid(key, "a characteristic") else { return nil }
        guard case .sequence(let names) = value else {
            return text.refuse("expected a list of properties, got \(value.summary)", at: value)
        }
        var properties: CharacteristicProperties = []
        for name in names {
            guard let property = CharacteristicProperties.named.first(where: { $0.name == name.scalar?.string }) else {
                let known = CharacteristicProperties.named.map(\.name)
                let meant = Suggestion.text(for: name.scalar?.string ?? "", in: known)
                text.diagnostics.report(
                    "unknown property \(name.summary)\(meant), expected one of: \(known.list)", at: name)
                continue
            }
            properties.insert(property.property)
        }
        return Characteristic(uuid: uuid, properties: properties)
    }
}
