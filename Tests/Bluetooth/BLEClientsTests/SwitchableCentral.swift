import BLECentral
import BLECore
import BenchExecutor

/// A stack that can be taken away, as when somebody switches Bluetooth off: its connections end, and every operation fails
/// until it is there again.
actor SwitchableCentral: CentralBackend {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events = CentralEventQueue()
    nonisolated let abilities: Set<CentralAbility>
    private let base: any CentralBackend
    private var connections: Set<ConnectionID> = []
    /// The error of every operation; `nil`: the stack is there.
    private var failure: CentralError?
    private var earlyEnd: UInt8?

    init(_ base: any CentralBackend, on executor: BenchExecutor) {
        self.base = base
        self.executor = executor
        abilities = base.abilities
    }

    /// Takes the stack away: reports its connections as ended, and then that it has failed.
    func takeAway(_ absence: CentralAbsence?, _ detail: String) async {
        let error = CentralError(.unavailable, detail, absence: absence)
        failure = error
        let ended = connections.sorted { $0.rawValue < $1.rawValue }
        connections = []
        for connection in ended { events.post(.disconnected(connection, reason: nil)) }
        events.post(.failed(error))
        // The peers notice it, too.
        try? await base.stopScanning()
        for connection in ended { try? await base.disconnect(connection) }
    }

    /// Gives the stack back.
    func giveBack() { failure = nil }

    /// Lets every further connection end before the caller of `connect` knows that it has succeeded.
    func endConnectionsEarly(with reason: UInt8) { earlyEnd = reason }

    private func check() throws(CentralError) {
        if let failure { throw failure }
    }

    private func receive(_ event: CentralEvent) {
        guard failure == nil else { return }
        if case .disconnected(let connection, _, _) = event { connections.remove(connection) }
        events.post(event)
    }

    // MARK: Operations

    func powerOn() async throws(CentralError) {
        try check()
        base.events.setHandler(on: executor) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        try await base.powerOn()
    }

    func close() async { await base.close() }

    func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try check()
        try await base.startScanning(filter)
    }

    func stopScanning() async throws(CentralError) {
        try check()
        try await base.stopScanning()
    }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        try check()
        let connection = try await base.connect(to: peer, within: timeout)
        connections.insert(connection)
        // They are held in this central's own queue until the caller is ready.
        base.events.accept(connection)
        if let earlyEnd {
            events.post(.disconnected(connection, reason: earlyEnd))
            try await base.disconnect(connection)
        }
        return connection
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        try check()
        try await base.disconnect(connection)
    }

    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        try check()
        return try await base.discoverServices(on: connection)
    }

    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        try check()
        return try await base.read(attribute, on: connection)
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID
    ) async throws(CentralError) {
        try check()
        try await base.write(value, to: attribute, kind: kind, on: connection)
    }

    func setSubscription(
        _ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID
    ) async throws(CentralError) {
        try check()
        try await base.setSubscription(subscription, of: characteristic, on: connection)
    }

    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try check()
        return try await base.pair(connection)
    }

    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try check()
        return try await base.encrypt(connection)
    }

    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        try check()
        try await base.answerPairing(answer, on: connection)
    }

    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try check()
        return try await base.security(of: connection)
    }
}
