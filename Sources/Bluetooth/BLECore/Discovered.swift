/// A service found by discovery.
public struct DiscoveredService: Hashable, Sendable, Codable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// The handles it spans; `nil` if the Bluetooth stack hides handles.
    public var handles: ClosedRange<UInt16>?
    /// Its characteristics, in the order of the server.
    public var characteristics: [DiscoveredCharacteristic]

    /// A service.
    public init(uuid: BLEUUID, handles: ClosedRange<UInt16>? = nil, characteristics: [DiscoveredCharacteristic]) {
        self.uuid = uuid
        self.handles = handles
        self.characteristics = characteristics
    }
}

/// A characteristic found by discovery.
public struct DiscoveredCharacteristic: Hashable, Sendable, Codable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// Its value.
    public var value: AttributeID
    /// The handle of its value; `nil` if the Bluetooth stack hides handles.
    public var handle: UInt16?
    /// The properties of its declaration.
    public var properties: CharacteristicProperties
    /// Its descriptors, in the order of the server.
    public var descriptors: [DiscoveredDescriptor]

    /// A characteristic.
    public init(
        uuid: BLEUUID, value: AttributeID, handle: UInt16? = nil, properties: CharacteristicProperties,
        descriptors: [DiscoveredDescriptor]
    ) {
        self.uuid = uuid
        self.value = value
        self.handle = handle
        self.properties = properties
        self.descriptors = descriptors
    }
}

/// A descriptor found by discovery.
public struct DiscoveredDescriptor: Hashable, Sendable, Codable {
    /// Its type.
    public var uuid: BLEUUID
    /// Its attribute.
    public var attribute: AttributeID
    /// Its handle; `nil` if the Bluetooth stack hides handles.
    public var handle: UInt16?

    /// A descriptor.
    public init(uuid: BLEUUID, attribute: AttributeID, handle: UInt16? = nil) {
        self.uuid = uuid
        self.attribute = attribute
        self.handle = handle
    }
}

/// Identifies an attribute of the peer on one connection: a characteristic value or a descriptor.
///
/// The number is meaningful only to its Bluetooth stack; one that exposes attribute handles reports them in service
/// discovery.
public struct AttributeID: Hashable, Sendable, Codable {
    /// The stack's number.
    public let rawValue: UInt16

    /// An attribute by the stack's number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}
