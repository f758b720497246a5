package import BLEPackets
import ByteCodec

/// The link layer control PDUs that controllers exchange (Core 5.4, Vol 6 Part B 2.4.2).
package enum LinkControlPDU: Equatable {
    /// `instant` is set when the PDU is sent.
    case connectionUpdateIndication(Link.Parameters, instant: UInt16)
    /// `instant` is set when the PDU is sent.
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
    /// `instant` is set when the PDU is sent.
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

extension LinkControlPDU {
    /// The PDU's bytes, opcode first.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: payload)
        writer.uint8(opcode.rawValue)
        switch self {
        case .connectionUpdateIndication(let parameters, let instant):
            // The transmit window: one slot, without offset.
            writer.uint8(1)
            writer.uint16(0)
            parameters.write(to: &writer)
            writer.uint16(instant)
        case .channelMapIndication(let map, let instant):
            map.write(to: &writer)
            writer.uint16(instant)
        case .terminateIndication(let reason): writer.uint8(reason.rawValue)
        case .encryptionRequest(let randomNumber, let encryptedDiversifier, let share):
            writer.uint64(randomNumber)
            writer.uint16(encryptedDiversifier)
            share.write(to: &writer)
        case .encryptionResponse(let share): share.write(to: &writer)
        case .startEncryptionRequest, .startEncryptionResponse, .pauseEncryptionRequest, .pauseEncryptionResponse:
            break
        case .featureRequest(let features), .featureResponse(let features): writer.uint64(features)
        case .versionIndication(let version):
            writer.uint8(version.version)
            writer.uint16(version.companyIdentifier)
            writer.uint16(version.subversion)
        case .connectionParameterRequest(let minimumInterval, let parameters):
            writer.uint16(minimumInterval)
            parameters.write(to: &writer)
            // No preferred periodicity, and no preferred offsets.
            writer.append([0, 0, 0] + Array(repeating: 0xFF, count: 12))
        case .rejectExtendedIndication(let rejected, let reason):
            writer.uint8(rejected.rawValue)
            writer.uint8(reason.rawValue)
        case .lengthRequest(let offer), .lengthResponse(let offer):
            offer.rx.write(to: &writer)
            offer.tx.write(to: &writer)
        case .phyRequest(let tx, let rx), .phyResponse(let tx, let rx):
            writer.uint8(tx.rawValue)
            writer.uint8(rx.rawValue)
        case .phyUpdateIndication(let toPeripheral, let toCentral, let instant):
            writer.uint8(HCIPHYs(toPeripheral).rawValue)
            writer.uint8(HCIPHYs(toCentral).rawValue)
            writer.uint16(instant)
        case .unknownResponse(let opcode): writer.uint8(opcode.rawValue)
        }
        return writer.bytes
    }

    /// Parses the PDU's bytes.
    package init(decoding bytes: [UInt8]) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "LL control PDU")
        let opcode = LinkControlOpcode(rawValue: try reader.uint8())
        switch opcode {
        case .connectionUpdateIndication:
            _ = try reader.uint24()
            let parameters = try Link.Parameters(from: &reader)
            self = .connectionUpdateIndication(parameters, instant: try reader.uint16())
        case .channelMapIndication:
            let map = try HCIChannelMap(from: &reader)
            self = .channelMapIndication(map, instant: try reader.uint16())
        case .terminateIndication: self = .terminateIndication(HCIErrorCode(rawValue: try reader.uint8()))
        case .encryptionRequest:
            let randomNumber = try reader.uint64()
            let encryptedDiversifier = try reader.uint16()
            self = .encryptionRequest(
                randomNumber: randomNumber, encryptedDiversifier: encryptedDiversifier, try .init(from: &reader))
        case .encryptionResponse: self = .encryptionResponse(try .init(from: &reader))
        case .startEncryptionRequest: self = .startEncryptionRequest
        case .startEncryptionResponse: self = .startEncryptionResponse
        case .featureRequest: self = .featureRequest(try reader.uint64())
        case .featureResponse: self = .featureResponse(try reader.uint64())
        case .pauseEncryptionRequest: self = .pauseEncryptionRequest
        case .pauseEncryptionResponse: self = .pauseEncryptionResponse
        case .versionIndication:
            let version = try reader.uint8()
            let companyIdentifier = try reader.uint16()
            self = .versionIndication(
                LinkVersion(
                    version: version, companyIdentifier: companyIdentifier, subversion: try reader.uint16()))
        case .connectionParameterRequest:
            let minimumInterval = try reader.uint16()
            self = .connectionParameterRequest(
                minimumInterval: minimumInterval, try Link.Parameters(from: &reader))
            _ = try reader.slice(15)
        case .rejectExtendedIndication:
            let rejected = LinkControlOpcode(rawValue: try reader.uint8())
            self = .rejectExtendedIndication(rejected, HCIErrorCode(rawValue: try reader.uint8()))
        case .lengthRequest: self = .lengthRequest(try DataLengthOffer(from: &reader))
        case .lengthResponse: self = .lengthResponse(try DataLengthOffer(from: &reader))
        case .phyRequest, .phyResponse:
            let tx = HCIPHYs(rawValue: try reader.uint8())
            let rx = HCIPHYs(rawValue: try reader.uint8())
            self = opcode == .phyRequest ? .phyRequest(tx: tx, rx: rx) : .phyResponse(tx: tx, rx: rx)
        case .phyUpdateIndication:
            let toPeripheral = HCIPHYs(rawValue: try reader.uint8()).first
            let toCentral = HCIPHYs(rawValue: try reader.uint8()).first
            self = .phyUpdateIndication(
                toPeripheral: toPeripheral, toCentral: toCentral, instant: try reader.uint16())
        case .unknownResponse: self = .unknownResponse(LinkControlOpcode(rawValue: try reader.uint8()))
        default: throw reader.invalid("opcode", UInt64(opcode.rawValue), allowed: "those of 5.0 in use")
        }
        try reader.end()
    }
}

extension Link.Parameters {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.uint16(interval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
    }
}

extension LinkCipher.Share {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let diversifier = try reader.uint64()
        self.init(diversifier: diversifier, initializationVector: try reader.uint32())
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.uint64(diversifier)
        writer.uint32(initializationVector)
    }
}

extension DataLength {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        octets = try reader.uint16()
        time = try reader.uint16()
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.uint16(octets)
        writer.uint16(time)
    }
}

extension DataLengthOffer {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        rx = try DataLength(from: &reader)
        tx = try DataLength(from: &reader)
    }
}
