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
        /// When it was received.
        var time: MonotonicInstant
    }

    /// The most advertisements or notifications that wait for the command, e.g. because its output is slow: what comes
    /// then is dropped, and counted.
    static let bufferSize = 50_000

    nonisolated let executor: BenchExecutor
    nonisolated let backend: any CentralBackend
    private let prompt: PairingPrompt
    private var advertisements: AsyncStream<Advertisement>.Continuation?
    /// Whether the stack scans, or has not confirmed that it does not.
    private var isScanning = false
    private var notifications: AsyncStream<Notification>.Continuation?
    /// How many advertisements and notifications were dropped.
    private(set) var droppedCount = 0
    private var connection: ConnectionID?
    /// Why the stack failed.
    private var failure: CentralError?
    private var lastConnection: ConnectionID?
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

    /// Stops scanning, disconnects and leaves the host as it was; returns why there is a connection still. Other failures
    /// do not matter any more.
    @discardableResult func end() async -> CentralError? {
        var failure: CentralError?
        // Also while the command's own stop is on its way: what is closed before leaves the controller scanning.
        if isScanning { try? await backend.stopScanning() }
        do throws(CentralError) {
            if let connection { try await backend.disconnect(connection) }
        } catch {
            if error.code == .invalidState { failure = error }
        }
        connection = nil
        await backend.close()
        return failure
    }

    private func handle(_ event: CentralEvent) {
        switch event {
        case .failed(let error):
            failure = error
            advertisements?.finish()
        case .advertisement(let advertisement): count(advertisements?.yield(advertisement))
        case .notification(let connection, let attribute, let value, let isIndication):
            guard connection == self.connection else { return }
            count(
                notifications?.yield(
                    Notification(attribute: attribute, value: value, isIndication: isIndication, time: executor.now)))
        case .disconnected(let connection, let reason, _):
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

    private func count<Element>(_ result: AsyncStream<Element>.Continuation.YieldResult?) {
        if case .dropped = result { droppedCount += 1 }
    }

    /// Throws if something was dropped; `what` names it in the plural.
    func checkNothingDropped(_ what: String) throws(CommandFailure) {
        guard droppedCount > 0 else { return }
        throw CommandFailure(
            .benchFault, "\(droppedCount) \(what) were dropped: they came faster than the output takes them",
            code: "central.dropped")
    }

    // MARK: Scanning

    /// Starts scanning; the stream ends after `time`, with ``stopScanning()``, or when the stack fails.
    func scan(_ filter: ScanFilter, for time: Duration?) async throws -> AsyncStream<Advertisement> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingOldest(Self.bufferSize))
        advertisements = continuation
        isScanning = true
        try await backend.startScanning(filter)
        if let time {
            executor.schedule(at: executor.now.advanced(by: time)) { continuation.finish() }
        }
        return stream
    }

    /// Stops scanning; throws what ended it before.
    func stopScanning() async throws {
        advertisements?.finish()
        advertisements = nil
        if let failure { throw failure }
        try await backend.stopScanning()
        isScanning = false
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

    /// The places that `selectors` name among the peer's services.
    ///
    /// - Throws: ``CommandFailure`` when one names none, or several.
    func find(_ selectors: [AttributeSelector], in services: [DiscoveredService]) throws -> [FoundAttribute] {
        try selectors.map { selector in
            do throws(CommandFailure) {
                return try selector.find(in: services)
            } catch {
                var failure = error
                if failure.code == "central.noAttribute", !backend.abilities.contains(.systemServices) {
                    failure.code = selector.isOfSystemService ? "central.hiddenServices" : "central.cachedServices"
                }
                throw failure
            }
        }
    }

    /// Finds `peer`, connects, offers the largest MTU, and encrypts if there is a bond, unless not `encrypts`;
    /// with `refusesBonded` a bond is an error.
    func connect(
        to peer: PeerSelector, within time: Duration, encrypts: Bool = true, refusesBonded: Bool = false
    ) async throws -> Advertisement {
        let advertisement = try await find(peer, within: time)
        if refusesBonded, backend.abilities.contains(.bondList),
            let identity = advertisement.identity ?? advertisement.address,
            try await backend.bonds().contains(where: { $0.identity == identity })
        {
            throw CommandFailure(
                .refused, "there is a bond with \(identity) already, and this system's stack does not replace it",
                code: "central.alreadyBonded")
        }
        let connection = try await backend.connect(to: advertisement.peer, within: time)
        self.connection = connection
        lastConnection = connection
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

    /// `error`, or what is behind it: a connection also ends when the adapter is unplugged, or the stack's service ends,
    /// which may be reported after it.
    func cause(of error: any Error) async -> any Error {
        let failure = CommandFailure(error, .benchFault)
        guard failure.code == "central.disconnected", let lastConnection else { return error }
        var unexplained = failure
        if !backend.abilities.contains(.disconnectReason) { unexplained.code = "central.endUnknown" }
        do {
            try await backend.startScanning(ScanFilter(isActive: false))
            try await backend.stopScanning()
        } catch let probed {
            guard probed.code == .unavailable else { return unexplained }
            var cause = CommandFailure(probed)
            do {
                _ = try await backend.security(of: lastConnection)
            } catch let known {
                if known.code == .unavailable { cause = CommandFailure(known) }
            }
            cause.message = "\(failure.message), as \(cause.message)"
            return cause
        }
        return unexplained
    }

    /// Whether the connection has ended.
    var isLost: Bool { connection == nil }

    /// The notifications and indications from now on; ends with the connection. One consumer.
    func receiveNotifications() -> AsyncStream<Notification> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notification.self, bufferingPolicy: .bufferingOldest(Self.bufferSize))
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
            if let failure = prompt.failure { throw failure }
            guard let error = error as? CentralError, case .pairingFailed = error.code,
                !backend.abilities.contains(.pairingFailureReason)
            else { throw error }
            var failure = CommandFailure(error)
            failure.code = "central.pairingUnknown"
            throw failure
        }
    }
}
