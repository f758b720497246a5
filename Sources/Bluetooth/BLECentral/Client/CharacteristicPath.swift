public import BLECore

/// Which characteristic of a peripheral, so that it can be found again on another connection: its type in a service's, and
/// which of several.
public struct CharacteristicPath: Hashable, Sendable {
    /// The type of the service.
    public var service: BLEUUID
    /// Which of the peripheral's services of this type, from 0.
    public var serviceIndex: Int
    /// The type of the characteristic.
    public var characteristic: BLEUUID
    /// Which of the service's characteristics of this type, from 0.
    public var index: Int

    /// A characteristic; by default the first of its type.
    public init(service: BLEUUID, serviceIndex: Int = 0, characteristic: BLEUUID, index: Int = 0) {
        self.service = service
        self.serviceIndex = serviceIndex
        self.characteristic = characteristic
        self.index = index
    }

    /// The path of a value; `nil` if it is none of `services`.
    package init?(of value: AttributeID, in services: [DiscoveredService]) {
        for (place, service) in services.enumerated() {
            guard let found = service.characteristics.firstIndex(where: { $0.value == value }) else { continue }
            let type = service.characteristics[found].uuid
            self.init(
                service: service.uuid, serviceIndex: services[..<place].count { $0.uuid == service.uuid },
                characteristic: type, index: service.characteristics[..<found].count { $0.uuid == type })
            return
        }
        return nil
    }
}

extension CharacteristicPath: CustomStringConvertible {
    /// E.g. `180D/2A37`, and `180D#1/2A37#2` for those that are not the first of their type.
    public var description: String {
        func part(_ type: BLEUUID, _ index: Int) -> String { index == 0 ? "\(type)" : "\(type)#\(index)" }
        return part(service, serviceIndex) + "/" + part(characteristic, index)
    }
}

extension Peripheral {
    /// The characteristic at a path.
    ///
    /// - Throws: `invalidState` when there is none.
    public func characteristic(_ path: CharacteristicPath) async throws(CentralError) -> Characteristic {
        let services = try await services().filter { $0.uuid == path.service }
        let found =
            services.indices.contains(path.serviceIndex)
            ? services[path.serviceIndex].characteristics.filter { $0.uuid == path.characteristic } : []
        guard found.indices.contains(path.index) else {
            throw CentralError(.invalidState, "expected the characteristic \(path), \(id) has none there")
        }
        return found[path.index]
    }
}
