public import BLECore

/// What is known of a kind of peripheral: its services and characteristics by name, and what their values mean.
///
/// Read from YAML (``init(yaml:file:)``), or one of the ``catalogue``.
public struct PeripheralDescription: Sendable {
    /// The description's own name, e.g. `sensortag`.
    public let name: String
    /// The name for people, e.g. `TI CC2541 SensorTag`.
    public let title: String
    /// The device names such peripherals advertise; the first is that of a simulated one.
    public let advertisedNames: [String]
    /// The services in the advertisements of a simulated peripheral; `nil`: as many as fit.
    public let advertisedServices: [BLEUUID]?
    /// The services, in the order of the description.
    public let services: [ServiceDescription]

    /// The service of that name.
    ///
    /// - Throws: `unknownName`, with a name that may have been meant.
    public func service(named name: String) throws(DescriptionError) -> ServiceDescription {
        if let service = services.first(where: { $0.name == name }) { return service }
        throw DescriptionError(unknown: "service", name, in: self.name, among: services.map(\.name))
    }

    /// The characteristic of this UUID in the service of that UUID; `nil` when none is described.
    public func characteristic(_ uuid: BLEUUID, in service: BLEUUID) -> CharacteristicDescription? {
        services.lazy.filter { $0.uuid == service }.compactMap { $0.characteristic(uuid) }.first
    }

    /// Decodes a value of a characteristic; `nil` when it is not described, or has no described values.
    ///
    /// - Parameter context: what was read of the service before, e.g. coefficients of a calibration.
    /// - Throws: as ``CharacteristicDescription/decode(_:_:)``.
    public func decode(
        _ bytes: [UInt8], of characteristic: BLEUUID, in service: BLEUUID,
        _ context: DecodingContext = DecodingContext()
    ) throws(DescriptionError) -> [DescribedValue]? {
        guard let described = self.characteristic(characteristic, in: service), !described.values.isEmpty else {
            return nil
        }
        return try described.decode(bytes, context).values
    }
}
