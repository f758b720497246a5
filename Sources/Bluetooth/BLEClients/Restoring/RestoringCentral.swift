import BenchExecutor
public import BLECentral
import BLECore
public import LogFiles
internal import MonotonicTime

/// Keeps the state of a central in a file: its peripherals, subscriptions, and the operations that run. After a crash,
/// a `kill -9` or a restart, a central with the same identifier has it again, and takes the peripherals up without a
/// search.
///
/// Peripherals are kept from their connection until ``Peripheral/disconnect()`` or ``forget(_:)``, even if the
/// connection is lost; subscriptions until their last listener goes away; reads and writes with a response until they
/// end. Each change is on the disk before its effects; only the end of an operation is up to ``delay`` late. A failed
/// write is reported by ``problems()``, and does not keep the central from its work.
///
/// Without ``CentralAbility/directConnection`` (BlueZ) the stack has to hear a peripheral first, and so it has with every
/// stack when its address is a private one; a peripheral that is not heard fails within the time limit.
public actor RestoringCentral {
    /// How late the end of an operation may be written: those that follow each other are written together.
    public static let delay = Duration.milliseconds(50)
    /// The most problems that wait for a listener; of more, the oldest are dropped.
    public static let problemBufferSize = 16

    /// The central.
    public nonisolated let central: Central
    /// The identifier that distinguishes it from others in the same folder.
    public nonisolated let identifier: String
    /// The peripherals of the last central with this identifier when it ended, the one connected last at the end.
    public nonisolated let restored: [RestorablePeripheral]

    private var state: RestorationState
    /// `nil` once it is closed.
    private var file: RestorationFile?
    private var pendingSave: BenchExecutor.Event?
    private var problemListeners = Broadcast<RestorationError>()
    private nonisolated let log: RestorationLog?
    private var loggingEnds: Task<Void, Never>?
    private var observer: Int?

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// Keeps what `central` has from now on.
    ///
    /// - Parameters:
    ///   - central: without connections yet.
    ///   - identifier: 1...64 of `A-Z`, `a-z`, `0-9`, `-` and `_`. There may be any number of identifiers.
    ///   - folder: made if it does not exist; nobody else may have rights to it.
    ///   - log: gets a line for each connection, its end, each subscription, what is taken up, and each problem. Several
    ///     centrals may share one.
    /// - Throws: `inUse` when there is a central with this identifier already; `damaged` when its file is not whole, which is
    ///   then left as it is; `invalidIdentifier`, `storage`.
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

    /// The records kept now.
    public var kept: [RestorablePeripheral] { state.peripherals }

    /// The errors of writing from now on. Keeps the newest ``problemBufferSize``; ends with ``close()``.
    public func problems() -> AsyncStream<RestorationError> {
        problemListeners.stream(keeping: Self.problemBufferSize)
    }

    /// Keeps a peripheral no longer.
    public func forget(_ peer: PeerID) { store(state.forget(peer)) }

    /// Leaves what is kept as it is now, for the next central with this identifier. Call it before what is connected is ended.
    public func close() async {
        guard file != nil else { return }
        if let observer { await central.removeObserver(observer) }
        if pendingSave != nil { save() }
        file = nil
        loggingEnds?.cancel()
        problemListeners.finish()
    }

    // MARK: Taking up

    /// Connects to the peripherals that are kept, one after the other, and subscribes again what was subscribed; one result
    /// for each, in their order. Does not connect to those that are connected. The results must be taken: they keep the
    /// subscriptions.
    ///
    /// - Parameters:
    ///   - timeout: how long each may take to be connected.
    ///   - subscribes: `false` leaves the subscriptions to the caller, who has each value from the first on.
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

    /// Subscribes on a new connection what is kept of a peripheral: for a ``Reconnector``.
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
            // Nobody has the connection.
            try? await central.abandon(peripheral.id)
            throw error
        }
    }

    private static func locate(
        _ record: RestorablePeripheral, _ central: Central, _ timeout: Duration
    ) async throws(CentralError) -> PeerID {
        guard record.peer.address?.isResolvablePrivate == true else { return record.peer }
        // It may have another address by now.
        return try await central.firstSighting(ScanFilter(), within: timeout) { sighting in
            sighting.peer == record.peer || sighting.identity.map { PeerID($0) == record.identity } ?? false
        }.peer
    }

    private static func subscribe(
        _ record: RestorablePeripheral, _ peripheral: Peripheral, _ subscribes: Bool = true
    ) async throws(CentralError) -> RestoredPeripheral {
        do throws(CentralError) {
            // A bonded peer may refuse a subscription on a plain link.
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
                // There is none, or the peripheral refuses.
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
    /// The error of a connection to a peer that was not heard, for a stack that had to hear it.
    package func explained(_ abilities: Set<CentralAbility>) -> CentralError {
        guard code == .timedOut, !abilities.contains(.directConnection) else { return self }
        return CentralError(
            code, "\(detail); this stack has to hear a peer first, and forgets those that are not bonded",
            absence: absence)
    }
}
