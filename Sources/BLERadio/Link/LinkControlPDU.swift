import BLEPackets

/// The link layer control PDUs that controllers exchange (Core 5.4, Vol 6 Part B 2.4.2).
enum LinkControlPDU {
    case versionIndication(LinkVersion)
    case featureRequest(UInt64)
    case featureResponse(UInt64)
    case lengthRequest(DataLengthOffer)
    case lengthResponse(DataLengthOffer)
    case connectionUpdateIndication(Link.Parameters)
    case connectionParameterRequest(minimumInterval: UInt16, Link.Parameters)
    case rejectConnectionParameterRequest(HCIErrorCode)

    /// The payload in bytes, opcode included.
    var payload: Int {
        switch self {
        case .versionIndication: 6
        case .featureRequest, .featureResponse, .lengthRequest, .lengthResponse: 9
        case .connectionUpdateIndication: 12
        case .connectionParameterRequest: 24
        case .rejectConnectionParameterRequest: 3
        }
    }

    /// The payload of LL_TERMINATE_IND, which waits until everything else is sent.
    static let terminatePayload = 2
}

/// LL_VERSION_IND.
struct LinkVersion {
    var version: UInt8
    var companyIdentifier: UInt16
    var subversion: UInt16

    init(_ personality: ControllerPersonality) {
        version = personality.linkLayerVersion
        companyIdentifier = personality.companyIdentifier
        subversion = personality.linkLayerSubversion
    }
}
