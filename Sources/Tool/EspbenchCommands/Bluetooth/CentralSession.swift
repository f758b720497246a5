import MonotonicTime
internal import BLECentral
import BLECentralBackends
import BLECentralHCI
internal import BLECore
internal import BenchExecutor

/// A central for the time of a command: finds peers, connects, and leaves nothing behind, also at Ctrl-C.
actor CentralSession {
    /// What a peer sent without being asked.
    struct Notification: Sendable {
        var attribute: AttributeID
        var value: [UInt8]
        var isIndication: Bool
    }

    nonisolated let executor: BenchExecutor
    nonisolated let backend: any CentralBackend
    private let prompt: PairingPrompt
    private var advertisements: AsyncStream<Advertisement>.Continuation?
    private var notifications: AsyncStream<Notification>.Continuation?
    private var connection: ConnectionID?
    /// The HCI error code with which the peer, or the link, ended the connection.
    private var endReason: UInt8??

    /// The bench's executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A session on `backend`.
    init(_ backend: any CentralBackend, _ executor: BenchExecutor, _ prompt: PairingPrompt) {
        self.backend = backend
        self.executor = executor
        self.prompt = prompt
    }

    /// Initializes the stack.
    func begin() async throws {
        backend.events.setHandler(on: executor) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        try await backend.powerOn()
    }

    /// Stops scanning, disconnects and leaves the host as it was; failures do not matter any more.
    func end() async {
        if advertisements != nil { try? await stopScanning() }
        if let connection { try? await backend.disconnect(connection) }
        connection = nil
        await backend.close()
    }

    private func handle(_ event: CentralEvent) {
        switch event {
        case .advertisement(let advertisement): advertisements?.yield(advertisement)
        case .notification(let connection, let attribute, let value, let isIndication):
            guard connection == self.connection else { return }
            notifications?.yield(Notification(attribute: attribute, value: value, isIndication: isIndication))
        case .disconnected(let connection, let reason):
            guard connection == self.connection else { return }
            self.connection = nil
            endReason = .some(reason)
            notifications?.finish()
        case .pairingInput(let connection, let input):
            let (backend, prompt) = (backend, prompt)
            Task(executorPreference: executor) {
                let answer = await prompt.answer(input)
                // The pairing may have ended meanwhile; its error says so.
                try? await backend.answerPairing(answer, on: connection)
            }
        case .passkeyDisplayed(let connection, let passkey):
            if connection == self.connection { prompt.show(passkey) }
        case .mtuChanged, .securityChanged, .securityRequested: break
        }
    }

    // MARK: Scanning

    /// Starts scanning; the stream ends after `time`, or with ``stopScanning()``.
    func scan(_ filter: ScanFilter, for time: Duration?) async throws -> AsyncStream<Advertisement> {
        let (stream, continuation) = AsyncStream.makeStream(of: Advertisement.self)
        advertisements = continuation
        try await backend.startScanning(filter)
        if let time {
            executor.schedule(at: executor.now.advanced(by: time)) { continuation.finish() }
        }
        return stream
    }

    /// Stops scanning.
    func stopScanning() async throws {
        advertisements?.finish()
        advertisements = nil
        try await backend.stopScanning()
    }

    /// Scans until `peer` is heard.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPeer` when it was not within `time`.
    func find(_ peer: PeerSelector, within time: Duration) async throws -> Advertisement {
        var search = PeerSearch(peer)
        // A filter by name or service would hide what a suggestion is made of.
        for await advertisement in try await scan(ScanFilter(), for: time) where search.receive(advertisement) { break }
        try Task.checkCancellation()
        try await stopScanning()
        return try search.result(after: time)
    }

    // MARK: A connection

    /// Finds `peer`, connects, offers the largest MTU, and encrypts if there is a bond, unless not `encrypts`.
    func connect(
        to peer: PeerSelector, within time: Duration, encrypts: Bool = true
    ) async throws -> Advertisement {
        let advertisement = try await find(peer, within: time)
        let connection = try await backend.connect(to: advertisement.peer, within: time)
        self.connection = connection
        endReason = nil
        backend.events.accept(connection)
        try Task.checkCancellation()
        if backend.abilities.contains(.mtuExchange) { try await exchangeMTU() }
        if encrypts, backend.abilities.isSuperset(of: [.encryption, .bondList]), let identity = advertisement.identity,
            try await backend.bonds().contains(where: { $0.identity == identity })
        {
            _ = try await backend.encrypt(connection)
        }
        return advertisement
    }

    private func exchangeMTU() async throws {
        do {
            _ = try await backend.exchangeMTU(517, on: try current())
        } catch let error as CentralError {
            // A server need not support it.
            guard case .attError = error.code else { throw error }
        }
    }

    /// The connection.
    ///
    /// - Throws: ``CommandFailure`` when it has ended.
    func current() throws(CommandFailure) -> ConnectionID {
        guard let connection else { throw loss }
        return connection
    }

    /// The error of a connection that the peer has ended.
    var loss: CommandFailure {
        let reason = (endReason ?? nil).map { ": \(DisconnectionText.text($0))" } ?? ""
        return CommandFailure(.linkFailed, "the connection has ended\(reason)", code: "central.disconnected")
    }

    /// Whether the connection has ended.
    var isLost: Bool { connection == nil }

    /// The notifications and indications from now on; ends with the connection. One consumer.
    func receiveNotifications() -> AsyncStream<Notification> {
        let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
        notifications = continuation
        return stream
    }

    /// Ends the stream of notifications after `time`.
    func endNotifications(after time: Duration) {
        let continuation = notifications
        executor.schedule(at: executor.now.advanced(by: time)) { continuation?.finish() }
    }

    /// Pairs; a refusal on this side is the failure, and not what came of it.
    func pair() async throws -> LinkSecurity {
        do {
            return try await backend.pair(try current())
        } catch {
            throw prompt.failure ?? error
        }
    }
}
