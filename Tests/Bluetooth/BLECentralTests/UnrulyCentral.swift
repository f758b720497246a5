import BLECentral
import BLECore
import Dispatch

/// A backend with unusual timing, like stacks with their own threads: it posts events from threads other than the
/// bench's. It has no optional abilities.
actor UnrulyCentral: CentralBackend {
    /// Its deviation from a well-behaved backend.
    struct Misbehaviour: OptionSet, Sendable {
        let rawValue: Int

        /// The peer notifies before `connect` returns.
        static let notifiesEarly = Misbehaviour(rawValue: 1)
        /// The connection has ended before `connect` returns.
        static let disconnectsEarly = Misbehaviour(rawValue: 2)
        /// A disconnection is posted twice.
        static let disconnectsTwice = Misbehaviour(rawValue: 4)
        /// The peer notifies after the disconnection.
        static let notifiesLate = Misbehaviour(rawValue: 8)
        /// A write is answered by notifications from three threads at once.
        static let usesThreeThreads = Misbehaviour(rawValue: 16)
        /// The adapter is unplugged in the middle of the first write.
        static let vanishes = Misbehaviour(rawValue: 32)
    }

    static let peer = PeerID(opaque: "unruly")
    static let value = AttributeID(rawValue: 7)
    static let service = BLEUUID(0x180F)
    static let characteristic = BLEUUID(0x2A19)
    /// The number of notifications posted by each of the three threads.
    static let notificationsPerThread = 500

    nonisolated let abilities: Set<CentralAbility> = []
    nonisolated let events = CentralEventQueue()
    nonisolated let misbehaviour: Misbehaviour
    private var connections: Set<ConnectionID> = []
    private var lastConnection: UInt32 = 0
    private var isGone = false

    init(_ misbehaviour: Misbehaviour) {
        self.misbehaviour = misbehaviour
    }

    func powerOn() async throws(CentralError) {
        try checkAdapter()
    }

    func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try checkAdapter()
        await elsewhere { events in
            events.post(
                .advertisement(
                    Advertisement(
                        peer: Self.peer, data: AdvertisingData(structures: []), rssi: -40, isConnectable: true)))
        }
    }

    func stopScanning() async throws(CentralError) {
        try checkAdapter()
    }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        try checkAdapter()
        guard peer == Self.peer else { throw CentralError(.timedOut, "connect to \(peer): nobody is there") }
        lastConnection += 1
        let connection = ConnectionID(rawValue: lastConnection)
        connections.insert(connection)
        let misbehaviour = misbehaviour
        await elsewhere { events in
            if misbehaviour.contains(.notifiesEarly) {
                for number in 0..<3 { Self.notify([UInt8(number)], on: connection, events) }
            }
            if misbehaviour.contains(.disconnectsEarly) { events.post(.disconnected(connection, reason: 0x3E)) }
        }
        if misbehaviour.contains(.disconnectsEarly) { connections.remove(connection) }
        return connection
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        try check(connection, "disconnect")
        connections.remove(connection)
        let misbehaviour = misbehaviour
        await elsewhere { events in
            events.post(.disconnected(connection, reason: 0x16))
            if misbehaviour.contains(.disconnectsTwice) { events.post(.disconnected(connection, reason: nil)) }
            if misbehaviour.contains(.notifiesLate) { Self.notify([0xFF], on: connection, events) }
        }
    }

    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        try check(connection, "discovery")
        return [
            DiscoveredService(
                uuid: Self.service,
                characteristics: [
                    DiscoveredCharacteristic(
                        uuid: Self.characteristic, value: Self.value, properties: [.read, .write, .notify],
                        descriptors: [])
                ])
        ]
    }

    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        try check(connection, "read")
        return [42]
    }

    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)
    {
        try check(connection, "write")
        if misbehaviour.contains(.usesThreeThreads) {
            await elsewhere { events in
                DispatchQueue.concurrentPerform(iterations: 3) { thread in
                    for number in 0..<Self.notificationsPerThread {
                        Self.notify([UInt8(thread), UInt8(number >> 8), UInt8(number & 0xFF)], on: connection, events)
                    }
                }
            }
        }
        if misbehaviour.contains(.vanishes) {
            isGone = true
            let connections = connections
            self.connections = []
            await elsewhere { events in
                for connection in connections { events.post(.disconnected(connection, reason: nil)) }
            }
            try checkAdapter()
        }
    }

    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)
    {
        try check(connection, "subscribe")
    }

    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try check(connection, "security")
        return LinkSecurity()
    }

    // MARK: Threads

    /// Runs `body` on another thread, and waits for its end.
    private func elsewhere(_ body: @escaping @Sendable (CentralEventQueue) -> Void) async {
        let events = events
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                body(events)
                continuation.resume()
            }
        }
    }

    private static func notify(_ value: [UInt8], on connection: ConnectionID, _ events: CentralEventQueue) {
        events.post(.notification(connection, Self.value, value: value, isIndication: false))
    }

    private func checkAdapter() throws(CentralError) {
        if isGone { throw CentralError(.unavailable, "the adapter is gone") }
    }

    private func check(_ connection: ConnectionID, _ operation: String) throws(CentralError) {
        try checkAdapter()
        guard connections.contains(connection) else {
            throw CentralError(.notConnected, "\(operation): connection \(connection.rawValue) has ended")
        }
    }
}
