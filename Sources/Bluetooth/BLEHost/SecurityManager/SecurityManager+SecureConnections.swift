internal import BLECore
internal import BLEPackets
internal import MonotonicTime

/// LE Secure Connections (Core 5.4, Vol 3 Part H 2.3.5.6).
extension SecurityManager {
    private static let passkeyBitCount = 20

    // MARK: Public keys

    /// Continues with this device's key pair; generates it if needed.
    private func withKeyPair(
        _ now: MonotonicInstant,
        _ body: @escaping (SecurityManager, PairingKeyPair, MonotonicInstant) -> Void
    ) {
        if let pair = procedure?.keyPair ?? reusableKeyPair { return body(self, pair, now) }
        draw(PairingKeyPair.randomByteCount) { manager, random, now in
            manager.context.keyPair = PairingKeyPair(random: random)
            manager.context.hasHandedOutOutOfBandValue = false
            guard let pair = manager.context.keyPair else { return manager.refuse(.unspecifiedReason, now) }
            body(manager, pair, now)
        }
    }

    private var reusableKeyPair: PairingKeyPair? {
        isStrict && !context.hasHandedOutOutOfBandValue ? nil : context.keyPair
    }

    /// Initiator: sends the public key first.
    func sendPublicKey(_ procedure: PairingProcedure, _ now: MonotonicInstant) {
        withKeyPair(now) { manager, pair, _ in
            procedure.keyPair = pair
            manager.send(SMPPairingPublicKey(x: pair.x[...], y: pair.y[...]))
        }
    }

    func receive(_ pdu: SMPPairingPublicKey, _ now: MonotonicInstant) {
        if isStrict, procedure?.state != .publicKey { return ignore(now) }
        // NimBLE generates its key pair even for an unexpected public key.
        withKeyPair(now) { manager, pair, now in manager.receive(pdu, pair, now) }
    }

    private func receive(_ pdu: SMPPairingPublicKey, _ pair: PairingKeyPair, _ now: MonotonicInstant) {
        guard !pdu.x.elementsEqual(pair.x) else { return refuseOwnKey(now) }
        guard let procedure, procedure.state == .publicKey else { return ignore(now) }
        procedure.keyPair = pair
        procedure.peerX = Array(pdu.x)
        if isStrict, procedure.peerX == PairingKeyPair.debugX { return refuse(.authenticationRequirements, now) }
        guard let dhKey = pair.sharedSecret(x: pdu.x, y: pdu.y) else { return refuse(.dhKeyCheckFailed, now) }
        restartTimer(now)
        procedure.dhKey = dhKey
        if !procedure.isInitiator { send(SMPPairingPublicKey(x: pair.x[...], y: pair.y[...])) }
        procedure.state = procedure.association?.model == .outOfBand ? .random : .confirm
        let waits = requestUserInput(procedure)
        if !waits, !procedure.isInitiator, procedure.association?.model != .passkeyEntry { sendConfirm(procedure) }
    }

    /// The peer reflected this device's public key to learn the passkey (CVE-2020-26558). NimBLE reports this to its
    /// application as if encryption had succeeded, and keeps waiting.
    private func refuseOwnKey(_ now: MonotonicInstant) {
        guard !isStrict else { return refuse(.authenticationRequirements, now) }
        send(SMPPairingFailed(reason: .authenticationRequirements))
        guard procedure != nil else { return }
        restartTimer(now)
        emit(.ended(.pairing, .success))
    }

    // MARK: Random values

    /// Sets z of the next confirm value: the next bit of the passkey, or 0.
    func commitToNextBit(_ procedure: PairingProcedure) {
        guard procedure.association?.model == .passkeyEntry else { return }
        procedure.commitment = 0x80 | UInt8(truncatingIfNeeded: procedure.temporaryKey >> procedure.passkeyBits & 1)
        procedure.passkeyBits += 1
    }

    private func isLastRound(_ procedure: PairingProcedure) -> Bool {
        procedure.association?.model != .passkeyEntry || procedure.passkeyBits >= Self.passkeyBitCount
    }

