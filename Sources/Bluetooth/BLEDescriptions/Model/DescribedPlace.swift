/// A characteristic of a description, or one of its values.
package struct DescribedPlace: Sendable {
    /// Its service.
    package let service: ServiceDescription
    /// The characteristic.
    package let characteristic: CharacteristicDescription
    /// Which of its values; `nil`: all of several.
    package let value: Int?

    package init(service: ServiceDescription, characteristic: CharacteristicDescription, value: Int?) {
        self.service = service
        self.characteristic = characteristic
        self.value = value
    }
}

extension PeripheralDescription {
    /// What is called `path`, e.g. `humidity.relative` or `humidity.data`; of a characteristic and a value of one name, the
    /// value.
    ///
    /// - Throws: `unknownName`.
    package func place(_ path: String) throws(DescriptionError) -> DescribedPlace {
        let names = try ValuePath(path, in: self)
        let service = try service(named: names.service)
        for characteristic in service.characteristics {
            if let value = characteristic.values.firstIndex(where: { $0.name == names.rest }) {
                return DescribedPlace(service: service, characteristic: characteristic, value: value)
            }
        }
        if let characteristic = service.characteristics.first(where: { $0.name == names.rest }) {
            let only = characteristic.values.count == 1 ? 0 : nil
            return DescribedPlace(service: service, characteristic: characteristic, value: only)
        }
        let known = service.characteristics.flatMap { [$0.name] + $0.values.map(\.name) }
        throw DescriptionError(unknown: "characteristic or value", names.rest, in: service.name, among: known)
    }

    /// Everything that can be named: services, characteristics and values.
    package var allNames: [String] {
        services.flatMap { service in
            [service.name]
                + service.characteristics.flatMap { characteristic in
                    ([characteristic.name] + characteristic.values.map(\.name)).map { "\(service.name).\($0)" }
                }
        }
    }
}
