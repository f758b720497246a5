public import BLECore

/// Says what the values of a peripheral mean: decodes each with the description that fits the peripheral best, and what was
/// read before, e.g. a calibration.
public struct ValueInterpreter: Sendable {
    private let descriptions: [PeripheralDescription]
    /// What was read, by the path of the service.
    private var contexts: [String: DecodingContext] = [:]

    /// An interpreter.
    ///
    /// - Parameters:
    ///   - descriptions: of those with the same service, the one comes first of which the peripheral has most.
    ///   - services: the services of the peripheral; `nil`: not known.
    public init(
        _ descriptions: [PeripheralDescription] = PeripheralDescription.catalogue, services: [BLEUUID]? = nil
    ) {
        guard let services = services.map(Set.init) else {
            self.descriptions = descriptions
            return
        }
        let ranked = descriptions.enumerated().map { index, description in
            let found = description.services.count { services.contains($0.uuid) }
            let missing = description.services.count { !services.contains($0.uuid) && !$0.isOptional }
            return (description: description, rank: (missing, -found, index))
        }
        self.descriptions = ranked.sorted { $0.rank < $1.rank }.map(\.description)
    }

    /// Decodes a value; `nil` when it is not described.
    ///
    /// - Throws: as ``CharacteristicDescription/decode(_:_:)``.
    public mutating func reading(
        _ bytes: [UInt8], of characteristic: BLEUUID, in service: BLEUUID
    ) throws(DescriptionError) -> DescribedReading? {
        for description in descriptions {
            if let found = description.characteristic(characteristic, in: service) {
                return try reading(bytes, found, description)
            }
        }
        return nil
    }

    /// What a value means, or why it is not as described; `nil` when it is not described, or the bytes say all.
    public mutating func text(_ bytes: [UInt8], of characteristic: BLEUUID, in service: BLEUUID) -> String? {
        Self.text { () throws(DescriptionError) in try reading(bytes, of: characteristic, in: service) }
    }

    /// What a value of the characteristic of that name means: its path or its UUID, which only one description has; `nil` when
    /// that is not so.
    ///
    /// - Parameter given: descriptions of which the name of a characteristic is enough: what a suite of its own calls `state` is
    ///   not what any other peripheral has of that name.
    public mutating func text(
        _ bytes: [UInt8], named name: String, of given: [PeripheralDescription] = []
    ) -> String? {
        let uuid = BLEUUID(name)
        let all = descriptions.flatMap { description in
            description.services.flatMap(\.characteristics).map { (description, $0) }
        }
        let byPath = all.filter { $0.1.path == name || uuid == $0.1.uuid }
        let found =
            byPath.isEmpty
            ? all.filter { found in found.1.name == name && given.contains { $0.name == found.0.name } } : byPath
        guard let first = found.first, found.allSatisfy({ $0.1.uuid == first.1.uuid }) else { return nil }
        return Self.text { () throws(DescriptionError) in try reading(bytes, first.1, first.0) }
    }

    private mutating func reading(
        _ bytes: [UInt8], _ characteristic: CharacteristicDescription, _ description: PeripheralDescription
    ) throws(DescriptionError) -> DescribedReading? {
        guard !characteristic.values.isEmpty else { return nil }
        let place = "\(description.name) \(characteristic.path.prefix { $0 != "." })"
        let reading = try characteristic.decode(bytes, contexts[place] ?? DecodingContext())
        // Data is nothing that other values need.
        if characteristic.role != .data { contexts[place, default: DecodingContext()].note(reading) }
        return reading
    }

    private static func text(_ read: () throws(DescriptionError) -> DescribedReading?) -> String? {
        do throws(DescriptionError) {
            guard let reading = try read() else { return nil }
            if reading.contents.count == 1, case .bytes? = reading.contents[0] { return nil }
            return reading.text
        } catch {
            return "(\(error))"
        }
    }
}
