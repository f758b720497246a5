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

    /// The original ESP32: Bluetooth 4.2, Espressif. It has the features of the chip; the commands of resolving private
    /// addresses are not built yet and answered as unknown.
    public static let esp32 = ControllerPersonality(
        hciVersion: 8, hciSubversion: 0x030E, linkLayerVersion: 8, linkLayerSubversion: 0x030E,
        companyIdentifier: 0x0060, lmpFeatures: 0x8000_0060_0000_0000, leFeatures: 0xFF,
        leStates: 0x3FF_FFFF_FFFF, aclDataLength: 251, aclPacketCount: 12, acceptListSize: 12,
        maximumConnections: 9, maximumDataLength: 251, sensitivity: -97)
}

/// Bits of ``ControllerPersonality/leFeatures``.
enum LEFeature {
    static let encryption: UInt64 = 1 << 0
    static let connectionParametersRequest: UInt64 = 1 << 1
    static let peripheralInitiatedFeaturesExchange: UInt64 = 1 << 3
    static let dataLengthExtension: UInt64 = 1 << 5
    static let privacy: UInt64 = 1 << 6
}
