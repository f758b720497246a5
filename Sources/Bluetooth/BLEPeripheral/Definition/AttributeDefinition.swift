public import BLECore
public import BLEHost

/// A client's subscription (Client Characteristic Configuration; Core 5.4, Vol 3 Part G 3.3.3.3).
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

/// Called when a client reads an attribute from its beginning; returns the value, which is stored and sent.
///
/// A thrown `ATTErrorCode` is sent in an Error Response, any other error as Unlikely Error (0x0E). With
/// ``HostBehaviour/nimble`` errors are ignored and the stored value is sent, since NimBLE-Arduino's callbacks cannot
/// refuse.
public typealias ReadHandler =
    @Sendable (_ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral) throws
    -> [UInt8]

/// Called when a client has written an attribute; the value has been stored.
///
/// An error restores the previous value; for a Write Request, an `ATTErrorCode` is sent in an Error Response, any other
/// error as Unlikely Error (0x0E). With ``HostBehaviour/nimble`` errors are ignored, since NimBLE-Arduino's callbacks
/// cannot refuse.
public typealias WriteHandler =
    @Sendable (
        _ value: [UInt8], _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) throws -> Void

/// Called when a client has changed its subscription, and for each subscription that ends with a connection.
public typealias SubscribeHandler =
    @Sendable (
        _ configuration: ClientConfiguration, _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) -> Void

/// Called with the outcome of a notification (``GATTSendStatus/success``) or indication (``GATTSendStatus/done``).
public typealias SentHandler =
    @Sendable (
        _ status: GATTSendStatus, _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral
    ) -> Void

/// A descriptor of a characteristic. The peripheral adds the Client Characteristic Configuration itself.
public struct DescriptorDefinition: Sendable {
    /// The type.
    public var uuid: BLEUUID
    /// ``CharacteristicProperties/read``, ``CharacteristicProperties/write``, both, or empty.
    public var properties: CharacteristicProperties
    /// The initial value.
    public var value: [UInt8]
    /// The length of the longest value, in bytes; 0...512.
    public var maximumLength: Int
    /// The security that reading requires.
    public var readNeeds: AttributeProtection
    /// The security that writing requires.
    public var writeNeeds: AttributeProtection
    /// Called when a client reads the descriptor; `nil`: the stored value is sent.
    public var onRead: ReadHandler?
    /// Called when a client has written the descriptor.
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
    /// The type of the value.
    public var uuid: BLEUUID
    /// The properties. With `notify` or `indicate`, a Client Characteristic Configuration is added.
    public var properties: CharacteristicProperties
    /// The initial value.
    public var value: [UInt8]
    /// The length of the longest value, in bytes; 0...512.
    public var maximumLength: Int
    /// The security that reading requires, and with ``HostBehaviour/specification`` also subscribing.
    public var readNeeds: AttributeProtection
    /// The security that writing requires.
    public var writeNeeds: AttributeProtection
    /// Its descriptors, in order.
    public var descriptors: [DescriptorDefinition]
    /// Called when a client reads the value; `nil`: the stored value is sent.
    public var onRead: ReadHandler?
    /// Called when a client has written the value.
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
