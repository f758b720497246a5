import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime

/// Pairing with the fake board, which displays the passkey 123456.
extension FakeCentral {
    private static let passkey: UInt32 = 123_456

    func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        settings = security
    }

    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        await note(
            "pair \(settings.ioCapability) \(settings.secureConnections) \(settings.keySizes) mitm \(settings.mitm) bonding \(settings.bonding)"
        )
        try check(connection, "pair")
        let isAuthenticated = settings.ioCapability != .noInputNoOutput
        if isAuthenticated {
            switch await ask(settings.ioCapability == .displayYesNo ? .compareNumbers(42) : .enterPasskey, connection) {
            case nil: throw CentralError(.timedOut, "the pairing timed out")
            case .passkey(Self.passkey), .confirm(true): break
            case .passkey: throw CentralError(.pairingFailed(reason: 0x04), "confirm value failed")
            case .confirm(false): throw CentralError(.pairingFailed(reason: 0x0C), "numeric comparison failed")
            default: throw CentralError(.pairingFailed(reason: 0x01), "passkey entry failed")
            }
        }
        try check(connection, "pair")
        hasBond = settings.bonding
        if settings.bonding { await bench.bond(identity) }
        return encrypted(isAuthenticated, connection)
    }

    private func ask(_ input: PairingInput, _ connection: ConnectionID) async -> PairingAnswer? {
        post(.pairingInput(connection, input))
        let executor = bench.executor
        let deadline = executor.schedule(at: executor.now.advanced(by: .seconds(30))) {
            self.assumeIsolated { $0.answer(nil) }
        }
        defer { executor.cancel(deadline) }
        return await withCheckedContinuation { answerWaiter = $0 }
    }

    private func answer(_ answer: PairingAnswer?) {
        answerWaiter.take()?.resume(returning: answer)
    }

    private func encrypted(_ isAuthenticated: Bool, _ connection: ConnectionID) -> LinkSecurity {
        security = LinkSecurity(
            isEncrypted: true, isAuthenticated: isAuthenticated, isBonded: hasBond,
            keySize: settings.keySizes.upperBound)
        post(.securityChanged(connection, security))
        return security
    }

    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        await note("encrypt")
        guard hasBond else { throw CentralError(.notBonded, "no keys of the board") }
        guard await bench.boardBonds.contains(identity) else {
            throw CentralError(.encryptionFailed(status: 0x06), "PIN or key missing")
        }
        return encrypted(true, connection)
    }

    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        await note("answer \(answer) at \(bench.executor.now.nanoseconds / 1_000_000) ms")
        self.answer(answer)
    }

    func linkParameters(of connection: ConnectionID) async throws(CentralError) -> LinkParameters {
        try check(connection, "parameters")
        return LinkParameters(
            interval: .milliseconds(30), latency: 0, supervisionTimeout: .seconds(4), sendPHY: .le1M,
            receivePHY: .le1M)
    }

    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try check(connection, "security")
        return security
    }

    func bonds() async throws(CentralError) -> [BondedPeer] {
        try checkAdapter("bonds")
        guard hasBond else { return [] }
        return [
            BondedPeer(
                identity: DeviceAddress(0x240A_C400_0112, .public), hasIdentityKey: false, isAuthenticated: true,
                isSecureConnections: true, keySize: 16)
        ]
    }

    func forget(_ identity: DeviceAddress) async throws(CentralError) {
        hasBond = false
    }
}
