public import BLECore
public import BLEHost

/// What a link needs before an attribute may be read or written (Core 5.4, Vol 3 Part F 3.2.5).
public enum AttributeProtection: Hashable, Sendable {
    /// Nothing.
    case none
    /// An encrypted link.
    case encrypted
    /// An encrypted link whose key is protected against a machine in the middle.
    case authenticated
}

/// What a client has subscribed to (Client Characteristic Configuration; Core 5.4, Vol 3 Part G 3.3.3.3).
public struct ClientConfiguration: OptionSet, Hashable, Sendable {
    /// The field of the descriptor.
    public let rawValue: UInt16

    /// A configuration from the descriptor's field.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Notifications.
    public static let notifications = ClientConfiguration(rawValue: 1)
    /// Indications.
    public static let indications = ClientConfiguration(rawValue: 2)
}

/// Called when a client reads an attribute from its beginning; returns the value, which is stored and answered.
///
/// An `ATTErrorCode` that it throws is the answer in place of a value, any other error is Unlikely Error (0x0E). With
/// ``HostBehaviour/nimble`` the stored value is answered instead, for NimBLE-Arduino's callbacks cannot refuse.
public typealias ReadHandler =
    @Sendable (_ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral) throws
    -> [UInt8]

/// Called when a client has written an attribute, whose value is stored already.
///
/// An `ATTErrorCode` that it throws restores the former value and is the answer to a Write Request; any other error is
/// Unlikely Error (0x0E). With ``HostBehaviour/nimble`` errors are ignored, for NimBLE-Arduino's callbacks cannot refuse.
public typealias WriteHandler =
    @Sendable (
        _ value: [UInt8], _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) throws -> Void

/// Called when a client has changed its subscription, and for each that ends with its connection.
public typealias SubscribeHandler =
    @Sendable (
        _ configuration: ClientConfiguration, _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) -> Void

/// Called with the outcome of a notification (``GATTSendStatus/success``) or indication (``GATTSendStatus/done``).
public typealias SentHandler =
    @Sendable (
        _ status: GATTSendStatus, _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) -> Void

/// A descriptor of a characteristic. The Client Characteristic Configuration is made by the peripheral itself.
public struct DescriptorDefinition: Sendable {
    /// The type.
    public var uuid: BLEUUID
    /// ``CharacteristicProperties/read``, ``CharacteristicProperties/write``, both or none.
    public var properties: CharacteristicProperties
    /// The value at the start.
    public var value: [UInt8]
    /// The length of the longest value, in bytes; 0...512.
    public var maximumLength: Int
    /// What reading needs.
    public var readNeeds: AttributeProtection
    /// What writing needs.
    public var writeNeeds: AttributeProtection
    /// Called when a client reads it; `nil`: the stored value is answered.
    public var onRead: ReadHandler?
    /// Called when a client has written it.
    public var onWrite: WriteHandler?

    /// A descriptor with these fields.
    public init(
        _ uuid: BLEUUID, _ properties: CharacteristicProperties = .read, value: [UInt8] = [], maximumLength: Int = 512,
        readNeeds: AttributeProtection = .none, writeNeeds: AttributeProtection = .none,
        onWrite: WriteHandler? = nil, onRead: ReadHandler? = nil
    ) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
        self.maximumLength = maximumLength
        self.readNeeds = readNeeds
        self.writeNeeds = writeNeeds
        self.onRead = onRead
        self.onWrite = onWrite
    }
}

/// A characteristic of a service (Core 5.4, Vol 3 Part G 3.3).
public struct CharacteristicDefinition: Sendable {
    /// The type of its value.
    public var uuid: BLEUUID
    /// What it offers. With `notify` or `indicate` it has a Client Characteristic Configuration.
    public var properties: CharacteristicProperties
    /// The value at the start.
    public var value: [UInt8]
    /// The length of the longest value, in bytes; 0...512.
    public var maximumLength: Int
    /// What reading needs; with ``HostBehaviour/specification`` subscribing as well.
    public var readNeeds: AttributeProtection
    /// What writing needs.
    public var writeNeeds: AttributeProtection
    /// Its descriptors, in order.
    public var descriptors: [DescriptorDefinition]
    /// Called when a client reads it; `nil`: the stored value is answered.
    public var onRead: ReadHandler?
    /// Called when a client has written it.
    public var onWrite: WriteHandler?
    /// Called when a client has changed its subscription.
    public var onSubscribe: SubscribeHandler?
    /// Called with the outcome of each notification and indication.
    public var onSent: SentHandler?

    /// A characteristic with these fields.
    public init(
        _ uuid: BLEUUID, _ properties: CharacteristicProperties, value: [UInt8] = [], maximumLength: Int = 512,
        readNeeds: AttributeProtection = .none, writeNeeds: AttributeProtection = .none,
        descriptors: [DescriptorDefinition] = [], onWrite: WriteHandler? = nil, onRead: ReadHandler? = nil,
        onSubscribe: SubscribeHandler? = nil, onSent: SentHandler? = nil
    ) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
        self.maximumLength = maximumLength
        self.readNeeds = readNeeds
        self.writeNeeds = writeNeeds
        self.descriptors = descriptors
        self.onRead = onRead
        self.onSubscribe = onSubscribe
        self.onSent = onSent
        self.onWrite = onWrite
    }
}

/// A primary service (Core 5.4, Vol 3 Part G 3.1).
public struct ServiceDefinition: Sendable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// Its characteristics, in order.
    public var characteristics: [CharacteristicDefinition]

    /// A service with these characteristics.
    public init(_ uuid: BLEUUID, _ characteristics: [CharacteristicDefinition]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}
