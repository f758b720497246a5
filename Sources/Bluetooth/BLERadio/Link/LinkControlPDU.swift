import BLEPackets

/// The link layer control PDUs that controllers exchange (Core 5.4, Vol 6 Part B 2.4.2).
package enum LinkControlPDU: Equatable {
    /// `instant` is set when it is sent.
    case connectionUpdateIndication(Link.Parameters, instant: UInt16)
    /// `instant` is set when it is sent.
    case channelMapIndication(HCIChannelMap, instant: UInt16)
    case terminateIndication(HCIErrorCode)
    case encryptionRequest(randomNumber: UInt64, encryptedDiversifier: UInt16, LinkCipher.Share)
    case encryptionResponse(LinkCipher.Share)
    case startEncryptionRequest
    case startEncryptionResponse
    case featureRequest(UInt64)
    case featureResponse(UInt64)
    case pauseEncryptionRequest
    case pauseEncryptionResponse
    case versionIndication(LinkVersion)
    case connectionParameterRequest(minimumInterval: UInt16, Link.Parameters)
    case rejectExtendedIndication(LinkControlOpcode, HCIErrorCode)
    case lengthRequest(DataLengthOffer)
    case lengthResponse(DataLengthOffer)
    case phyRequest(tx: HCIPHYs, rx: HCIPHYs)
    case phyResponse(tx: HCIPHYs, rx: HCIPHYs)
    /// `instant` is set when it is sent.
    case phyUpdateIndication(toPeripheral: HCIPHY, toCentral: HCIPHY, instant: UInt16)
    case unknownResponse(LinkControlOpcode)

    var opcode: LinkControlOpcode {
        switch self {
        case .connectionUpdateIndication: .connectionUpdateIndication
        case .channelMapIndication: .channelMapIndication
        case .terminateIndication: .terminateIndication
        case .encryptionRequest: .encryptionRequest
        case .encryptionResponse: .encryptionResponse
        case .startEncryptionRequest: .startEncryptionRequest
        case .startEncryptionResponse: .startEncryptionResponse
        case .featureRequest: .featureRequest
        case .featureResponse: .featureResponse
        case .pauseEncryptionRequest: .pauseEncryptionRequest
        case .pauseEncryptionResponse: .pauseEncryptionResponse
        case .versionIndication: .versionIndication
        case .connectionParameterRequest: .connectionParameterRequest
        case .rejectExtendedIndication: .rejectExtendedIndication
        case .lengthRequest: .lengthRequest
        case .lengthResponse: .lengthResponse
        case .phyRequest: .phyRequest
        case .phyResponse: .phyResponse
        case .phyUpdateIndication: .phyUpdateIndication
        case .unknownResponse: .unknownResponse
        }
    }

    /// The payload in bytes, including the opcode.
    package var payload: Int {
        switch self {
        case .startEncryptionRequest, .startEncryptionResponse, .pauseEncryptionRequest, .pauseEncryptionResponse: 1
        case .terminateIndication: Self.terminatePayload
        case .unknownResponse: 2
        case .rejectExtendedIndication, .phyRequest, .phyResponse: 3
        case .phyUpdateIndication: 5
        case .versionIndication: 6
        case .channelMapIndication: 8
        case .featureRequest, .featureResponse, .lengthRequest, .lengthResponse: 9
        case .connectionUpdateIndication: 12
        case .encryptionResponse: 13
        case .encryptionRequest: 23
        case .connectionParameterRequest: 24
        }
    }

    static let terminatePayload = 2
}

/// LL_VERSION_IND.
package struct LinkVersion: Equatable {
    var version: UInt8
    var companyIdentifier: UInt16
    var subversion: UInt16

    package init(version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    init(_ personality: ControllerPersonality) {
        version = personality.linkLayerVersion
        companyIdentifier = personality.companyIdentifier
        subversion = personality.linkLayerSubversion
    }
}
