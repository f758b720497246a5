public import BLECore
public import BLEPeripheral

/// A described characteristic. Immutable, and shared by the readings of its values.
public final class CharacteristicDescription: Sendable {
    /// What a characteristic is for, beyond its value.
    public enum Role: Hashable, Sendable {
        /// Data.
        case data
        /// Switches the service's sensor: the raw values for off and on, and for preparing the calibration.
        case configuration(off: Int, on: Int, calibrate: Int?)
        /// The time between values, in this unit.
        case period(unit: Duration)
        /// Coefficients that decoding the service's other values needs.
        case calibration
    }

    /// When a characteristic is notified.
    public enum Trigger: Hashable, Sendable {
        /// After each time of the service's period register.
        case period
        /// When its value is set.
        case change
        /// After each such time.
        case every(Duration)
    }

    /// The name of the service and its own, e.g. `humidity.data`.
    public let path: String
    /// Its name, e.g. `data`.
    public let name: String
    /// Its type.
    public let uuid: BLEUUID
    /// Its properties.
    public let properties: CharacteristicProperties
    /// Those of them that such peripherals may lack.
    public let optionalProperties: CharacteristicProperties
    /// The security that reading requires.
    public let readNeeds: AttributeProtection
    /// The security that writing requires.
    public let writeNeeds: AttributeProtection
    /// Its descriptors, apart from the Client Characteristic Configuration that `notify` and `indicate` bring.
    public let descriptors: [BLEUUID]
    /// The text of its Characteristic User Description, if it has one.
    public let label: String?
    /// Whether such peripherals may lack it.
    public let isOptional: Bool
    /// What it is for.
    public let role: Role
    /// When it is notified; `nil`: never by itself.
    public let trigger: Trigger?
    /// What is in its value, in the order in which it is decoded.
    public let values: [ValueDescription]

    /// What a write sets in the service's other characteristics, by the index of the value there.
    let assignments: [Assignment]
    /// Where its values begin among those of its service.
    let firstSlot: Int

    /// A value that is set by a write.
    struct Assignment: Sendable {
        let slot: Int
        let source: Source

        enum Source: Sendable {
            case formula(Formula)
            /// The value of that index as it is, also a text.
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
    }
}

extension CharacteristicDescription.Role {
    var isConfiguration: Bool { if case .configuration = self { true } else { false } }
    var isPeriod: Bool { if case .period = self { true } else { false } }
    var isCalibration: Bool { self == .calibration }
}
