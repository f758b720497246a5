/// The version, features and capacities of a controller.
public struct ControllerPersonality: Hashable, Sendable {
    /// The HCI version; 8 is 4.2.
    public var hciVersion: UInt8
    /// The HCI subversion.
    public var hciSubversion: UInt16
    /// The link layer version; 8 is 4.2.
    public var linkLayerVersion: UInt8
    /// The link layer subversion.
    public var linkLayerSubversion: UInt16
    /// The manufacturer's company identifier.
    public var companyIdentifier: UInt16
    /// Page 0 of the LMP features.
    public var lmpFeatures: UInt64
    /// The link layer features (Core 5.4, Vol 6 Part B 4.6).
    public var leFeatures: UInt64
    /// The states and combinations of LE Read Supported States.
    public var leStates: UInt64
    /// The longest ACL payload from the host, in bytes.
    public var aclDataLength: UInt16
    /// The number of ACL buffers for the host's packets.
    public var aclPacketCount: Int
    /// The size of the filter accept list.
    public var acceptListSize: Int
    /// The maximum number of simultaneous connections.
    public var maximumConnections: Int
    /// The longest link layer payload, in bytes.
    public var maximumDataLength: UInt16
    /// The receiver's sensitivity, in dBm.
    public var sensitivity: Int

    /// The size of the resolving list; 0: only the host resolves private addresses.
    public var resolvingListSize: Int
    /// The number of advertising sets; 0: legacy advertising only.
    public var advertisingSetCount: Int
    /// The longest data of an advertising set, in bytes.
    public var maximumAdvertisingDataLength: Int
    /// The minimum transmit power, in dBm.
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
