internal import BLECore
internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

extension SecurityManager {
    /// Dispatches PDUs. Reserved codes are ignored (Core 5.4, Vol 3 Part H 3.3), and so are empty PDUs.
    func handle(_ pdu: [UInt8], _ now: MonotonicInstant) {
        guard !isClosed, let code = pdu.first else { return }
        do {
            switch SMPOpcode(rawValue: code) {
            case .pairingRequest: receive(try decode(SMPPairingRequest.self, pdu), now)
            case .pairingResponse: receive(try decode(SMPPairingResponse.self, pdu), now)
            case .pairingConfirm: receive(try decode(SMPPairingConfirm.self, pdu), now)
            case .pairingRandom: receive(try decode(SMPPairingRandom.self, pdu), now)
            case .pairingFailed: receive(try decode(SMPPairingFailed.self, pdu), now)
            case .pairingPublicKey: receive(try decode(SMPPairingPublicKey.self, pdu), now)
            case .pairingDHKeyCheck: receive(try decode(SMPPairingDHKeyCheck.self, pdu), now)
            case .encryptionInformation: receive(try decode(SMPEncryptionInformation.self, pdu), now)
            case .centralIdentification: receive(try decode(SMPCentralIdentification.self, pdu), now)
            case .identityInformation: receive(try decode(SMPIdentityInformation.self, pdu), now)
            case .identityAddressInformation: receive(try decode(SMPIdentityAddressInformation.self, pdu), now)
            case .signingInformation: receive(try decode(SMPSigningInformation.self, pdu), now)
            case .securityRequest: receive(try decode(SMPSecurityRequest.self, pdu), now)
            case .pairingKeypressNotification: try receiveKeypress(pdu, now)
            default: return
            }
        } catch {
            refuseMalformed(SMPOpcode(rawValue: code), now)
        }
    }

    /// Decodes a PDU. NimBLE ignores surplus bytes; in the specification a wrong length is an error.
    private func decode<PDU: SMPPDU>(_ type: PDU.Type, _ pdu: [UInt8]) throws(CodecError) -> PDU {
        guard !isStrict else { return try PDU(decoding: pdu[...]) }
        var reader = ByteReader(pdu[1...], subject: PDU.name)
        return try PDU(from: &reader)
    }

    private func refuseMalformed(_ opcode: SMPOpcode, _ now: MonotonicInstant) {
        guard !isStrict else {
            let isRequest = opcode == .pairingRequest && !isCentral
            if isPairing || isRequest { refuse(.invalidParameters, now) }
            return
        }
        switch opcode {
        case .pairingRequest, .securityRequest:
            drop()
        case .pairingResponse, .pairingPublicKey, .pairingFailed:
            end(.malformedPDU)
        default:
            send(SMPPairingFailed(reason: .unspecifiedReason))
            end(.malformedPDU)
        }
    }

    /// True if a pairing, not an encryption or a Security Request, runs.
    var isPairing: Bool { procedure?.kind == .pairing }

    /// An unexpected PDU: NimBLE ignores it; by the specification it ends a pairing.
    func ignore(_ now: MonotonicInstant) {
        if isStrict, isPairing { refuse(.unspecifiedReason, now) }
    }

    private func receive(_ pdu: SMPPairingFailed, _ now: MonotonicInstant) {
        guard !isStrict || isPairing else { return }
        recordFailure(now)
        end(.failedByPeer(pdu.reason))
    }

    /// Keypress Notification: informational only.
    private func receiveKeypress(_ pdu: [UInt8], _ now: MonotonicInstant) throws(CodecError) {
        guard isStrict else { return }
        let notification = try decode(SMPPairingKeypressNotification.self, pdu)
        guard let procedure, procedure.association?.model == .passkeyEntry else { return ignore(now) }
        guard notification.kind <= 4 else { return refuse(.invalidParameters, now) }
        restartTimer(now)
    }

    /// Central: reports the request. Peripheral: refuses, and NimBLE drops its procedure.
    private func receive(_ pdu: SMPSecurityRequest, _ now: MonotonicInstant) {
        guard isCentral else {
            send(SMPPairingFailed(reason: .commandNotSupported))
            guard isStrict else { return drop() }
            recordFailure(now)
            if isPairing { end(.failed(.commandNotSupported)) }
            return
        }
        // While a procedure runs, the request is ignored (Core 5.4, Vol 3 Part H 3.6.7).
        guard procedure == nil else { return }
        emit(.securityRequested(pdu.requirements))
    }
}
