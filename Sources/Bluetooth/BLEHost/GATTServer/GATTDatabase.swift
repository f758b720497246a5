/// The attributes of a server with their handles, created by ``GATTDatabaseBuilder``.
public struct GATTDatabase: Sendable {
    /// Handles are limited to 0x0001 to 0xFFFE: 0xFFFF ends every range that clients request.
    static let maximumAttributeCount = 0xFFFE

    /// The attribute with handle n is at index n − 1.
    private(set) var attributes: [Attribute] = []
    /// The value handles of the characteristics that have a client configuration, by slot.
    private(set) var configurable: [ConfigurableCharacteristic] = []

    struct ConfigurableCharacteristic: Sendable {
        var valueHandle: UInt16
        /// The bits a client may set.
        var allowed: UInt16
    }

    private var serviceHandles: [UInt16] = []
    private var valueHandles: [[UInt16]] = []
    private var descriptorHandles: [GATTDescriptorID: UInt16] = [:]

    /// A database without attributes.
    public init() {}

    init(_ services: [GATTDatabaseBuilder.Service]) throws(GATTDatabaseError) {
        for service in services {
            serviceHandles.append(appendDeclaration(.primaryService, service.type.bytes))
            valueHandles.append([])
            for characteristic in service.characteristics {
                let id = GATTCharacteristicID(
                    service: valueHandles.count - 1, index: valueHandles[valueHandles.count - 1].count)
                valueHandles[id.service].append(append(characteristic))
                for (index, descriptor) in characteristic.descriptors.enumerated()
                where descriptor.type != .clientCharacteristicConfiguration {
                    descriptorHandles[GATTDescriptorID(characteristic: id, index: index)] = append(descriptor)
                }
            }
        }
        guard attributes.count <= Self.maximumAttributeCount else {
            throw GATTDatabaseError(attributeCount: attributes.count)
        }
    }

    private mutating func append(_ attribute: Attribute) -> UInt16 {
        attributes.append(attribute)
        return UInt16(truncatingIfNeeded: attributes.count)
    }

    private mutating func appendDeclaration(_ type: AttributeType, _ value: [UInt8]) -> UInt16 {
        append(
            Attribute(
                type: type, kind: .declaration, properties: .read, value: value, maximumLength: value.count,
                hasCallbacks: false, configurationSlot: nil))
    }

    /// Appends declaration, value and client configuration; returns the value's handle.
    private mutating func append(_ characteristic: GATTDatabaseBuilder.Characteristic) -> UInt16 {
        var attribute = characteristic.attribute
        let valueHandle = UInt16(truncatingIfNeeded: attributes.count + 2)
        let handleBytes = [UInt8(truncatingIfNeeded: valueHandle), UInt8(truncatingIfNeeded: valueHandle >> 8)]
        _ = appendDeclaration(.characteristic, [attribute.properties.declared] + handleBytes + attribute.type.bytes)
        let allowed = attribute.properties.configurable
        guard allowed != 0 else { return append(attribute) }
        attribute.configurationSlot = configurable.count
        _ = append(attribute)
        configurable.append(ConfigurableCharacteristic(valueHandle: valueHandle, allowed: allowed))
        // Clients may always read and write the configuration: NimBLE requires no security here.
        _ = append(
            Attribute(
                type: .clientCharacteristicConfiguration, kind: .clientConfiguration(slot: configurable.count - 1),
                properties: [.read, .write], value: [], maximumLength: 2, hasCallbacks: false, configurationSlot: nil))
        return valueHandle
    }

    /// The handle of the service's declaration.
    public func handle(of service: GATTServiceID) -> UInt16 {
        serviceHandles[service.index]
    }

    /// The handle of the characteristic's value.
    public func valueHandle(of characteristic: GATTCharacteristicID) -> UInt16 {
        valueHandles[characteristic.service][characteristic.index]
    }

    /// The handle of the descriptor; `nil` for a client configuration that the application added.
    public func handle(of descriptor: GATTDescriptorID) -> UInt16? {
        descriptorHandles[descriptor]
    }
}
