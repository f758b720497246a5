/// What a controller says of itself, and what it can hold.
public struct ControllerPersonality: Hashable, Sendable {
    /// The HCI version; 8 is 4.2.
    public var hciVersion: UInt8
    /// The maker's revision of the HCI.
    public var hciSubversion: UInt16
    /// The link layer version; 8 is 4.2.
    public var linkLayerVersion: UInt8
    /// The maker's revision of the link layer.
    public var linkLayerSubversion: UInt16
    /// The maker, by its company identifier.
    public var companyIdentifier: UInt16
    /// Page 0 of the LMP features.
    public var lmpFeatures: UInt64
    /// The link layer features (Core 5.4, Vol 6 Part B 4.6).
    public var leFeatures: UInt64
    /// The states and combinations of LE Read Supported States.
    public var leStates: UInt64
    /// The longest ACL payload from the host, in bytes.
    public var aclDataLength: UInt16
    /// How many ACL packets from the host it holds.
    public var aclPacketCount: Int
    /// How many devices the filter accept list holds.
    public var acceptListSize: Int
    /// How many connections it keeps up at once.
    public var maximumConnections: Int
    /// The longest link layer payload, in bytes.
    public var maximumDataLength: UInt16
    /// The weakest signal it hears, in dBm.
    public var sensitivity: Int

    /// How many devices the resolving list holds; 0: private addresses are the host's business.
    public var resolvingListSize: Int
    /// How many advertising sets there can be; 0: legacy advertising only.
    public var advertisingSetCount: Int
    /// The longest data of an advertising set, in bytes.
    public var maximumAdvertisingDataLength: Int
    /// The weakest it sends, in dBm.
    public var minimumTxPower: Int8
}

/// Bits of ``ControllerPersonality/leFeatures``.
enum LEFeature {
    static let encryption: UInt64 = 1 << 0
    static let connectionParametersRequest: UInt64 = 1 << 1
    static let peripheralInitiatedFeaturesExchange: UInt64 = 1 << 3
    static let ping: UInt64 = 1 << 4
    static let dataLengthExtension: UInt64 = 1 << 5
    static let privacy: UInt64 = 1 << 6
    static let extendedScannerFilterPolicies: UInt64 = 1 << 7
    static let le2MPHY: UInt64 = 1 << 8
    static let leCodedPHY: UInt64 = 1 << 11
    static let extendedAdvertising: UInt64 = 1 << 12
    static let channelSelectionAlgorithm2: UInt64 = 1 << 14
}
