package import BLECore
internal import BLEPackets
package import MonotonicTime

/// User input of a pairing.
extension SecurityManager {
    /// Requests the user's input if this state needs it; returns true if it was requested.
    @discardableResult
    func requestUserInput(_ procedure: PairingProcedure) -> Bool {
        guard procedure.inputState == procedure.state, !procedure.isInputGiven, let part = procedure.association?.part
        else { return false }
        switch part {
        case .nothing: return false
        case .display: emit(.needsInput(.displayPasskey))
        case .enter: emit(.needsInput(.enterPasskey))
        case .compare: emit(.needsInput(.compareNumbers(comparisonNumber(procedure))))
        case .outOfBand: emit(.needsInput(.outOfBand))
        }
        return true
    }

    /// Handles the user's answer; returns false if no such answer is awaited.
    package func answer(_ answer: PairingAnswer, now: MonotonicInstant) -> Bool {
        guard let procedure, !procedure.isInputGiven, procedure.inputState == procedure.state,
            let part = procedure.association?.part
        else { return false }
        switch (answer, part) {
        case (.passkey(let passkey), .display), (.passkey(let passkey), .enter):
            guard passkey <= 999_999 else { return false }
            procedure.temporaryKey = UInt128(passkey)
        case (.confirm(true), .compare):
            break
        case (.confirm(false), .compare), (.cancel, .compare):
            refuseAsUser(.numericComparisonFailed, now)
            return true
        case (.temporaryKey(let key), .outOfBand):
            guard !procedure.isSecureConnections, key.count == 16 else { return false }
            procedure.temporaryKey = UInt128(wire: key)
        case (.outOfBand(let local, let remote), .outOfBand):
            guard procedure.isSecureConnections else { return false }
            guard handleOutOfBand(local, remote, procedure, now) else { return true }
        case (.cancel, .outOfBand):
            refuseAsUser(.outOfBandNotAvailable, now)
            return true
        case (.cancel, .display), (.cancel, .enter):
            // In NimBLE the user cannot refuse here: the pairing waits for its time-out.
            guard isStrict else { return false }
            refuse(.passkeyEntryFailed, now)
            return true
        default:
            return false
        }
        restartTimer(now)
        procedure.isInputGiven = true
        if procedure.isInitiator || procedure.advancesOnInput { advanceAfterInput(procedure) }
        return true
    }

    /// NimBLE sends Pairing Failed, but keeps waiting until the time-out.
    private func refuseAsUser(_ reason: SMPFailureReason, _ now: MonotonicInstant) {
        guard !isStrict else { return refuse(reason, now) }
        send(SMPPairingFailed(reason: reason))
        restartTimer(now)
    }

    /// Checks the peer's commitment to its public key (Core 5.4, Vol 3 Part H 2.3.5.6.4).
    private func handleOutOfBand(
        _ local: OutOfBandValue?, _ remote: OutOfBandValue?, _ procedure: PairingProcedure, _ now: MonotonicInstant
    ) -> Bool {
        let features = procedure.isInitiator ? procedure.request : procedure.response
        guard (features?.outOfBandFlag == 1) == (remote != nil) else {
            refuseAsUser(.outOfBandNotAvailable, now)
            return false
        }
        if let remote {
            let confirm = SecurityToolbox.f4(
                u: procedure.peerX, v: procedure.peerX, x: UInt128(wire: remote.random), z: 0)
            guard confirm.wire == remote.confirm else {
                refuse(.confirmValueFailed, now)
                return false
            }
        }
        procedure.outOfBand = (local, remote)
        return true
    }

    private func advanceAfterInput(_ procedure: PairingProcedure) {
        switch procedure.state {
        case .confirm: sendConfirm(procedure)
        case .random: sendRandom(procedure)
        case .dhKeyCheck: sendCheck(procedure)
        default: return
        }
    }
}
