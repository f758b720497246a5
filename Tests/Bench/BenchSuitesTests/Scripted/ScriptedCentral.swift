import BLECentral
import BLECore
import BenchExecutor
import Dispatch
import Synchronization

/// A central of a ``ScriptedBench``. The calculator's thread performs its operations; results and events are posted by
/// the thread of the stack.
actor ScriptedCentral: CentralBackend {
    private static let service = BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    private static let input = BLEUUID("C1AB2C55-7914-4140-B85B-879C5E252FE5")
    private static let output = BLEUUID("643954A4-A6CC-455C-825C-499190CE7DB0")
    /// The stack hides addresses and handles.
    private static let board = PeerID(opaque: "5F2A9C0E")
    /// The largest ATT MTU of the board.
    private static let maximumMTU = 255

    private nonisolated let executor: BenchExecutor
    private nonisolated let bench: ScriptedBench
    private nonisolated let calculator: ScriptedCalculator
    private nonisolated let stack: WorkerThread
    private nonisolated let number: Int
    private nonisolated let adapter: Int
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    static let supported: Set<CentralAbility> = [.disconnectReason, .mtuExchange, .attErrors, .discoveryOnRequest]

    nonisolated let abilities: Set<CentralAbility> = ScriptedCentral.supported
    nonisolated let events: CentralEventQueue = CentralEventQueue()
    private var links: [ConnectionID: Int] = [:]
    private var lastConnection: UInt32 = 0

    init(_ bench: ScriptedBench, number: Int) {
        self.bench = bench
        executor = bench.executor
        calculator = bench.calculator
        stack = bench.stack
        self.number = number
        adapter = bench.adapter.load(ordering: .relaxed)
    }

    /// What the stack does that a well-behaved one does not.
    struct Misbehaviour: OptionSet, Sendable {
        let rawValue: Int

        /// The peer notifies before `connect` returns, and before anybody knows its attributes.
        static let notifiesEarly = Misbehaviour(rawValue: 1)
        /// Every disconnection is posted twice, and notifications after it.
        static let outlivesLinks = Misbehaviour(rawValue: 2)
        /// Each notification comes many times, from three threads at once.
        static let usesThreeThreads = Misbehaviour(rawValue: 4)
    }

    /// What a peer notifies before `connect` returns.
    static let earlyValue: UInt8 = 0x77
    /// How often each of three threads posts a notification.
    static let notificationsPerThread = 100

    // MARK: Threads

    /// Posts an event from the thread of the stack.
    private nonisolated func post(_ event: CentralEvent) {
        stack.post { self.events.post(event) }
    }

    /// Calls `ask` and waits for the answer, which the thread of the stack gives.
    private func answer<Value: Sendable>(
        _ ask: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        let stack = stack
        return await withCheckedContinuation { continuation in
            ask { value in stack.post { continuation.resume(returning: value) } }
        }
    }

    /// Its adapter does not come back: what is plugged in again is another one, for another central.
    nonisolated func checkAdapter() throws(CentralError) {
        guard adapter > 0, bench.adapter.load(ordering: .relaxed) == adapter else {
            throw CentralError(.unavailable, "hci0: the adapter is gone")
        }
    }

    private func link(_ connection: ConnectionID) throws(CentralError) -> Int {
        try checkAdapter()
        if let link = links[connection] { return link }
        throw CentralError(.notConnected, "there is no such connection")
    }

    private static func attribute(_ attribute: AttributeID) -> ScriptedCalculator.Attribute? {
        ScriptedCalculator.Attribute(rawValue: attribute.rawValue)
    }

    private static func attribute(_ attribute: ScriptedCalculator.Attribute) -> AttributeID {
        AttributeID(rawValue: attribute.rawValue)
    }

    // MARK: Events and connections

    func powerOn() {}

    func startScanning(_ filter: ScanFilter) throws(CentralError) {
        try checkAdapter()
        let advertisement = Advertisement(
            peer: Self.board,
            data: AdvertisingData(structures: [
                AdvertisingData.Structure(type: .completeLocalName, data: Array("Test Peripheral".utf8)),
                AdvertisingData.Structure(
                    type: .complete128BitServiceUUIDs, data: Self.service?.attBytes ?? []),
            ]), rssi: -50, isConnectable: true)
        calculator.setScanner(number) { self.post(.advertisement(advertisement)) }
    }

    func stopScanning() {
        calculator.setScanner(number, nil)
    }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        try checkAdapter()
        lastConnection += 1
        let connection = ConnectionID(rawValue: lastConnection)
        let calculator = calculator
        let link: Int? = await answer { answer in
            calculator.connect({ self.receive($0, on: connection) }, answer)
        }
        guard let link else { throw CentralError(.timedOut, "nobody answers") }
        links[connection] = link
        if bench.misbehaviour.contains(.notifiesEarly) {
            let (stack, events) = (stack, events)
            await answer { answer in
                stack.post { events.post(Self.notification([Self.earlyValue], on: connection)) }
                answer(())
            }
        }
        return connection
    }

    private nonisolated func receive(_ event: ScriptedCalculator.LinkEvent, on connection: ConnectionID) {
        switch event {
        case .notification(let value) where bench.misbehaviour.contains(.usesThreeThreads):
            let events = events
            DispatchQueue.concurrentPerform(iterations: 3) { _ in
                for _ in 0..<Self.notificationsPerThread { events.post(Self.notification(value, on: connection)) }
            }
        case .notification(let value): post(Self.notification(value, on: connection))
        case .end(let reason):
            post(.disconnected(connection, reason: reason))
            guard bench.misbehaviour.contains(.outlivesLinks) else { return }
            post(.disconnected(connection, reason: reason))
            post(Self.notification([0xFF], on: connection))
        }
    }

    private static func notification(_ value: [UInt8], on connection: ConnectionID) -> CentralEvent {
        .notification(connection, attribute(.output), value: value, isIndication: false)
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        let link = try link(connection)
        links[connection] = nil
        let calculator = calculator
        let result: Result<[UInt8], CentralError> = await answer { calculator.disconnect(link, $0) }
        _ = try result.get()
    }

    // MARK: Attributes

    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        _ = try link(connection)
        let stack = stack
        let effective: Int = await answer { answer in stack.post { answer(min(mtu, Self.maximumMTU)) } }
        post(.mtuChanged(connection, effective))
        return effective
    }

    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        _ = try link(connection)
        guard let service = Self.service, let input = Self.input, let output = Self.output else { return [] }
        return [
            DiscoveredService(
                uuid: service,
                characteristics: [
                    DiscoveredCharacteristic(
                        uuid: input, value: Self.attribute(.input), properties: [.write, .writeWithoutResponse],
                        descriptors: []),
                    DiscoveredCharacteristic(
                        uuid: output, value: Self.attribute(.output), properties: [.read, .notify],
                        descriptors: [
                            DiscoveredDescriptor(
                                uuid: BLEUUID(0x2902), attribute: Self.attribute(.outputConfiguration))
                        ]),
                ])
        ]
    }

    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        let (link, calculator) = (try link(connection), calculator)
        let result: Result<[UInt8], CentralError> = await answer {
            calculator.read(Self.attribute(attribute), on: link, $0)
        }
        return try result.get()
    }

    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)
    {
        let (link, calculator) = (try link(connection), calculator)
        guard kind == .withResponse else {
            return calculator.write(value, to: Self.attribute(attribute), on: link) { _ in }
        }
        let result: Result<[UInt8], CentralError> = await answer {
            calculator.write(value, to: Self.attribute(attribute), on: link, $0)
        }
        _ = try result.get()
    }

    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)
    {
        guard characteristic == Self.attribute(.output) else {
            throw CentralError(.attError(0x0A), "no client characteristic configuration")
        }
        let value = [UInt8(truncatingIfNeeded: subscription.configuration), 0]
        try await write(value, to: Self.attribute(.outputConfiguration), kind: .withResponse, on: connection)
    }

    // MARK: Security

    func security(of connection: ConnectionID) throws(CentralError) -> LinkSecurity {
        _ = try link(connection)
        return LinkSecurity()
    }
}