    /// Continues after the peer's random number has matched its commitment.
    func continueSecureConnections(_ procedure: PairingProcedure) {
        if isLastRound(procedure) { makeKeys(procedure) }
        if procedure.isInitiator {
            enterNextRound(procedure)
        } else if procedure.inputState == .random, !procedure.isInputGiven {
            procedure.advancesOnInput = true
        } else {
            sendRandom(procedure)
        }
    }

    private func makeKeys(_ procedure: PairingProcedure) {
        let (initiator, responder) = addresses(procedure)
        let keys = SecurityToolbox.f5(
            dhKey: procedure.dhKey, n1: procedure.initiatorRandom, n2: procedure.responderRandom, a1: initiator,
            a2: responder)
        procedure.macKey = keys.macKey
        procedure.key = procedure.cut(keys.longTermKey)
    }

    /// Continues after both random numbers are known, with the next bit of the passkey or with the DHKey checks.
    func enterNextRound(_ procedure: PairingProcedure) {
        guard isLastRound(procedure) else {
            procedure.state = .confirm
            return draw(16) { manager, random, _ in
                procedure.localRandom = UInt128(wire: random)
                if procedure.isInitiator { manager.sendConfirm(procedure) }
            }
        }
        procedure.state = .dhKeyCheck
        if !requestUserInput(procedure), procedure.isInitiator { sendCheck(procedure) }
    }

    func comparisonNumber(_ procedure: PairingProcedure) -> UInt32 {
        let own = procedure.keyPair?.x ?? []
        let (initiatorX, responderX) = procedure.isInitiator ? (own, procedure.peerX) : (procedure.peerX, own)
        return SecurityToolbox.g2(
            u: initiatorX, v: responderX, x: procedure.initiatorRandom, y: procedure.responderRandom) % 1_000_000
    }

    // MARK: DHKey checks

    func receive(_ pdu: SMPPairingDHKeyCheck, _ now: MonotonicInstant) {
        guard let procedure, procedure.state == .dhKeyCheck else { return ignore(now) }
        if isStrict, procedure.isInitiator, !procedure.hasSentCheck { return ignore(now) }
        guard pdu.value == check(procedure, ofInitiator: !procedure.isInitiator) else {
            return refuse(.dhKeyCheckFailed, now)
        }
        restartTimer(now)
        if procedure.inputState == .dhKeyCheck { procedure.advancesOnInput = true }
        guard procedure.canAdvance else { return }
        if procedure.isInitiator {
            startEncryption(procedure)
        } else {
            sendCheck(procedure)
        }
    }

    func sendCheck(_ procedure: PairingProcedure) {
        procedure.hasSentCheck = true
        send(SMPPairingDHKeyCheck(value: check(procedure, ofInitiator: procedure.isInitiator)))
        if !procedure.isInitiator { procedure.state = .keyRequest }
    }

    private func check(_ procedure: PairingProcedure, ofInitiator: Bool) -> UInt128 {
        let isOwn = ofInitiator == procedure.isInitiator
        let (initiator, responder) = addresses(procedure)
        let features = ofInitiator ? procedure.request : procedure.response
        let random = (procedure.initiatorRandom, procedure.responderRandom)
        return SecurityToolbox.f6(
            macKey: procedure.macKey, n1: ofInitiator ? random.0 : random.1, n2: ofInitiator ? random.1 : random.0,
            r: checkRandom(procedure, features, isOwn: isOwn), ioCapabilities: number(features),
            a1: ofInitiator ? initiator : responder, a2: ofInitiator ? responder : initiator)
    }

    /// r: the passkey, or the out-of-band random number of the side that receives the check.
    private func checkRandom(_ procedure: PairingProcedure, _ features: SMPPairingFeatures?, isOwn: Bool) -> UInt128 {
        switch procedure.association?.model {
        case .passkeyEntry: return procedure.temporaryKey
        case .outOfBand:
            guard features?.outOfBandFlag == 1 else { return 0 }
            let value = isOwn ? procedure.outOfBand.remote : procedure.outOfBand.local
            return UInt128(wire: value?.random ?? [])
        default: return 0
        }
    }

    private func number(_ features: SMPPairingFeatures?) -> UInt32 {
        guard let features else { return 0 }
        return UInt32(features.requirements.rawValue) << 16 | UInt32(features.outOfBandFlag) << 8
            | UInt32(features.ioCapability.rawValue)
    }
}
