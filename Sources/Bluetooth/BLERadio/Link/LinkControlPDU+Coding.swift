import BLEPackets
import ByteCodec

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
