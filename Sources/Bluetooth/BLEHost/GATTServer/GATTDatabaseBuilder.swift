/// Collects the services of a board in the order in which its sketch creates them, and assigns their handles.
///
/// The layout is NimBLE-Arduino's (2.5.1): GAP service at 1–5, GATT service at 6–13, the sketch's services from 14.
/// A characteristic is its declaration, its value, its client configuration if it notifies or indicates, and then
/// its own descriptors.
public struct GATTDatabaseBuilder: Sendable {
    /// The maximum length of an attribute value (Core 5.4, Vol 3 Part F 3.2.9), in bytes.
    public static let maximumValueLength = 512

    struct Characteristic: Sendable {
        var attribute: Attribute
        var descriptors: [Attribute] = []
    }

    struct Service: Sendable {
        var type: AttributeType
        var characteristics: [Characteristic] = []
    }

    var services: [Service] = []

    /// A database with the GAP and GATT services only. NimBLE truncates device names to 31 bytes.
    public init(deviceName: String, appearance: UInt16 = 0) {
        let name = Array(deviceName.utf8.prefix(Self.maximumNameLength))
        let gap = addService(.uuid16(0x1800))
        addCharacteristic(
            .uuid16(0x2A00), to: gap, properties: .read, maximumLength: Self.maximumNameLength, value: name)
        let look = [UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance >> 8)]
        addCharacteristic(.uuid16(0x2A01), to: gap, properties: .read, maximumLength: 2, value: look)
        let gatt = addService(.uuid16(0x1801))
        addCharacteristic(.uuid16(0x2A05), to: gatt, properties: .indicate, maximumLength: 4, value: [0, 0, 0, 0])
        addCharacteristic(.uuid16(0x2B3A), to: gatt, properties: .read, maximumLength: 1, value: [0])
        let features = addCharacteristic(.uuid16(0x2B29), to: gatt, properties: [.read, .write], maximumLength: 1)
        services[features.service].characteristics[features.index].attribute.kind = .clientSupportedFeatures
    }

    private static let maximumNameLength = 31

    /// Adds a primary service.
    public mutating func addService(_ type: AttributeType) -> GATTServiceID {
        services.append(Service(type: type))
        return GATTServiceID(index: services.count - 1)
    }

    /// Adds a characteristic to a service.
    ///
    /// - Parameters:
    ///   - maximumLength: the maximum length of the value, in bytes; limited to ``maximumValueLength``.
    ///   - value: the initial value; empty if it is longer than allowed.
    ///   - hasCallbacks: whether reads, writes and subscriptions wait for the application.
    @discardableResult
    public mutating func addCharacteristic(
        _ type: AttributeType, to service: GATTServiceID, properties: GATTProperties,
        maximumLength: Int = maximumValueLength, value: [UInt8] = [], hasCallbacks: Bool = false
    ) -> GATTCharacteristicID {
        let attribute = Self.valueAttribute(type, properties, maximumLength, value, hasCallbacks)
        services[service.index].characteristics.append(Characteristic(attribute: attribute))
        return GATTCharacteristicID(service: service.index, index: services[service.index].characteristics.count - 1)
    }

    /// Adds a descriptor to a characteristic. A client configuration added by the application gets no handle: the
    /// database, like NimBLE, creates its own.
    @discardableResult
    public mutating func addDescriptor(
        _ type: AttributeType, to characteristic: GATTCharacteristicID, properties: GATTProperties,
        maximumLength: Int = maximumValueLength, value: [UInt8] = [], hasCallbacks: Bool = false
    ) -> GATTDescriptorID {
        let attribute = Self.valueAttribute(type, properties, maximumLength, value, hasCallbacks)
        services[characteristic.service].characteristics[characteristic.index].descriptors.append(attribute)
        let count = services[characteristic.service].characteristics[characteristic.index].descriptors.count
        return GATTDescriptorID(characteristic: characteristic, index: count - 1)
    }

    private static func valueAttribute(
        _ type: AttributeType, _ properties: GATTProperties, _ maximumLength: Int, _ value: [UInt8],
        _ hasCallbacks: Bool
    ) -> Attribute {
        let limit = max(0, min(maximumLength, maximumValueLength))
        return Attribute(
            type: type, kind: .value, properties: properties, value: value.count > limit ? [] : value,
            maximumLength: limit, hasCallbacks: hasCallbacks, configurationSlot: nil)
    }

    /// Assigns the handles.
    ///
    /// - Throws: when the attributes need more handles than exist.
    public func register() throws(GATTDatabaseError) -> GATTDatabase {
        try GATTDatabase(services)
    }
}

/// Identifies a service of a builder.
public struct GATTServiceID: Hashable, Sendable {
    let index: Int
}

/// Identifies a characteristic of a builder.
public struct GATTCharacteristicID: Hashable, Sendable {
    let service: Int
    let index: Int
}

/// Identifies a descriptor of a builder.
public struct GATTDescriptorID: Hashable, Sendable {
    let characteristic: GATTCharacteristicID
    let index: Int
}

/// The error when a database needs too many handles.
public struct GATTDatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of attributes required.
    public var attributeCount: Int

    /// One line: the expected and the actual number.
    public var description: String {
        "GATT database: expected at most \(GATTDatabase.maximumAttributeCount) attributes, got \(attributeCount)"
    }
}
