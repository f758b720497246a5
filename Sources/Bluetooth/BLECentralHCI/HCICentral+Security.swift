import BenchExecutor
public import BLECentral
public import BLECore
import BLEHost
internal import BLEPackets

extension HCICentral {
    /// Converts the central's configuration to the host's.
    static func configuration(_ security: CentralSecurity) -> SecurityConfiguration {
        SecurityConfiguration(
            ioCapability: security.ioCapability, hasOutOfBandData: security.hasOutOfBandData,
            bonding: security.bonding, mitm: security.mitm, secureConnections: security.secureConnections != .off,
            secureConnectionsOnly: security.secureConnections == .only, keySizes: security.keySizes,
            conduct: .specification)
    }

    /// Configures pairing and the own address; applies to procedures started later. May be called before ``powerOn()``.
    public func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        try checkAvailable()
        host.security = Self.configuration(security)
        isPrivate = security.privacy
        try applyPrivacy()
    }

    func applyPrivacy() throws(CentralError) {
        guard host.isReady else { return }
        do throws(HostError) {
            try host.setPrivacy(isPrivate, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        pump()
    }

    /// Pairs, even with an existing bond.
    public func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        let host = host
        let now = executor.now
        return try await secure(connection) { handle throws(HostError) in try host.pair(on: handle, now: now) }
    }

    /// Encrypts with the key of the bond.
    public func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        let host = host
        let now = executor.now
        return try await secure(connection) { handle throws(HostError) in try host.encrypt(on: handle, now: now) }
    }

    private func secure(
        _ id: ConnectionID, _ start: (ConnectionHandle) throws(HostError) -> Void
    ) async throws(CentralError) -> LinkSecurity {
        let connection = try self.connection(id)
        do throws(HostError) {
            try start(connection.handle)
        } catch {
            throw CentralError(error)
        }
        storageError = nil
        let result = await withCheckedContinuation { continuation in
            connection.securityWaiters.append(continuation)
            pump()
        }
        return try result.get()
    }

    /// Answers a pairing's request for user input.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        try self.answer(answer, on: connection)
    }

    /// Answers synchronously, within the handler of the event.
    package func answer(_ answer: PairingAnswer, on connection: ConnectionID) throws(CentralError) {
        let connection = try self.connection(connection)
        do throws(HostError) {
            try host.answerPairing(answer, on: connection.handle, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        pump()
    }

    func deliverOutOfBandValue() {
        guard let value = host.nextOutOfBandValue() else { return }
        outOfBandWaiters.removeFirst().resume(
            returning: .success(value))
    }

    /// Generates out-of-band data for the next pairing, to be given to the peer.
    public func makeOutOfBandValue() async throws(CentralError) -> OutOfBandValue {
        try checkAvailable()
        do throws(HostError) {
            try host.makeOutOfBandValue(now: executor.now)
        } catch {
            throw CentralError(error)
        }
        let result = await withCheckedContinuation { continuation in
            outOfBandWaiters.append(continuation)
            pump()
        }
        return try result.get()
    }

    /// The current security of a connection.
    public func security(of connection: ConnectionID) throws(CentralError) -> LinkSecurity {
        let connection = try self.connection(connection)
        return host.connection(connection.handle)?.security ?? LinkSecurity()
    }

    /// The bonded peers, oldest first.
    public func bonds() async throws(CentralError) -> [BondedPeer] {
        try checkAvailable()
        try loadKeys()
        return host.bonds.map(BondedPeer.init)
    }

    /// Deletes the bond with a peer.
    public func forget(_ identity: DeviceAddress) async throws(CentralError) {
        try checkAvailable()
        try loadKeys()
        storageError = nil
        host.removeBond(of: identity, now: executor.now)
        pump()
        if let storageError { throw storageError }
    }

    // MARK: Keys

    /// Loads the stored keys, once; a store that cannot be read is not modified.
    func loadKeys() throws(CentralError) {
        guard !hasLoadedKeys else { return }
        do throws(BondStoreError) {
            let keys = try bondStore.load()
            host.setIdentityKey(keys.identityKey)
            host.setBonds(keys.bonds)
        } catch {
            throw CentralError(.storage, error.detail)
        }
        hasLoadedKeys = true
    }

    func saveKeys() {
        do throws(BondStoreError) {
            try bondStore.save(StoredKeys(identityKey: host.identityKey, bonds: host.bonds))
        } catch {
            storageError = CentralError(.storage, error.detail)
        }
    }

    // MARK: Events

    /// Handles a security event.
    func handleSecurity(_ event: HostEvent) {
        switch event {
        case .pairingInput(let handle, let input):
            if let connection = connection(handle: handle) {
                events.post(.pairingInput(connection.id, input))
            }
        case .encryptionChanged(let handle, let status, let security): ended(handle, status, security)
        case .securityChanged(let handle): securityChanged(handle)
        case .securityRequested(let handle, _):
            if let connection = connection(handle: handle) { events.post(.securityRequested(connection.id)) }
        case .bondsChanged, .identityKeyMade: if hasLoadedKeys { saveKeys() }
        default: break
        }
    }

    private func securityChanged(_ handle: ConnectionHandle) {
        guard let connection = connection(handle: handle), let info = host.connection(handle) else { return }
        let security = info.security
        guard security != connection.security else { return }
        connection.security = security
        events.post(.securityChanged(connection.id, security))
    }

    private func ended(_ handle: ConnectionHandle, _ status: SecurityStatus, _ security: LinkSecurity) {
        // The waiters are resumed by the disconnection that follows, with its reason.
        guard status != .disconnected, let connection = connection(handle: handle) else { return }
        let peer = host.connection(handle)?.identity
        let error = CentralError(status, peer) ?? storageError
        let waiters = connection.securityWaiters
        connection.securityWaiters = []
        for waiter in waiters {
            waiter.resume(returning: error.map { .failure($0) } ?? .success(security))
        }
    }
}

extension BondedPeer {
    init(_ bond: Bond) {
        let key = bond.peerKey ?? bond.localKey
        self.init(
            identity: bond.peer, hasIdentityKey: bond.peerIRK != nil, isAuthenticated: key?.isAuthenticated ?? false,
            isSecureConnections: key?.isSecureConnections ?? false, keySize: key?.size ?? 0)
    }
}

extension CentralError {
    /// The error of a failed pairing or encryption; `nil` for success.
    init?(_ status: SecurityStatus, _ peer: DeviceAddress?) {
        let code: Code
        switch status {
        case .success: return nil
        case .failed(let reason), .failedByPeer(let reason): code = .pairingFailed(reason: reason.rawValue)
        case .weakerThanBond:
            code = .pairingFailed(reason: SMPFailureReason.authenticationRequirements.rawValue)
        case .controller(let error): code = .encryptionFailed(status: error.rawValue)
        case .malformedPDU: code = .protocolViolation
        case .timedOut: code = .timedOut
        case .disconnected: code = .notConnected
        }
        let name = peer.map { "\($0)" } ?? "a peer that is gone"
        self.init(code, "security with \(name): \(status)")
    }
}

extension CentralError {
    init(_ error: HostError) {
        let code: Code =
            switch error.code {
            case .commandTimedOut: .timedOut
            case .commandRefused(_, let status): .controller(status: status.rawValue)
            case .notConnected: .notConnected
            case .notBonded: .notBonded
            case .unsupportedController, .notReady, .alreadyActive, .tooManyPairings, .notAwaited, .invalidParameters:
                .invalidState
            }
        self.init(code, error.detail)
    }

    init(_ error: GATTClientError) {
        let code: Code =
            switch error.code {
            case .attError(let code): .attError(code.rawValue)
            case .timedOut: .timedOut
            case .protocolViolation: .protocolViolation
            case .disconnected(let reason): .disconnected(reason: reason.rawValue)
            case .bearerClosed, .invalidArgument: .invalidState
            }
        self.init(code, error.detail)
    }
}
