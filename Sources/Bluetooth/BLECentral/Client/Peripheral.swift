public import BLECore
import BenchExecutor

/// A peer of a central, connected or not; stays valid across connections.
public struct Peripheral: Sendable, Identifiable {
    /// The peer's identifier.
    public let id: PeerID
    /// The central that it belongs to.
    public let central: Central

    /// Connects to it.
    ///
    /// - Throws: as ``Central/connect(to:within:)``.
    public func connect(within timeout: Duration = Central.connectTimeout) async throws(CentralError) {
        try await central.connect(to: id, within: timeout)
    }

    /// Ends the connection; returns when it has ended. Does nothing if not connected.
    public func disconnect() async throws(CentralError) { try await central.disconnect(id) }

    /// The state of its connection.
    public var connectionState: ConnectionState {
        get async { await central.connectionState(of: id) }
    }

    /// Its connection; `nil` if not connected.
    public var connection: ConnectionID? {
        get async { await central.currentConnection(id) }
    }

    /// The current state of its connection and all later ones. Buffers the newest ``Central/eventBufferSize``.
    public func connectionStates() async -> AsyncStream<ConnectionState> { await central.connectionStates(of: id) }

    /// Its services with characteristics and descriptors, in its order. Discovered once per connection, and again after
    /// an indication of Service Changed. Bonded peers send it unrequested, others after a subscription to 2A05
    /// (``Characteristic/values(_:)``). Stacks that hide this characteristic discover again automatically.
    public func services() async throws(CentralError) -> [Service] {
        try await central.services(of: id).map { Service(discovered: $0, peripheral: self) }
    }

    /// Its first service of this type.
    ///
    /// - Throws: `invalidState` when there is none.
    public func service(_ uuid: BLEUUID) async throws(CentralError) -> Service {
        let all = try await services()
        guard let service = all.first(where: { $0.uuid == uuid }) else {
            let list = all.isEmpty ? "none" : all.map { "\($0.uuid)" }.joined(separator: ", ")
            throw CentralError(.invalidState, "expected the service \(uuid), \(id) has \(list)")
        }
        return service
    }

    /// The events of its connection (pairing, security, MTU) from now on, until the connection ends. Buffers the newest
    /// ``Central/eventBufferSize``.
    public func events() async throws(CentralError) -> AsyncStream<CentralEvent> { try await central.events(of: id) }

    /// The strength at which this side receives the peripheral, in dBm; `nil` if the controller does not know it.
    ///
    /// - Parameter timeout: the maximum time for the stack's answer.
    /// - Throws: as ``CentralBackend/readRSSI(on:)``; `timedOut`.
    public func rssi(within timeout: Duration = .seconds(5)) async throws(CentralError) -> Int? {
        let (backend, connection) = (central.backend, try await central.connection(id, "read the RSSI"))
        return try await central.timed(timeout, "read the RSSI of \(id): expected an answer in time, got none") {
            () async throws(CentralError) in
            try await backend.readRSSI(on: connection)
        }
    }

    /// The parameters of its connection: interval, latency, supervision time-out and PHYs.
    ///
    /// - Parameter timeout: the maximum time for the controller's answer.
    /// - Throws: as ``CentralBackend/linkParameters(of:)``; `timedOut`.
    public func linkParameters(within timeout: Duration = .seconds(5)) async throws(CentralError) -> LinkParameters {
        let (backend, connection) = (central.backend, try await central.connection(id, "read its parameters"))
        return try await central.timed(timeout, "read the parameters of \(id): expected an answer in time, got none") {
            () async throws(CentralError) in
            try await backend.linkParameters(of: connection)
        }
    }

    /// The ATT MTU of its connection, in bytes: a write without response or a notification carries at most three bytes
    /// less.
    public var mtu: Int {
        get async throws(CentralError) { try await central.mtu(of: id) }
    }

    /// Exchanges the MTU, once per connection; returns the MTU in effect. Stacks without ``CentralAbility/mtuExchange``
    /// exchange it automatically, at the latest during service discovery.
    ///
    /// - Parameter mtu: the offered MTU, 23...517.
    /// - Throws: as ``CentralBackend/exchangeMTU(_:on:)``.
    @discardableResult
    public func exchangeMTU(_ mtu: Int) async throws(CentralError) -> Int {
        try await central.exchangeMTU(mtu, with: id)
    }

