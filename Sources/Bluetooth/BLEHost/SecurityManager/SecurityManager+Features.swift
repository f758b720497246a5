internal import BLECore
internal import BLEPackets
package import MonotonicTime

/// The exchange of pairing features (Core 5.4, Vol 3 Part H 2.3.1 and 3.5.1).
extension SecurityManager {
    // MARK: Initiator

    /// Central: begins a pairing, regardless of the link's security; returns false if a procedure runs or the channel
    /// is closed.
    package func pair(now: MonotonicInstant) -> Bool {
        guard isCentral, !isBusy, !isClosed, let procedure = begin(.features, isInitiator: true, now: now) else {
            return false
        }
        let request = features(procedure.configuration.localKeys, procedure.configuration.remoteKeys)
        procedure.request = request
        send(SMPPairingRequest(features: request))
        draw(16) { _, random, _ in procedure.localRandom = UInt128(wire: random) }
        return true
    }

    func receive(_ pdu: SMPPairingResponse, _ now: MonotonicInstant) {
        guard let procedure, procedure.state == .features, let request = procedure.request else { return ignore(now) }
        procedure.apply(request: request, response: pdu.features)
        if let reason = refusalReason(for: pdu.features, procedure) { return refuse(reason, now) }
        guard !wouldWeakenBond(of: peerIdentity, procedure) else { return refuseWeakening(of: peerIdentity, now) }
        restartTimer(now)
        if procedure.isSecureConnections {
            procedure.state = .publicKey
            sendPublicKey(procedure, now)
        } else {
            procedure.state = .confirm
            if !requestUserInput(procedure) { sendConfirm(procedure) }
        }
    }

    // MARK: Responder

    func receive(_ pdu: SMPPairingRequest, _ now: MonotonicInstant) {
        if let procedure {
            guard procedure.state == .securityRequest else { return ignore(now) }
            drop()
        }
        guard let procedure = begin(.features, isInitiator: false, now: now) else { return emit(.forgetBond) }
        let reason = isStrict ? strictRefusalReason(for: pdu, procedure, now) : nimbleRefusalReason(for: pdu.features)
        if let reason {
            return isStrict || nimbleReportsRefusal(pdu.features) ? refuse(reason, now) : refuseWithoutEvent(reason)
        }
        var response = features(
            pdu.features.initiatorKeys.intersection(procedure.configuration.remoteKeys),
            pdu.features.responderKeys.intersection(procedure.configuration.localKeys))
        response.ioCapability = procedure.configuration.ioCapability
        procedure.apply(request: pdu.features, response: response)
        if isStrict, let reason = refusalReason(for: pdu.features, procedure) { return refuse(reason, now) }
        guard !wouldWeakenBond(of: peerIdentity, procedure) else { return refuseWeakening(of: peerIdentity, now) }
        if !isStrict { emit(.forgetBond) }
        send(SMPPairingResponse(features: response))
        procedure.state = procedure.isSecureConnections ? .publicKey : .confirm
        draw(16) { manager, random, _ in
            procedure.localRandom = UInt128(wire: random)
            manager.requestUserInput(procedure)
        }
    }

    private func refuseWithoutEvent(_ reason: SMPFailureReason) {
        send(SMPPairingFailed(reason: reason))
        drop()
    }

    private func nimbleRefusalReason(for request: SMPPairingFeatures) -> SMPFailureReason? {
        if isCentral { return .commandNotSupported }
        if request.maximumKeySize < 7 { return .encryptionKeySize }
        if request.maximumKeySize > 16 { return .invalidParameters }
        guard configuration.secureConnectionsOnly else { return nil }
        if !request.requirements.contains(.secureConnections) { return .authenticationRequirements }
        return request.maximumKeySize == 16 ? nil : .encryptionKeySize
    }

    /// True if NimBLE reports the refusal to its application.
    private func nimbleReportsRefusal(_ request: SMPPairingFeatures) -> Bool {
        configuration.secureConnectionsOnly && !isCentral && (7...16).contains(request.maximumKeySize)
    }

    private func strictRefusalReason(
        for request: SMPPairingRequest, _ procedure: PairingProcedure, _ now: MonotonicInstant
    ) -> SMPFailureReason? {
        if isCentral { return .commandNotSupported }
        if !configuration.acceptsPairing { return .pairingNotSupported }
        return context.attempts.isBlocked(peer, now: now) ? .repeatedAttempts : nil
    }

    // MARK: Both

    private func features(_ initiatorKeys: SMPKeyDistribution, _ responderKeys: SMPKeyDistribution)
        -> SMPPairingFeatures
    {
        SMPPairingFeatures(
            ioCapability: configuration.ioCapability, outOfBandFlag: configuration.hasOutOfBandData ? 1 : 0,
            requirements: configuration.authenticationRequirements,
            maximumKeySize: UInt8(clamping: configuration.keySizes.upperBound), initiatorKeys: initiatorKeys,
            responderKeys: responderKeys)
    }

    /// The reason for refusing the peer's features, once both sides' features are known; `nil` to accept.
    private func refusalReason(for peer: SMPPairingFeatures, _ procedure: PairingProcedure) -> SMPFailureReason? {
        let configuration = procedure.configuration
        if peer.maximumKeySize < 7 { return .encryptionKeySize }
        if peer.maximumKeySize > 16 { return .invalidParameters }
        if configuration.secureConnectionsOnly {
            if !procedure.isSecureConnections { return .authenticationRequirements }
            if procedure.keySize < 16 { return .encryptionKeySize }
        }
        guard isStrict else { return nil }
        if procedure.keySize < configuration.keySizes.lowerBound { return .encryptionKeySize }
        if !peer.ioCapability.isDefined || peer.outOfBandFlag > 1 { return .invalidParameters }
        if procedure.isInitiator, let request = procedure.request,
            !peer.initiatorKeys.isSubset(of: request.initiatorKeys)
                || !peer.responderKeys.isSubset(of: request.responderKeys)
        {
            return .invalidParameters
        }
        return configuration.requiresAuthentication && !procedure.isAuthenticated ? .authenticationRequirements : nil
    }
}
