import BLECore

/// The differences between a peripheral's services and a description.
public struct DatabaseComparison: Sendable {
    /// A difference.
    public struct Difference: Hashable, Sendable {
        /// The kind of a difference.
        public enum Kind: String, Hashable, Sendable {
            /// A service.
            case service
            /// A characteristic.
            case characteristic
            /// The properties of a characteristic.
            case properties
            /// A descriptor of a characteristic.
            case descriptor
            /// The security that reading a characteristic requires.
            case security
        }

        /// The position: `humidity.data`, or a UUID if it is not described.
        public var place: String
        /// The kind of the difference.
        public var kind: Kind
        /// The described state; `-`: nothing.
        public var expected: String
        /// The found state; `-`: nothing.
        public var found: String
    }

    /// A peer's answer to a read on a link without encryption.
    public enum ReadAnswer: Hashable, Sendable {
        /// The value.
        case value
        /// An error that requires security: insufficient authentication or encryption.
        case insufficientSecurity
        /// Another error.
        case refused
    }

    /// The differences: first in the order of the description, then the parts that are not described.
    public private(set) var differences: [Difference] = []

    /// Compares the services with the description.
    ///
    /// - Parameters:
    ///   - services: the discovered services. GAP and GATT, which every peripheral contains, are ignored unless
    ///     described.
    ///   - reads: the answers to reads on a link without encryption, if any.
    public init(
        _ description: PeripheralDescription, _ services: [DiscoveredService], reads: [AttributeID: ReadAnswer] = [:]
    ) {
        var rest = services
        for described in description.services {
            // A peripheral may have several services of one type, some of them added by a stack: use the most similar
            // one.
            let alike = rest.indices.filter { rest[$0].uuid == described.uuid }
            guard let index = alike.max(by: { described.likeness(to: rest[$0]) < described.likeness(to: rest[$1]) })
            else {
                if !described.isOptional { add(described.name, .service, "\(described.uuid)", "-") }
                continue
            }
            compare(described, rest.remove(at: index), reads)
        }
        let universal = [BLEUUID(0x1800), BLEUUID(0x1801)]
        for service in services
        where !universal.contains(service.uuid) && !description.services.contains(where: { $0.uuid == service.uuid }) {
            add("\(service.uuid)", .service, "-", "\(service.uuid)")
        }
    }

    private mutating func compare(
        _ described: ServiceDescription, _ found: DiscoveredService, _ reads: [AttributeID: ReadAnswer]
    ) {
        for expected in described.characteristics {
            guard let characteristic = found.characteristics.first(where: { $0.uuid == expected.uuid }) else {
                if !expected.isOptional { add(expected.path, .characteristic, "\(expected.uuid)", "-") }
                continue
            }
            compare(expected, characteristic, reads[characteristic.value])
        }
        for characteristic in found.characteristics where described.characteristic(characteristic.uuid) == nil {
            add(
                "\(described.name).\(characteristic.uuid)", .characteristic, "-",
                "\(characteristic.uuid) (\(characteristic.properties.names))")
        }
    }

    private mutating func compare(
        _ expected: CharacteristicDescription, _ found: DiscoveredCharacteristic, _ answer: ReadAnswer?
    ) {
        let needed = expected.properties.subtracting(expected.optionalProperties)
        if !found.properties.isSuperset(of: needed) || !found.properties.isSubset(of: expected.properties) {
            add(expected.path, .properties, Self.text(expected.properties), Self.text(found.properties))
        }
        var descriptors = expected.descriptors
        if !found.properties.isDisjoint(with: [.notify, .indicate]) { descriptors.append(BLEUUID(0x2902)) }
        if expected.label != nil { descriptors.append(BLEUUID(0x2901)) }
        let there = found.descriptors.map(\.uuid)
        for uuid in descriptors where !there.contains(uuid) { add(expected.path, .descriptor, "\(uuid)", "-") }
        for uuid in there where !descriptors.contains(uuid) { add(expected.path, .descriptor, "-", "\(uuid)") }
        guard let answer else { return }
        switch (expected.readNeeds, answer) {
        case (.none, .insufficientSecurity): add(expected.path, .security, "readable without pairing", "needs pairing")
        case (.encrypted, .value), (.authenticated, .value):
            add(expected.path, .security, "readable only \(expected.readNeeds)", "readable without pairing")
        case (.encrypted, _), (.authenticated, _), (.none, _): break
        }
    }

    private mutating func add(_ place: String, _ kind: Difference.Kind, _ expected: String, _ found: String) {
        differences.append(Difference(place: place, kind: kind, expected: expected, found: found))
    }

    private static func text(_ properties: CharacteristicProperties) -> String {
        properties.isEmpty ? "none" : properties.names
    }

    /// The differences as a table with headings; empty if there are no differences.
    public var table: String {
        guard !differences.isEmpty else { return "" }
        let rows =
            [["where", "what", "described", "found"]]
            + differences.map { [$0.place, $0.kind.rawValue, $0.expected, $0.found] }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            return (cells + [row[3]]).joined(separator: "  ") + "\n"
        }.joined()
    }
}

extension ServiceDescription {
    /// The number of a service's characteristics that are described, minus those that are not.
    fileprivate func likeness(to service: DiscoveredService) -> Int {
        service.characteristics.reduce(0) { $0 + (characteristic($1.uuid) == nil ? -1 : 1) }
    }
}
