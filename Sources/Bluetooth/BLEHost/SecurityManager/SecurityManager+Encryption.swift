internal import BLECore
internal import BLEPackets
package import MonotonicTime

/// Encryption by the controller, with new keys and with keys of earlier pairings (Core 5.4, Vol 3 Part H 2.4.4).
extension SecurityManager {
    // MARK: Central

    /// Central: encrypts with a key of an earlier pairing; returns false if a procedure runs.
    package func encrypt(with key: LongTermKey, now: MonotonicInstant) -> Bool {
        guard isCentral, !isBusy, let procedure = begin(.restoredEncryption, isInitiator: true, now: now) else {
            return false
        }
        procedure.keySize = key.size
        procedure.isAuthenticated = key.isAuthenticated
        emit(.startEncryption(key))
        return true
    }

    /// Encrypts with the new key; EDIV and Rand are 0 (Core 5.4, Vol 3 Part H 2.4.4.1).
    func startEncryption(_ procedure: PairingProcedure) {
        procedure.state = .encryption
        emit(
            .startEncryption(
                LongTermKey(
                    value: procedure.key.wire, size: procedure.keySize, isAuthenticated: procedure.isAuthenticated,
                    isSecureConnections: procedure.isSecureConnections)))
    }

    // MARK: Peripheral

    /// Peripheral: sends a Security Request; returns false if a procedure runs or the channel is closed.
    package func requestSecurity(now: MonotonicInstant) -> Bool {
        guard !isCentral, !isBusy, !isClosed, begin(.securityRequest, isInitiator: false, now: now) != nil else {
            return false
        }
        send(SMPSecurityRequest(requirements: configuration.authenticationRequirements))
        return true
    }

    func handleKeyRequest(_ ediv: UInt16, _ rand: UInt64, _ key: LongTermKey?, _ now: MonotonicInstant) {
        switch procedure?.state {
        case .keyRequest:
            guard let procedure, ediv == 0 && rand == 0 || !isStrict else { return emit(.refuseLongTermKey) }
            restartTimer(now)
            procedure.state = .encryption
            emit(.replyLongTermKey(procedure.key.wire))
        case nil, .securityRequest:
            restore(key.flatMap { $0.ediv == ediv && $0.rand == rand ? $0 : nil }, now)
        default:
            emit(.refuseLongTermKey)
        }
    }

    /// Answers with a key of an earlier pairing. NimBLE sends no answer while it is busy with another link.
    private func restore(_ key: LongTermKey?, _ now: MonotonicInstant) {
        drop()
        guard let procedure = begin(.restoredEncryption, isInitiator: false, now: now) else { return }
        guard let key else {
            emit(.refuseLongTermKey)
            return drop()
        }
        procedure.keySize = key.size
        procedure.isAuthenticated = key.isAuthenticated
        emit(.replyLongTermKey(key.value))
    }

    // MARK: Both

    func handleEncryption(_ status: HCIErrorCode, _ isEncrypted: Bool, _ now: MonotonicInstant) {
        guard status == .success else { return handleFailure(status, now) }
        security.isEncrypted = isEncrypted
        guard let procedure else { return }
        let isExpected = procedure.state == .encryption || procedure.state == .restoredEncryption
        guard isEncrypted, isExpected else { return handleUnexpectedEncryption(now) }
        restartTimer(now)
        protect(procedure)
        if procedure.state == .restoredEncryption {
            security.isBonded = true
            end(.success)
        } else {
            procedure.state = .keyDistribution
            // The responder distributes its keys first.
            if !procedure.isInitiator || procedure.expectedKeys.isEmpty { distributeKeys(procedure, now) }
        }
    }

    /// Updates the link's security from the key. In NimBLE an authenticated link stays authenticated, even with a new
    /// unauthenticated key.
    private func protect(_ procedure: PairingProcedure) {
        security.keySize = procedure.keySize
        security.isAuthenticated = procedure.isAuthenticated || !isStrict && security.isAuthenticated
    }

    private func handleFailure(_ status: HCIErrorCode, _ now: MonotonicInstant) {
        guard procedure != nil else { return }
        guard !isStrict, status == .pinOrKeyMissing else {
            recordFailure(now)
            return end(.controller(status))
        }
        // The peer has lost the key: NimBLE pairs again without an event.
        drop()
        if isCentral { _ = pair(now: now) } else { _ = requestSecurity(now: now) }
    }

    /// Handles an unexpected change of encryption during a pairing.
    private func handleUnexpectedEncryption(_ now: MonotonicInstant) {
        guard isStrict else {
            send(SMPPairingFailed(reason: .unspecifiedReason))
            return end(.success)
        }
        if isPairing { refuse(.unspecifiedReason, now) } else { end(.success) }
    }
}
