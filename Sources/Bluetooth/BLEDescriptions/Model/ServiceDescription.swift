public import BLECore

/// A described service.
public struct ServiceDescription: Sendable {
    /// Its name, e.g. `humidity`.
    public let name: String
    /// Its type.
    public let uuid: BLEUUID
    /// Whether such peripherals may lack it.
    public let isOptional: Bool
    /// Its characteristics, in the order of the description.
    public let characteristics: [CharacteristicDescription]

    /// The first characteristic of this type.
    public func characteristic(_ uuid: BLEUUID) -> CharacteristicDescription? {
        characteristics.first { $0.uuid == uuid }
    }

    /// The characteristic of that name.
    ///
    /// - Throws: `unknownName`, with a name that may have been meant.
    public func characteristic(named name: String) throws(DescriptionError) -> CharacteristicDescription {
        if let characteristic = characteristics.first(where: { $0.name == name }) { return characteristic }
        throw DescriptionError(unknown: "characteristic", name, in: self.name, among: characteristics.map(\.name))
    }

    /// The register that switches the service's sensor on and off, if it has one.
    public var configuration: CharacteristicDescription? { characteristics.first { $0.role.isConfiguration } }
    /// The register of the time between values, if the service has one.
    public var period: CharacteristicDescription? { characteristics.first { $0.role.isPeriod } }
    /// The coefficients that decoding needs, if the service has such.
    public var calibration: CharacteristicDescription? { characteristics.first { $0.role.isCalibration } }
}
