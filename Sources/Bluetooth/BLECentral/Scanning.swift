public import BLECore

/// Selects the advertisements to report; an empty filter reports all.
public struct ScanFilter: Hashable, Sendable {
    /// Report only peers that advertise one of these services; empty: any.
    public var services: [BLEUUID]
    /// Report only peers with this complete or shortened local name.
    public var name: String?
    /// Report only advertisements received with at least this strength, in dBm.
    public var minimumRSSI: Int?
    /// True to request scan responses.
    public var isActive: Bool
    /// True to report every advertisement; otherwise a peer is reported once per change of its data.
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

/// An advertising peer, as reported to a scanner.
public struct Advertisement: Hashable, Sendable {
    /// The advertiser, for ``CentralBackend/connect(to:within:)``.
    public var peer: PeerID
    /// The advertiser's address; `nil` without ``CentralAbility/address``.
    public var address: DeviceAddress?
    /// The advertiser's identity address if ``address`` is a private one of a bonded peer; otherwise ``address``.
    public var identity: DeviceAddress?
    /// The data of the advertisement and, if one was received, of its scan response.
    public var data: AdvertisingData
    /// Received strength in dBm.
    public var rssi: Int
    /// True if the advertiser accepts connections.
    public var isConnectable: Bool

    /// An advertisement of a peer whose address is known.
    public init(address: DeviceAddress, data: AdvertisingData, rssi: Int, isConnectable: Bool) {
        self.init(peer: PeerID(address), data: data, rssi: rssi, isConnectable: isConnectable)
        self.address = address
        identity = address
    }

    /// An advertisement of a peer whose address the stack hides.
    public init(peer: PeerID, data: AdvertisingData, rssi: Int, isConnectable: Bool) {
        self.peer = peer
        self.data = data
        self.rssi = rssi
        self.isConnectable = isConnectable
    }
}
