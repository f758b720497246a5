import BLECore
import BLEHost
public import BLEPeripheral

extension PeripheralDefinition {
    /// The services, advertising and security of a described peripheral, with empty values.
    ///
    /// - Parameter name: the device name; `nil`: the first that such peripherals advertise, or the description's.
    public init(_ description: PeripheralDescription, name: String? = nil) {
        let name = name ?? description.advertisedNames.first ?? description.name
        self.init(name: name, services: description.services.map(ServiceDefinition.init))
        if let advertised = description.advertisedServices {
            // The lists of services follow the flags.
            let all = PeripheralDefinition(name: name, services: advertised.map { ServiceDefinition($0, []) })
            advertisingData = all.advertisingData
        }
        let needs = services.flatMap(\.characteristics).flatMap { [$0.readNeeds, $0.writeNeeds] }
        guard needs.contains(where: { $0 != .none }) else { return }
        let isAuthenticated = needs.contains(.authenticated)
        security.bonding = true
        security.secureConnections = true
        security.mitm = isAuthenticated
        security.ioCapability = isAuthenticated ? .displayOnly : .noInputNoOutput
    }
}

extension ServiceDefinition {
    fileprivate init(_ service: ServiceDescription) {
        self.init(service.uuid, service.characteristics.map(CharacteristicDefinition.init))
    }
}

extension CharacteristicDefinition {
    fileprivate init(_ characteristic: CharacteristicDescription) {
        let label = BLEUUID(0x2901)
        var descriptors = characteristic.descriptors.map { uuid in
            DescriptorDefinition(uuid, value: uuid == label ? Array((characteristic.label ?? "").utf8) : [])
        }
        if let text = characteristic.label, !characteristic.descriptors.contains(label) {
            descriptors.insert(DescriptorDefinition(label, value: Array(text.utf8)), at: 0)
        }
        self.init(
            characteristic.uuid, characteristic.properties, readNeeds: characteristic.readNeeds,
            writeNeeds: characteristic.writeNeeds, descriptors: descriptors)
    }
}
