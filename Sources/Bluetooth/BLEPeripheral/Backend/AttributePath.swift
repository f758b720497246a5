public import BLECore

/// The place of an attribute in a ``PeripheralDefinition``: a UUID may occur more than once.
public struct AttributePath: Hashable, Sendable {
    /// The index in ``PeripheralDefinition/services``.
    public var service: Int
    /// The index in ``ServiceDefinition/characteristics``.
    public var characteristic: Int
    /// The index in ``CharacteristicDefinition/descriptors``; `nil`: the characteristic's value.
    public var descriptor: Int?

    /// A place; it need not exist.
    public init(service: Int, characteristic: Int, descriptor: Int? = nil) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }
}

extension PeripheralDefinition {
    /// The places of all characteristic values and descriptors, in order.
    public var attributes: [AttributePath] {
        services.indices.flatMap { service in
            services[service].characteristics.indices.flatMap { characteristic in
                let descriptors = services[service].characteristics[characteristic].descriptors.indices
                return [AttributePath(service: service, characteristic: characteristic)]
                    + descriptors.map {
                        AttributePath(service: service, characteristic: characteristic, descriptor: $0)
                    }
            }
        }
    }

    /// The characteristic at or around a place; `nil` if it does not exist.
    public func characteristic(at path: AttributePath) -> CharacteristicDefinition? {
        guard services.indices.contains(path.service),
            services[path.service].characteristics.indices.contains(path.characteristic)
        else { return nil }
        return services[path.service].characteristics[path.characteristic]
    }

    /// The descriptor at a place; `nil` if it does not exist, or is a characteristic's value.
    public func descriptor(at path: AttributePath) -> DescriptorDefinition? {
        guard let index = path.descriptor, let descriptors = characteristic(at: path)?.descriptors,
            descriptors.indices.contains(index)
        else { return nil }
        return descriptors[index]
    }

    /// The UUID of the attribute at a place; `nil` if it does not exist.
    public func uuid(at path: AttributePath) -> BLEUUID? {
        path.descriptor == nil ? characteristic(at: path)?.uuid : descriptor(at: path)?.uuid
    }

    /// The place of the first characteristic value with this UUID, in this service if one is given.
    public func characteristic(_ uuid: BLEUUID, in service: BLEUUID? = nil) -> AttributePath? {
        attributes.first { path in
            path.descriptor == nil && self.uuid(at: path) == uuid
                && (service == nil || services[path.service].uuid == service)
        }
    }
}
