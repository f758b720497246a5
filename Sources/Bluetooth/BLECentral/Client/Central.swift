public import BLECore
public import BenchExecutor
import MonotonicTime

/// A host in the central role: scans, connects, and delivers the events of its peripherals.
///
/// Create one per ``CentralBackend``; a program may have any number. Calls and events of the stack are handled on one
/// executor in their order, so a program on the simulated radio behaves identically in every run.
///
/// Streams (``states()``, ``disconnections()``, ``sightings(_:)``, ``Characteristic/values(_:)``) may have several
/// listeners at once; the documentation of each states its buffer size for slow listeners. There is no order between
/// different streams.
public actor Central {
    /// The maximum number of states or disconnections buffered for a listener; beyond it the oldest are dropped.
    public static let eventBufferSize = 64
    /// The maximum number of known peers; beyond it the least recently received peer is forgotten.
    public static let knownPeerLimit = 1000

    /// The stack.
    public nonisolated let backend: any CentralBackend
    /// The executor of the central and its events, which also supplies the time.
    public nonisolated let executor: BenchExecutor

    /// The maximum number of simultaneous connections, including attempts; `nil`: the stack's limit.
    public var connectionLimit: Int?
    /// The stack's state.
    public private(set) var state = CentralState.unknown

    private var stateListeners = Broadcast<CentralState>()
    private var disconnectionListeners = Broadcast<Disconnection>()
    var connectionListeners: [PeerID: Broadcast<ConnectionState>] = [:]
    var connecting: Set<PeerID> = []
    var links: [PeerID: PeripheralLink] = [:]
    /// The maximum number of stored ``lastEnds``: more than the connections that can end during the setup of one.
    private static let lastEndLimit = 64
    /// The error with which the last connection to each peer ended, until the next attempt.
    var lastEnds: [PeerID: CentralError] = [:]
    var searches: [Int: Sighter] = [:]
    var lastNumber = 0
    /// The filter with which the stack scans.
    var scanned: ScanFilter?
    /// True if a new listener has not received the peers that the stack has already reported.
    var hasNewListener = false
    /// In the order in which they were added.
    var observers: [(number: Int, observer: @Sendable (CentralObservation) -> Void)] = []
    /// The number of sightings and values dropped since the central was created, because a listener was slow, or too
    /// many values arrived before service discovery without a listener.
    public internal(set) var droppedCount = 0
    var scanUpdate: Task<CentralError?, Never>?
    /// The known peers by identifier.
    var known: [PeerID: KnownPeer] = [:]

    /// The executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The abilities of the stack.
    public nonisolated var abilities: Set<CentralAbility> { backend.abilities }

    /// A central on a stack, which must have no other user: the central receives all events of the stack.
    ///
    /// - Parameters:
    ///   - backend: the stack, not powered on yet.
    ///   - executor: the executor on which `backend` was opened.
    ///   - connectionLimit: see ``connectionLimit``.
    public init(_ backend: any CentralBackend, on executor: BenchExecutor, connectionLimit: Int? = nil) {
        self.backend = backend
        self.executor = executor
        self.connectionLimit = connectionLimit
    }

    /// Sets the maximum number of simultaneous connections; existing connections are kept.
    public func setConnectionLimit(_ limit: Int?) { connectionLimit = limit }

    // MARK: The stack

    /// Initializes the stack. Must be called first, and again after a failure of the stack.
    public func powerOn() async throws(CentralError) {
        receiveEvents()
        do throws(CentralError) {
            try await backend.powerOn()
            change(.poweredOn)
        } catch {
            if let state = CentralState(error) { change(state) }
            throw error
        }
    }

    /// Starts receiving the events of a stack that is already powered on.
    package func adopt() {
        receiveEvents()
        change(.poweredOn)
    }

    private func receiveEvents() {
        backend.events.setHandler(on: executor) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
    }

    /// Ends searches and connections, and restores the state of the host.
    public func close() async {
        // Otherwise a controller would continue to scan.
        try? await stopSearching()
        for link in links.values { link.isEndWanted = true }
        for link in links.values { try? await backend.disconnect(link.connection) }
        await backend.close()
        fail(CentralError(.invalidState, "the central was closed"))
        change(.unknown)
        stateListeners.finish()
        disconnectionListeners.finish()
        for peer in connectionListeners.keys { connectionListeners[peer]?.finish() }
        connectionListeners = [:]
    }

    /// The current state and all later ones. Buffers the newest ``eventBufferSize``.
    public func states() -> AsyncStream<CentralState> {
        stateListeners.stream(keeping: Self.eventBufferSize, first: state)
    }

    /// The end of each connection from now on. Buffers the newest ``eventBufferSize``.
    public func disconnections() -> AsyncStream<Disconnection> {
        disconnectionListeners.stream(keeping: Self.eventBufferSize)
    }

    private func change(_ state: CentralState) {
        guard state != self.state else { return }
        self.state = state
        stateListeners.send(state)
    }

    // MARK: Security

    /// Configures pairings that begin later, and the own address.
    ///
    /// - Throws: as ``CentralBackend/setSecurity(_:)``.
    public func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        try await backend.setSecurity(security)
    }

    /// The bonded peers, oldest first.
    ///
    /// - Throws: as ``CentralBackend/bonds()``.
    public func bonds() async throws(CentralError) -> [BondedPeer] { try await backend.bonds() }

    /// Deletes the bond with a peer, given by its identity address.
    ///
    /// - Throws: as ``CentralBackend/forget(_:)``.
    public func forget(_ identity: DeviceAddress) async throws(CentralError) {
        try await backend.forget(identity)
        observe(.forgot(identity))
    }

    // MARK: Events

    private func handle(_ event: CentralEvent) {
        observe(.event(event))
        switch event {
        case .failed(let error):
            change(CentralState(error) ?? .resetting)
            fail(error)
        case .advertisement(let advertisement): hear(advertisement)
        case .notification(let connection, let attribute, let value, let isIndication):
            // Notifications are not sent to listeners of rarer events: they would displace those in the buffer.
            guard let link = link(connection) else { return }
            droppedCount += link.receive(
                ReceivedValue(attribute: attribute, value: value, isIndication: isIndication, time: executor.now))
        case .disconnected(let connection, let reason, let remark):
            if let link = link(connection) { end(link, reason, remark) }
        case .mtuChanged(let connection, let mtu):
            link(connection)?.mtu = mtu
            link(connection)?.events.send(event)
        case .pairingInput(let connection, _), .passkeyDisplayed(let connection, _),
            .securityChanged(let connection, _), .securityRequested(let connection):
            link(connection)?.events.send(event)
        }
    }

    func link(_ connection: ConnectionID) -> PeripheralLink? {
        links.values.first { $0.connection == connection }
    }

    func end(_ link: PeripheralLink, _ reason: UInt8?, _ remark: String? = nil) {
        guard links[link.peer] === link else { return }
        links[link.peer] = nil
        let code = reason.map { ", reason 0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) } ?? ""
        let remark = remark.map { "; \($0)" } ?? ""
        let error = CentralError(.disconnected(reason: reason), "the connection to \(link.peer) ended\(code)\(remark)")
        if lastEnds.count >= Self.lastEndLimit { lastEnds = [:] }
        lastEnds[link.peer] = error
        link.finish(error)
        connectionListeners[link.peer]?.send(.disconnected)
        disconnectionListeners.send(
            Disconnection(
                peer: link.peer, connection: link.connection, reason: reason, isPurposeful: link.isEndWanted))
    }

    /// Ends everything that depends on the stack.
    private func fail(_ error: CentralError) {
        for search in searches.values { search.continuation.finish(throwing: error) }
        searches = [:]
        scanned = nil
        for link in links.values { end(link, nil) }
    }

    /// A number that no other search or listener of this central has.
    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
