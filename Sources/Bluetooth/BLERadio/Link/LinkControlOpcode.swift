/// The opcode of a link layer control PDU (Core 5.4, Vol 6 Part B 2.4.2); open for any value.
public struct LinkControlOpcode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An opcode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// LL_CONNECTION_UPDATE_IND.
    public static let connectionUpdateIndication = LinkControlOpcode(rawValue: 0x00)
    /// LL_CHANNEL_MAP_IND.
    public static let channelMapIndication = LinkControlOpcode(rawValue: 0x01)
    /// LL_TERMINATE_IND.
    public static let terminateIndication = LinkControlOpcode(rawValue: 0x02)
    /// LL_ENC_REQ.
    public static let encryptionRequest = LinkControlOpcode(rawValue: 0x03)
    /// LL_ENC_RSP.
    public static let encryptionResponse = LinkControlOpcode(rawValue: 0x04)
    /// LL_START_ENC_REQ.
    public static let startEncryptionRequest = LinkControlOpcode(rawValue: 0x05)
    /// LL_START_ENC_RSP.
    public static let startEncryptionResponse = LinkControlOpcode(rawValue: 0x06)
    /// LL_UNKNOWN_RSP.
    public static let unknownResponse = LinkControlOpcode(rawValue: 0x07)
    /// LL_FEATURE_REQ.
    public static let featureRequest = LinkControlOpcode(rawValue: 0x08)
    /// LL_FEATURE_RSP.
    public static let featureResponse = LinkControlOpcode(rawValue: 0x09)
    /// LL_PAUSE_ENC_REQ.
    public static let pauseEncryptionRequest = LinkControlOpcode(rawValue: 0x0A)
    /// LL_PAUSE_ENC_RSP.
    public static let pauseEncryptionResponse = LinkControlOpcode(rawValue: 0x0B)
    /// LL_VERSION_IND.
    public static let versionIndication = LinkControlOpcode(rawValue: 0x0C)
    /// LL_CONNECTION_PARAM_REQ.
    public static let connectionParameterRequest = LinkControlOpcode(rawValue: 0x0F)
    /// LL_REJECT_EXT_IND.
    public static let rejectExtendedIndication = LinkControlOpcode(rawValue: 0x11)
    /// LL_LENGTH_REQ.
    public static let lengthRequest = LinkControlOpcode(rawValue: 0x14)
    /// LL_LENGTH_RSP.
    public static let lengthResponse = LinkControlOpcode(rawValue: 0x15)
    /// LL_PHY_REQ.
    public static let phyRequest = LinkControlOpcode(rawValue: 0x16)
    /// LL_PHY_RSP.
    public static let phyResponse = LinkControlOpcode(rawValue: 0x17)
    /// LL_PHY_UPDATE_IND.
    public static let phyUpdateIndication = LinkControlOpcode(rawValue: 0x18)
}
