public import BLECore

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
    /// The advertiser, for ``CentralBackend/connect(to:within:)``.
    public var peer: PeerID
    /// The advertiser's address; `nil` without ``CentralAbility/address``.
    public var address: DeviceAddress?
    /// The advertiser's identity address, where ``address`` is a private one of a bonded peer; otherwise ``address``.
    public var identity: DeviceAddress?
    /// What the advertisement, and its scan response if one came, say together.
    public var data: AdvertisingData
    /// Received strength in dBm.
    public var rssi: Int
    /// Whether the advertiser takes connections.
    public var isConnectable: Bool

    /// One sighting of a peer that hides nothing.
    public init(address: DeviceAddress, data: AdvertisingData, rssi: Int, isConnectable: Bool) {
        self.init(peer: PeerID(address), data: data, rssi: rssi, isConnectable: isConnectable)
        self.address = address
        identity = address
    }

    /// One sighting of a peer whose address the stack hides.
    public init(peer: PeerID, data: AdvertisingData, rssi: Int, isConnectable: Bool) {
        self.peer = peer
        self.data = data
        self.rssi = rssi
        self.isConnectable = isConnectable
    }
}
