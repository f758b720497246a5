public import BLECore
import SourceText

/// The description of a kind of peripheral: its services and characteristics by name, and the meaning of their values.
///
/// Read from YAML (``init(yaml:file:)``), or one of the ``catalogue``.
public struct PeripheralDescription: Sendable {
    /// The description's own name, e.g. `sensortag`.
    public let name: String
    /// The name shown to users, e.g. `TI CC2541 SensorTag`.
    public let title: String
    /// The device names that such peripherals advertise; a simulated peripheral uses the first.
    public let advertisedNames: [String]
    /// The services in the advertisements of a simulated peripheral; `nil`: as many services as fit.
    public let advertisedServices: [BLEUUID]?
    /// The services, in the order of the description.
    public let services: [ServiceDescription]

    /// The service with this name.
    ///
    /// - Throws: `unknownName`, with a suggestion.
    public func service(named name: String) throws(DescriptionError) -> ServiceDescription {
        if let service = services.first(where: { $0.name == name }) { return service }
        throw DescriptionError(unknown: "service", name, in: self.name, among: services.map(\.name))
    }

    /// The characteristic with this UUID in the service with this UUID; `nil` if not described.
    public func characteristic(_ uuid: BLEUUID, in service: BLEUUID) -> CharacteristicDescription? {
        services.lazy.filter { $0.uuid == service }.compactMap { $0.characteristic(uuid) }.first
    }

    /// Decodes a value of a characteristic; `nil` if the characteristic is not described, or has no described values.
    ///
    /// - Parameter context: values read from the service before, e.g. coefficients of a calibration.
    /// - Throws: the errors of ``CharacteristicDescription/decode(_:_:)``.
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

/// A described service.
public struct ServiceDescription: Sendable {
    /// Its name, e.g. `humidity`.
    public let name: String
    /// Its type.
    public let uuid: BLEUUID
    /// True if such peripherals may lack the service.
    public let isOptional: Bool
    /// Its characteristics, in the order of the description.
    public let characteristics: [CharacteristicDescription]

    /// The first characteristic of this type.
    public func characteristic(_ uuid: BLEUUID) -> CharacteristicDescription? {
        characteristics.first { $0.uuid == uuid }
    }

    /// The characteristic with this name.
    ///
    /// - Throws: `unknownName`, with a suggestion.
    public func characteristic(named name: String) throws(DescriptionError) -> CharacteristicDescription {
        if let characteristic = characteristics.first(where: { $0.name == name }) { return characteristic }
        throw DescriptionError(unknown: "characteristic", name, in: self.name, among: characteristics.map(\.name))
    }

    /// The register that switches the service's sensor on and off, if any.
    public var configuration: CharacteristicDescription? { characteristics.first { $0.role.isConfiguration } }
    /// The register of the interval between values, if any.
    public var period: CharacteristicDescription? { characteristics.first { $0.role.isPeriod } }
    /// The coefficients needed for decoding, if any.
    public var calibration: CharacteristicDescription? { characteristics.first { $0.role.isCalibration } }
}

/// A described characteristic. Immutable, and shared by the readings of its values.
public final class CharacteristicDescription: Sendable {
    /// The purpose of a characteristic, beyond its value.
    public enum Role: Hashable, Sendable {
        /// Data.
        case data
        /// A switch of the service's sensor: the raw values for off and on, and for preparing the calibration.
        case configuration(off: Int, on: Int, calibrate: Int?)
        /// The interval between values, in this unit.
        case period(unit: Duration)
        /// Coefficients needed for decoding the service's other values.
        case calibration
    }

    /// The trigger of a characteristic's notifications.
    public enum Trigger: Hashable, Sendable {
        /// The interval in the service's period register.
        case period
        /// A change of its value.
        case change
        /// This interval.
        case every(Duration)
    }

    /// The names of the service and the characteristic, e.g. `humidity.data`.
    public let path: String
    /// Its name, e.g. `data`.
    public let name: String
    /// Its type.
    public let uuid: BLEUUID
    /// Its properties.
    public let properties: CharacteristicProperties
    /// The properties that such peripherals may lack.
    public let optionalProperties: CharacteristicProperties
    /// The security that reading requires.
    public let readNeeds: AttributeProtection
    /// The security that writing requires.
    public let writeNeeds: AttributeProtection
    /// The descriptors, without the Client Characteristic Configuration that `notify` and `indicate` require.
    public let descriptors: [BLEUUID]
    /// The text of the Characteristic User Description, if any.
    public let label: String?
    /// True if such peripherals may lack the characteristic.
    public let isOptional: Bool
    /// The purpose of the characteristic.
    public let role: Role
    /// The trigger of notifications; `nil`: no automatic notifications.
    public let trigger: Trigger?
    /// The parts of its value, in the order of decoding.
    public let values: [ValueDescription]

    /// The values that a write sets in the service's other characteristics, each with its index in the service.
    package let assignments: [Assignment]
    /// The index of its first value among the values of its service.
    package let firstSlot: Int
    /// True if some of its values are bits of others.
    let hasBits: Bool

    /// A value that is set by a write.
    package struct Assignment: Sendable {
        package let slot: Int
        let source: Source

        enum Source: Sendable {
            case formula(Formula)
            /// A copy of the value at this index, which may be a text.
            case copy(Int)
        }
    }

    init(
        path: String, name: String, uuid: BLEUUID, properties: CharacteristicProperties,
        optionalProperties: CharacteristicProperties, readNeeds: AttributeProtection, writeNeeds: AttributeProtection,
        descriptors: [BLEUUID], label: String?, isOptional: Bool, role: Role,
        trigger: Trigger?, values: [ValueDescription], assignments: [Assignment], firstSlot: Int
    ) {
        self.path = path
        self.name = name
        self.uuid = uuid
        self.properties = properties
        self.optionalProperties = optionalProperties
        self.readNeeds = readNeeds
        self.writeNeeds = writeNeeds
        self.descriptors = descriptors
        self.label = label
        self.isOptional = isOptional
        self.role = role
        self.trigger = trigger
        self.values = values
        self.assignments = assignments
        self.firstSlot = firstSlot
        hasBits = values.contains { if case .bits = $0.source { true } else { false } }
    }
}

extension CharacteristicDescription.Role {
    var isConfiguration: Bool { if case .configuration = self { true } else { false } }
    var isPeriod: Bool { if case .period = self { true } else { false } }
    var isCalibration: Bool { self == .calibration }
}

/// Error of finding, decoding or encoding a described value.
public struct DescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// The description does not contain this service, characteristic or value.
        case unknownName
        /// The number of bytes differs from the description.
        case wrongLength
        /// Bytes that the field's type does not allow, e.g. a truncated text.
        case invalidValue
        /// A formula has no result, e.g. because it divides by zero.
        case noResult
        /// Decoding needs a value that has not been read yet, e.g. a calibration.
        case missingContext
        /// The value cannot be encoded: it is of another kind, or out of range.
        case notEncodable
        /// The peripheral lacks a described service or characteristic, or the description lacks a register.
        case notThere
    }

    /// The kind of error.
    public var code: Code
    /// The failure, with the expected and the received text; one line.
    public var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package init(unknown kind: String, _ name: String, in place: String, among known: [String]) {
        let list = known.isEmpty ? "none" : known.list
        self.init(
            .unknownName,
            "\(place): no \(kind) '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: \(list)"
        )
    }
}