    /// Sends any bytes as an ATT PDU, bypassing the stack's GATT client; returns the first PDU within `timeout` other
    /// than a notification or indication, or `nil`.
    ///
    /// - Throws: as ``CentralBackend/exchangeATT(_:on:within:)``.
    public func exchangeATT(_ pdu: [UInt8], within timeout: Duration) async throws(CentralError) -> [UInt8]? {
        try await central.perform(.exchangeATT(pdu), of: id, "exchange an ATT PDU", answer: { .pdu($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.exchangeATT(pdu, on: connection, within: timeout)
        }
    }

    /// The values of all characteristics from now on, in the order of their arrival, and undelivered values from before
    /// the first discovery. Ends in the same way as ``Characteristic/values(_:)``; does not subscribe.
    ///
    /// - Parameter count: the maximum number of buffered values; beyond it the oldest are dropped:
    ///   ``Central/droppedCount``.
    public func notifications(
        keeping count: Int = Characteristic.valueBufferSize
    ) async throws(CentralError) -> AsyncThrowingStream<ReceivedValue, any Error> {
        try await central.notifications(of: id, keeping: count)
    }

    /// Pairs with the peripheral.
    ///
    /// - Throws: as ``CentralBackend/pair(_:)``.
    @discardableResult
    public func pair() async throws(CentralError) -> LinkSecurity {
        try await central.perform(.pair, of: id, "pair", answer: { .security($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.pair(connection)
        }
    }

    /// Encrypts the link with the key of the bond.
    ///
    /// - Throws: as ``CentralBackend/encrypt(_:)``.
    @discardableResult
    public func encrypt() async throws(CentralError) -> LinkSecurity {
        try await central.perform(.encrypt, of: id, "encrypt", answer: { .security($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.encrypt(connection)
        }
    }

    /// The security of the link.
    public var security: LinkSecurity {
        get async throws(CentralError) { try await central.backend.security(of: central.connection(id, "security")) }
    }

    /// Answers a pairing's request for input.
    ///
    /// - Throws: as ``CentralBackend/answerPairing(_:on:)``.
    public func answerPairing(_ answer: PairingAnswer) async throws(CentralError) {
        try await central.perform(.answerPairing(answer), of: id, "answer a pairing") {
            backend, connection async throws(CentralError) in
            try await backend.answerPairing(answer, on: connection)
        }
    }
}

extension Peripheral: Hashable {
    /// True if they are the same peer of the same central.
    public static func == (left: Peripheral, right: Peripheral) -> Bool {
        left.id == right.id && left.central === right.central
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Central {
    package func connection(_ peer: PeerID, _ operation: @autoclosure () -> String) throws(CentralError) -> ConnectionID
    {
        try link(to: peer, for: operation()).connection
    }

    func mtu(of peer: PeerID) throws(CentralError) -> Int { try link(to: peer, for: "MTU").mtu }

    func exchangeMTU(_ mtu: Int, with peer: PeerID) async throws(CentralError) -> Int {
        let link = try link(to: peer, for: "exchange MTU")
        link.mtu = try await perform(.exchangeMTU(mtu), of: peer, "exchange MTU", answer: { .mtu($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.exchangeMTU(mtu, on: connection)
        }
        return link.mtu
    }

    func notifications(
        of peer: PeerID, keeping count: Int
    ) throws(CentralError) -> AsyncThrowingStream<ReceivedValue, any Error> {
        let link = try link(to: peer, for: "listen")
        let (number, stream, continuation) = listen(to: nil, .none, of: link, keeping: count) { $0 }
        let executor = executor
        continuation.onTermination = { [weak self] _ in
            executor.post { [weak self] in self?.assumeIsolated { $0.links[peer]?.remove(number) } }
        }
        return stream
    }

    func currentConnection(_ peer: PeerID) -> ConnectionID? { links[peer]?.connection }

    func events(of peer: PeerID) throws(CentralError) -> AsyncStream<CentralEvent> {
        try link(to: peer, for: "listen").events.stream(keeping: Self.eventBufferSize)
    }
}
