internal import BLECore
internal import BLEPackets
internal import MonotonicTime

/// Confirm and random values, which LE legacy pairing and LE Secure Connections share, and the rest of legacy pairing
/// (Core 5.4, Vol 3 Part H 2.3.5.5 and 2.3.5.6).
extension SecurityManager {
    func receive(_ pdu: SMPPairingConfirm, _ now: MonotonicInstant) {
        guard let procedure, procedure.state == .confirm else { return ignore(now) }
        if isStrict, procedure.isInitiator, awaitsOwnConfirm(procedure) { return ignore(now) }
        // The peer reflected this device's value, which requires no knowledge of the passkey (CVE-2020-26558).
        if isStrict, pdu.value == procedure.localConfirm { return refuse(.confirmValueFailed, now) }
        restartTimer(now)
        procedure.peerConfirm = pdu.value
        if procedure.isInitiator {
            procedure.state = .random
            sendRandom(procedure)
        } else {
            if procedure.inputState == .confirm { procedure.advancesOnInput = true }
            if procedure.canAdvance { sendConfirm(procedure) }
        }
    }

    /// True if this device, as initiator, has not sent its confirm value, which comes first: the user has not answered.
    private func awaitsOwnConfirm(_ procedure: PairingProcedure) -> Bool {
        procedure.inputState == .confirm && !procedure.isInputGiven
    }

    func sendConfirm(_ procedure: PairingProcedure) {
        let value: UInt128
        if procedure.isSecureConnections {
            commitToNextBit(procedure)
            value = SecurityToolbox.f4(
                u: procedure.keyPair?.x ?? [], v: procedure.peerX, x: procedure.localRandom, z: procedure.commitment)
        } else {
            value = legacyConfirm(procedure, procedure.localRandom)
        }
        procedure.localConfirm = value
        send(SMPPairingConfirm(value: value))
        if !procedure.isInitiator { procedure.state = .random }
    }

    func receive(_ pdu: SMPPairingRandom, _ now: MonotonicInstant) {
        guard let procedure, procedure.state == .random else { return ignore(now) }
        if isStrict, procedure.isInitiator, procedure.inputState == .random, !procedure.isInputGiven {
            return ignore(now)
        }
        procedure.peerRandom = pdu.value
        guard confirms(procedure) else { return refuse(.confirmValueFailed, now) }
        restartTimer(now)
        if procedure.isSecureConnections {
            continueSecureConnections(procedure)
        } else {
            continueLegacy(procedure)
        }
    }

    /// True if the peer's random number matches the peer's commitment.
    private func confirms(_ procedure: PairingProcedure) -> Bool {
        guard procedure.isSecureConnections else {
            return legacyConfirm(procedure, procedure.peerRandom) == procedure.peerConfirm
        }
        switch procedure.association?.model {
        case .outOfBand: return true
        // In this model only the responder sends a commitment.
        case .justWorks where !procedure.isInitiator, .numericComparison where !procedure.isInitiator: return true
        default:
            let value = SecurityToolbox.f4(
                u: procedure.peerX, v: procedure.keyPair?.x ?? [], x: procedure.peerRandom, z: procedure.commitment)
            return value == procedure.peerConfirm
        }
    }

    func sendRandom(_ procedure: PairingProcedure) {
        send(SMPPairingRandom(value: procedure.localRandom))
        guard !procedure.isInitiator else { return }
        if procedure.isSecureConnections {
            enterNextRound(procedure)
        } else {
            procedure.state = .keyRequest
        }
    }

    /// The addresses of the connection: initiator, responder.
    func addresses(_ procedure: PairingProcedure) -> (initiator: DeviceAddress, responder: DeviceAddress) {
        procedure.isInitiator ? (local, peer) : (peer, local)
    }

    // MARK: LE legacy pairing

    private func legacyConfirm(_ procedure: PairingProcedure, _ random: UInt128) -> UInt128 {
        let (initiator, responder) = addresses(procedure)
        return SecurityToolbox.c1(
            temporaryKey: procedure.temporaryKey, random: random,
            request: number(procedure.request.map(SMPPairingRequest.init)),
            response: number(procedure.response.map(SMPPairingResponse.init)), initiator: initiator,
            responder: responder)
    }

    private func number(_ pdu: (some SMPPDU)?) -> UInt64 {
        (pdu?.bytes ?? []).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func continueLegacy(_ procedure: PairingProcedure) {
        let key = SecurityToolbox.s1(
            temporaryKey: procedure.temporaryKey, responderRandom: procedure.responderRandom,
            initiatorRandom: procedure.initiatorRandom)
        procedure.key = procedure.cut(key)
        if procedure.isInitiator {
            startEncryption(procedure)
        } else {
            sendRandom(procedure)
        }
    }
}
