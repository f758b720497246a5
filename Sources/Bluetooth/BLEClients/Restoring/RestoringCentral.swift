import BenchExecutor
public import BLECentral
import BLECore
public import LogFiles
internal import MonotonicTime

/// Keeps the state of a central in a file: its peripherals, subscriptions, and the operations in progress. After a
/// crash, a `kill -9` or a restart, a central with the same identifier reads this state, and connects to the
/// peripherals again without a search.
///
/// Peripherals are kept from their connection until ``Peripheral/disconnect()`` or ``forget(_:)``, even if the
/// connection is lost; subscriptions until their last listener stops; reads and writes with a response until they end.
/// Each change is stored before it takes effect; only the end of an operation is stored up to ``delay`` later. A failed
/// write is reported by ``problems()``, and does not stop the central.
///
/// Without ``CentralAbility/directConnection`` (BlueZ) the stack has to receive an advertisement of the peripheral
/// first; with a private address every stack has to. If none is received within the time limit, restoring the
/// peripheral fails.
public actor RestoringCentral {
    /// Delay of storing the end of an operation, so that several ends are stored together.
    public static let delay = Duration.milliseconds(50)
    /// Limit of unread problems per listener; beyond it, the oldest are dropped.
    public static let problemBufferSize = 16

    /// The central.
    public nonisolated let central: Central
    /// The identifier that distinguishes it from others in the same folder.
    public nonisolated let identifier: String
    /// The peripherals of the last central with this identifier when that central ended, the last connected one at the
    /// end.
    public nonisolated let restored: [RestorablePeripheral]

    private var state: RestorationState
    /// The file; `nil` once closed.
    private var file: RestorationFile?
    private var pendingSave: BenchExecutor.Event?
    private var problemListeners = Broadcast<RestorationError>()
    private nonisolated let log: RestorationLog?
    private var loggingEnds: Task<Void, Never>?
    private var observer: Int?

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// Keeps the state of `central` from now on.
    ///
    /// - Parameters:
    ///   - central: without connections yet.
    ///   - identifier: 1...64 of `A-Z`, `a-z`, `0-9`, `-` and `_`. The number of identifiers is not limited.
    ///   - folder: created if it does not exist; other users must not have rights to it.
    ///   - log: gets a line for each connection, its end, each subscription, each restored peripheral, and each
    ///     problem. Several centrals may share a log.
    /// - Throws: `inUse` if a central with this identifier exists already; `damaged` if its file is damaged, which is
    ///   then not changed; `invalidIdentifier`, `storage`.
    public init(
        _ central: Central, identifier: String, folder: String, log: TimedLog? = nil
    ) async throws(RestorationError) {
        let file = try RestorationFile(identifier, in: folder)
        restored = try file.load()
        self.central = central
        self.identifier = identifier
        self.file = file
        self.log = log.map { RestorationLog(identifier, $0) }
        state = RestorationState(restored)
        self.log?.begin(restored)
        if let log = self.log {
            let ends = await central.disconnections()
            loggingEnds = Task(executorPreference: central.executor) { for await end in ends { log.record(end) } }
        }
        observer = await central.addObserver { [weak self] event in self?.assumeIsolated { $0.observe(event) } }
    }

    deinit { loggingEnds?.cancel() }

    /// The present records.
    public var kept: [RestorablePeripheral] { state.peripherals }

    /// The errors of writing the file from now on. Keeps the newest ``problemBufferSize``; ends with ``close()``.
    public func problems() -> AsyncStream<RestorationError> {
        problemListeners.stream(keeping: Self.problemBufferSize)
    }

    /// Forgets the record of a peripheral.
    public func forget(_ peer: PeerID) { store(state.forget(peer)) }

    /// Keeps the present records for the next central with this identifier. Call it before you end the connections.
    public func close() async {
        guard file != nil else { return }
        if let observer { await central.removeObserver(observer) }
        if pendingSave != nil { save() }
        file = nil
        loggingEnds?.cancel()
        problemListeners.finish()
    }

    // MARK: Restoring

    /// Connects to the kept peripherals, one after the other, and renews their subscriptions; returns one result for
    /// each, in order. Skips peripherals that are connected. Hold the results: they keep the subscriptions alive.
    ///
    /// - Parameters:
    ///   - timeout: time limit for connecting to each peripheral.
    ///   - subscribes: `false` leaves subscribing to the caller, who then receives every value from the first on.
    public func restore(
        within timeout: Duration = Central.connectTimeout, subscribes: Bool = true
    ) -> AsyncStream<Restoration> {
        let (records, central, log) = (state.peripherals, central, log)
        let (stream, continuation) = AsyncStream.makeStream(of: Restoration.self)
        let work = Task(executorPreference: central.executor) {
            for record in records where !Task.isCancelled {
                let result: Restoration
                do throws(CentralError) {
                    result = .connected(try await Self.takeUp(record, central, timeout, subscribes: subscribes))
                } catch {
                    result = .failed(record, error)
                }
                log?.record(result)
                continuation.yield(result)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    /// Renews the kept subscriptions of a peripheral on a new connection: for a ``Reconnector``.
    ///
    /// - Throws: `notConnected`; `disconnected` when the connection ends; `encryptionFailed` when the peripheral has lost
    ///   its key.
    public func resubscribe(_ peripheral: Peripheral) async throws(CentralError) -> RestoredPeripheral {
        let record = state.peripherals.first { $0.isKept(of: peripheral.id) }
        return try await Self.subscribe(record ?? RestorablePeripheral(peripheral.id), peripheral)
    }

    private static func takeUp(
        _ record: RestorablePeripheral, _ central: Central, _ timeout: Duration, subscribes: Bool
    ) async throws(CentralError) -> RestoredPeripheral {
        let peripheral: Peripheral
        do throws(CentralError) {
            peripheral = central.peripheral(try await locate(record, central, timeout))
            if await peripheral.connectionState == .connected {
                return try await subscribe(record, peripheral, subscribes)
            }
            try await peripheral.connect(within: timeout)
        } catch {
            throw error.explained(central.abilities)
        }
        do throws(CentralError) {
            return try await subscribe(record, peripheral, subscribes)
        } catch {
            // The caller does not get this connection.
            try? await central.abandon(peripheral.id)
            throw error
        }
    }

    private static func locate(
        _ record: RestorablePeripheral, _ central: Central, _ timeout: Duration
    ) async throws(CentralError) -> PeerID {
        guard record.peer.address?.isResolvablePrivate == true else { return record.peer }
        // The peripheral's address may have changed.
        return try await central.firstSighting(ScanFilter(), within: timeout) { sighting in
            sighting.peer == record.peer || sighting.identity.map { PeerID($0) == record.identity } ?? false
        }.peer
    }

    private static func subscribe(
        _ record: RestorablePeripheral, _ peripheral: Peripheral, _ subscribes: Bool = true
    ) async throws(CentralError) -> RestoredPeripheral {
        do throws(CentralError) {
            // A bonded peer may refuse a subscription on an unencrypted link.
            _ = try await peripheral.encrypt()
        } catch {
            switch error.code {
            case .notBonded, .unsupported: break
            default: throw error
            }
        }
        var result = RestoredPeripheral(peripheral: peripheral, record: record)
        for subscription in subscribes ? record.subscriptions : [] {
            let path = subscription.path
            do throws(CentralError) {
                let characteristic = try await peripheral.characteristic(path)
                let values = try await characteristic.values(subscription.kind)
                result.subscriptions.append(
                    RestoredSubscription(path: path, characteristic: characteristic, values: values))
            } catch {
                switch error.code {
                // The characteristic does not exist, or the peripheral refuses.
                case .invalidState, .attError: result.failures[path] = error
                default: throw error
                }
            }
        }
        return result
    }

    // MARK: Observing

    private func observe(_ observation: CentralObservation) {
        switch observation {
        case .connected(let peer, _, let name): record(.connected(peer, name: name))
        case .disconnecting(let peer): record(.disconnected(peer))
        case .subscribed(let peer, let path, let kind): record(.subscribed(peer, path, kind))
        case .ended(let number, _, _, _): record(.ended(number))
        case .began(let number, let peer, let request):
            central.assumeIsolated { central in
                CentralOperation(request) { central.path(of: $0, on: peer) }
            }.map { record(.began(number, peer, $0)) }
        case .event(.securityChanged(let connection, _)):
            central.assumeIsolated { $0.peer(of: connection) }.map { record(.secured($0)) }
        case .event, .forgot: break
        }
    }

    private func record(_ entry: RestorationEntry) {
        log?.record(entry)
        store(state.apply(entry))
        switch entry {
        case .connected(let peer, _), .secured(let peer):
            Task(executorPreference: central.executor) { [weak self, backend = central.backend] in
                let identity = await backend.identity(of: peer)
                await self?.identify(peer, identity)
            }
        default: break
        }
    }

    private func identify(_ peer: PeerID, _ identity: PeerID) { store(state.identify(peer, identity)) }

    private func store(_ change: RestorationState.Change) {
        switch change {
        case .none: break
        case .now: save()
        case .soon:
            guard pendingSave == nil else { return }
            let executor = central.executor
            pendingSave = executor.schedule(at: executor.now.advanced(by: Self.delay)) { [weak self] in
                self?.assumeIsolated { $0.save() }
            }
        }
    }

    private func save() {
        if let pendingSave { central.executor.cancel(pendingSave) }
        pendingSave = nil
        do throws(RestorationError) {
            try file?.save(state.peripherals)
        } catch {
            log?.record(error)
            problemListeners.send(error)
        }
    }
}

extension CentralError {
    /// The error of connecting to a peer that was not heard, with a stack that has to hear it first.
    package func explained(_ abilities: Set<CentralAbility>) -> CentralError {
        guard code == .timedOut, !abilities.contains(.directConnection) else { return self }
        return CentralError(
            code, "\(detail); this stack has to hear a peer first, and forgets those that are not bonded",
            absence: absence)
    }
}
