public import BLECore

/// A host BLE stack in the central role, as the bench uses it: espbench's own HCI host, later BlueZ or CoreBluetooth.
///
/// Operations on one connection are carried out one after another, in the order of the calls. What happens without
/// being asked for comes through the event handler, in order, on the backend's executor.
public protocol CentralBackend: Actor {
    /// Brings the stack up; must come first.
    func powerOn() async throws(CentralError)

    /// Says who hears of events; replaces the former handler.
    func setEventHandler(_ handler: @escaping @Sendable (CentralEvent) -> Void)

    /// Starts or restarts scanning; advertisements that pass `filter` come as ``CentralEvent/advertisement(_:)``.
    func startScanning(_ filter: ScanFilter) async throws(CentralError)

    /// Stops scanning. Does nothing when not scanning.
    func stopScanning() async throws(CentralError)

    /// Connects to the peer at `address` (as it was advertised).
    ///
    /// - Throws: code `timedOut` when `timeout` passes first; the attempt is then cancelled.
    func connect(to address: DeviceAddress, within timeout: Duration) async throws(CentralError) -> ConnectionID

    /// Ends a connection; returns when it has ended.
    func disconnect(_ connection: ConnectionID) async throws(CentralError)

    /// Offers `mtu` (23...517) to the server; returns the MTU in effect.
    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int

    /// Discovers every primary service with its characteristics and descriptors, in handle order.
    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService]

    /// Reads a whole attribute value, going on with Read Blob where one response cannot hold it.
    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8]

    /// Writes a value; with a response, values too long for one request go as a long write (Prepare and Execute).
    /// Without a response it returns when the stack has taken the command.
    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)

    /// Writes the characteristic's Client Characteristic Configuration; returns when the server has confirmed it.
    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)

    /// Says how to pair and which addresses to use; counts for pairings, scans and connections that begin later.
    ///
    /// Nothing is paired or encrypted by itself: an ATT error that asks for it is an error like any other.
    func setSecurity(_ security: CentralSecurity) async throws(CentralError)

    /// Pairs anew, whatever bond there is; returns when the keys have been exchanged, with what was reached: a peer
    /// may settle for less than was asked for. ``CentralEvent/pairingInput(_:_:)`` may ask for an answer meanwhile.
    ///
    /// - Throws: `pairingFailed`, `timedOut`, `disconnected`, `invalidState` while another pairing runs.
    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Encrypts with the key of the bond.
    ///
    /// - Throws: `notBonded`; `encryptionFailed`, with 0x06 when the peer has lost its key.
    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Answers ``CentralEvent/pairingInput(_:_:)``.
    ///
    /// - Throws: `invalidState` when nothing waits for such an answer.
    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError)

    /// How well a connection is protected now.
    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// The peers whose keys are kept, oldest first.
    func bonds() async throws(CentralError) -> [BondedPeer]

    /// Deletes the keys of a peer, by its identity address; connections live on. Does nothing when there are none.
    func forget(_ identity: DeviceAddress) async throws(CentralError)
}

/// Names one connection of one backend; never used twice.
public struct ConnectionID: Hashable, Sendable, Codable {
    /// The number, counted from 1.
    public let rawValue: UInt32

    /// A connection by number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Names one attribute of the peer on one connection: the value handle of a characteristic, or a descriptor's handle.
public struct AttributeID: Hashable, Sendable, Codable {
    /// The ATT handle; on stacks that hide handles, a number the backend gives.
    public let rawValue: UInt16

    /// An attribute by handle.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// With or without an acknowledgement of the server.
public enum WriteKind: String, Sendable, Codable {
    /// ATT Write Request, or Prepare and Execute for long values.
    case withResponse
    /// ATT Write Command.
    case withoutResponse
}

/// Which advertisements to report; an empty filter reports all.
public struct ScanFilter: Hashable, Sendable {
    /// Report only peers that advertise one of these services; empty: any.
    public var services: [BLEUUID]
    /// Report only this complete or shortened local name.
    public var name: String?
    /// Report only at this strength or above, in dBm.
    public var minimumRSSI: Int?
    /// Whether to ask for scan responses.
    public var isActive: Bool
    /// Whether to report each advertisement, or each peer once per change of its data.
    public var allowsDuplicates: Bool

    /// A filter; the default reports every peer once per change, with scan responses.
    public init(
        services: [BLEUUID] = [], name: String? = nil, minimumRSSI: Int? = nil, isActive: Bool = true,
        allowsDuplicates: Bool = false
    ) {
        self.services = services
        self.name = name
        self.minimumRSSI = minimumRSSI
        self.isActive = isActive
        self.allowsDuplicates = allowsDuplicates
    }
}

/// One advertising peer as a scanner sees it.
public struct Advertisement: Hashable, Sendable {
    /// The advertiser.
    public var address: DeviceAddress
    /// The advertiser's identity address, where ``address`` is a private one of a bonded peer; otherwise ``address``.
    public var identity: DeviceAddress
    /// What the advertisement, and its scan response if one came, say together.
    public var data: AdvertisingData
    /// Received strength in dBm.
    public var rssi: Int
    /// Whether the advertiser takes connections.
    public var isConnectable: Bool

    /// One sighting of a peer that hides nothing.
    public init(address: DeviceAddress, data: AdvertisingData, rssi: Int, isConnectable: Bool) {
        self.address = address
        identity = address
        self.data = data
        self.rssi = rssi
        self.isConnectable = isConnectable
    }
}

/// What happens without being asked for.
public enum CentralEvent: Sendable, Hashable {
    /// A peer was heard while scanning.
    case advertisement(Advertisement)
    /// The server sent a value of its own accord.
    case notification(ConnectionID, AttributeID, value: [UInt8], isIndication: Bool)
    /// The ATT MTU changed.
    case mtuChanged(ConnectionID, Int)
    /// A connection ended; `reason` is the HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g. 0x13.
    case disconnected(ConnectionID, reason: UInt8)
    /// A pairing waits for an answer by ``CentralBackend/answerPairing(_:on:)``.
    case pairingInput(ConnectionID, PairingInput)
    /// The protection of a connection changed.
    case securityChanged(ConnectionID, LinkSecurity)
    /// The peer asks for protection; whoever hears this may encrypt or pair.
    case securityRequested(ConnectionID)
}

/// A service found by discovery.
public struct DiscoveredService: Hashable, Sendable, Codable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// The handles it spans.
    public var handles: ClosedRange<UInt16>
    /// Its characteristics, in handle order.
    public var characteristics: [DiscoveredCharacteristic]

    /// A service.
    public init(uuid: BLEUUID, handles: ClosedRange<UInt16>, characteristics: [DiscoveredCharacteristic]) {
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
    /// The properties of its declaration.
    public var properties: CharacteristicProperties
    /// Its descriptors, in handle order.
    public var descriptors: [DiscoveredDescriptor]

    /// A characteristic.
    public init(
        uuid: BLEUUID, value: AttributeID, properties: CharacteristicProperties, descriptors: [DiscoveredDescriptor]
    ) {
        self.uuid = uuid
        self.value = value
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

    /// A descriptor.
    public init(uuid: BLEUUID, attribute: AttributeID) {
        self.uuid = uuid
        self.attribute = attribute
    }
}
