internal import BLECentral
internal import BLECore
import Bench
import BenchModel
internal import BenchExecutor
import MonotonicTime

/// A central whose operations and events are in the timeline, as those of a suite's centrals are.
actor RecordingCentral: CentralBackend {
    /// What events of the timeline have as their source.
    static let source = "phone"

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events = CentralEventQueue()
    nonisolated let abilities: Set<CentralAbility>
    private let base: any CentralBackend
    private let recorder: EventRecorder
    private let gattNames: GATTNames
    /// What events call the attributes of each connection.
    private var names: [ConnectionID: [AttributeID: EventAttribute]] = [:]

    /// A central on `base`, which nobody else uses.
    init(
        _ base: any CentralBackend, _ recorder: EventRecorder, _ gattNames: GATTNames, _ executor: BenchExecutor
    ) {
        self.base = base
        self.recorder = recorder
        self.gattNames = gattNames
        self.executor = executor
        abilities = base.abilities
    }

    private nonisolated func record(_ payload: some EventPayload) {
        recorder.record(BenchEvent(time: executor.now, source: Self.source, payload: payload))
    }

    private func name(_ attribute: AttributeID, _ connection: ConnectionID) -> EventAttribute {
        names[connection]?[attribute] ?? EventAttribute(handle: attribute.rawValue)
    }

    private func receive(_ event: CentralEvent) {
        switch event {
        case .notification(let connection, let attribute, let value, let isIndication):
            let name = name(attribute, connection)
            if isIndication {
                record(IndicationReceived(name, value: value))
            } else {
                record(NotificationReceived(name, value: value))
            }
        case .mtuChanged(_, let mtu): record(MTUChanged(mtu))
        case .disconnected(let connection, let reason, _):
            names[connection] = nil
            record(Disconnected(reason: reason))
        case .pairingInput(_, let input): record(PairingInputRequested("\(input)"))
        case .securityChanged(_, let security):
            record(
                SecurityChanged(
                    isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
                    isBonded: security.isBonded, keySize: security.keySize))
        case .securityRequested: record(SecurityRequested())
        case .failed, .advertisement, .passkeyDisplayed: break
        }
        events.post(event)
    }

    /// Records the ATT error that an operation ended with.
    private func recordingError<Value>(
        of attribute: AttributeID, _ connection: ConnectionID,
        _ body: () async throws(CentralError) -> Value
    ) async throws(CentralError) -> Value {
        do throws(CentralError) {
            return try await body()
        } catch {
            if case .attError(let code) = error.code {
                record(ATTErrorReceived(name(attribute, connection), code: code))
            }
            throw error
        }
    }

    // MARK: Operations

    func powerOn() async throws(CentralError) {
        base.events.setHandler(on: executor) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        try await base.powerOn()
    }

    func close() async { await base.close() }

    func startScanning(_ filter: ScanFilter) async throws(CentralError) { try await base.startScanning(filter) }

    func stopScanning() async throws(CentralError) { try await base.stopScanning() }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        let connection = try await base.connect(to: peer, within: timeout)
        record(Connected(address: "\(peer)"))
        // They are held in this central's own queue until the caller is ready.
        base.events.accept(connection)
        return connection
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) { try await base.disconnect(connection) }

    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        try await base.exchangeMTU(mtu, on: connection)
    }

    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        let services = try await base.discoverServices(on: connection)
        let characteristics = services.flatMap(\.characteristics)
        names[connection] = Dictionary(
            characteristics.map {
                ($0.value, EventAttribute(handle: $0.handle, name: gattNames.characteristic($0.uuid)))
            }
        ) { first, _ in first }
        record(ServicesDiscovered(services: services.count, characteristics: characteristics.count))
        return services
    }

    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        let value = try await recordingError(of: attribute, connection) { () async throws(CentralError) in
            try await base.read(attribute, on: connection)
        }
        record(ValueRead(name(attribute, connection), value: value))
        return value
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID
    ) async throws(CentralError) {
        record(ValueWritten(name(attribute, connection), value: value, hasResponse: kind != .withoutResponse))
        try await recordingError(of: attribute, connection) { () async throws(CentralError) in
            try await base.write(value, to: attribute, kind: kind, on: connection)
        }
    }

    func setSubscription(
        _ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID
    ) async throws(CentralError) {
        try await recordingError(of: characteristic, connection) { () async throws(CentralError) in
            try await base.setSubscription(subscription, of: characteristic, on: connection)
        }
        record(SubscriptionWritten(name(characteristic, connection), to: subscription))
    }

    func exchangeATT(
        _ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        try await base.exchangeATT(pdu, on: connection, within: timeout)
    }

    func setSecurity(_ security: CentralSecurity) async throws(CentralError) { try await base.setSecurity(security) }

    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        record(PairingBegan())
        do throws(CentralError) {
            return try await base.pair(connection)
        } catch {
            record(SecurityFailed("\(error)"))
            throw error
        }
    }

    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try await base.encrypt(connection)
    }

    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        record(PairingInputGiven("\(answer)"))
        try await base.answerPairing(answer, on: connection)
    }

    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try await base.security(of: connection)
    }

    func bonds() async throws(CentralError) -> [BondedPeer] { try await base.bonds() }

    func forget(_ identity: DeviceAddress) async throws(CentralError) {
        try await base.forget(identity)
        record(BondsDeleted("\(identity)"))
    }
}
