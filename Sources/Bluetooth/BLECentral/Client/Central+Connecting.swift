import BenchExecutor
import MonotonicTime
import Synchronization

extension Central {
    /// The default time-out of connecting.
    public static var connectTimeout: Duration { .seconds(5) }

    /// The peripheral with this identifier, which need not be known or connected.
    public nonisolated func peripheral(_ peer: PeerID) -> Peripheral { Peripheral(id: peer, central: self) }

    /// The peripherals that are connected.
    public var connectedPeripherals: [Peripheral] {
        links.values.sorted { $0.connection.rawValue < $1.connection.rawValue }.map { peripheral($0.peer) }
    }

    /// Connects to a peer.
    ///
    /// - Throws: `invalidState` when the peer is connected, an attempt is running, or the ``Central/connectionLimit``
    ///   is reached; `timedOut` when `timeout` passes first, or the calling task is cancelled.
    @discardableResult
    public func connect(
        to peer: PeerID, within timeout: Duration = Central.connectTimeout
    ) async throws(CentralError) -> Peripheral {
        // Handles the events that occurred meanwhile, even the end of the connection.
        backend.events.accept(try await connectHolding(to: peer, within: timeout))
        return peripheral(peer)
    }

    /// Connects to a peer; the connection's events are held until the caller accepts them.
    package func connectHolding(
        to peer: PeerID, within timeout: Duration
    ) async throws(CentralError) -> ConnectionID {
        let operation = "connect to \(peer)"
        guard links[peer] == nil, !connecting.contains(peer) else {
            let what = links[peer] == nil ? "an attempt" : "a connection"
            throw CentralError(.invalidState, "\(operation): there is \(what) already")
        }
        if let connectionLimit, links.count + connecting.count >= connectionLimit {
            throw CentralError(
                .invalidState, "\(operation): expected at most \(connectionLimit) connections, there are as many")
        }
        connecting.insert(peer)
        lastEnds[peer] = nil
        tell(.connecting, of: peer)
        do throws(CentralError) {
            let connection = try await backend.connect(to: peer, within: timeout)
            connecting.remove(peer)
            links[peer] = PeripheralLink(peer, connection)
            tell(.connected, of: peer)
            observe(.connected(peer, connection, name: known[peer]?.name))
            return connection
        } catch {
            connecting.remove(peer)
            tell(.disconnected, of: peer)
            throw error
        }
    }

    /// The error with which the last connection to a peer ended; `nil`: it is open, or there was none.
    package func lastEnd(of peer: PeerID) -> CentralError? { lastEnds[peer] }

    func disconnect(_ peer: PeerID) async throws(CentralError) {
        observe(.disconnecting(peer))
        try await abandon(peer)
    }

    /// Ends an unusable connection to a peer to which the caller will reconnect.
    package func abandon(_ peer: PeerID) async throws(CentralError) {
        guard let link = links[peer] else { return }
        link.isEndWanted = true
        do throws(CentralError) {
            try await backend.disconnect(link.connection)
        } catch {
            // The connection may have ended meanwhile; otherwise the stack cannot end it.
            guard links[peer] === link || (error.code == .invalidState && state == .poweredOn) else { return }
            throw error
        }
    }

    /// The current state and all later ones.
    func connectionStates(of peer: PeerID) -> AsyncStream<ConnectionState> {
        connectionListeners[peer, default: Broadcast()].stream(
            keeping: Self.eventBufferSize, first: connectionState(of: peer))
    }

    func connectionState(of peer: PeerID) -> ConnectionState {
        links[peer] != nil ? .connected : connecting.contains(peer) ? .connecting : .disconnected
    }

    private func tell(_ state: ConnectionState, of peer: PeerID) {
        connectionListeners[peer]?.send(state)
    }

    /// The connection to a peer.
    func link(to peer: PeerID, for operation: @autoclosure () -> String) throws(CentralError) -> PeripheralLink {
        guard let link = links[peer] else {
            throw CentralError(.notConnected, "\(operation()): there is no connection to \(peer)")
        }
        return link
    }

    /// The services of a connected peer; discovered once per connection.
    func services(of peer: PeerID) async throws(CentralError) -> [DiscoveredService] {
        let link = try link(to: peer, for: "discover services")
        let task =
            link.services
            ?? Task(executorPreference: executor) { () -> Result<[DiscoveredService], CentralError> in
                do throws(CentralError) {
                    return .success(try await self.discover(peer))
                } catch {
                    return .failure(error)
                }
            }
        link.services = task
        let result = await task.value
        // After a failure the next call discovers again.
        switch result {
        case .success(let services): link.discovered = services
        case .failure: if link.services == task { link.services = nil }
        }
        return try result.get()
    }

    /// Discovers the services of a connected peer, even if they are known.
    package func discover(_ peer: PeerID) async throws(CentralError) -> [DiscoveredService] {
        try await perform(.discover, of: peer, "discover services", answer: { .services($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.discoverServices(on: connection)
        }
    }

    // MARK: Time limits

    /// Runs an operation of the stack; waits at most `limit`, then cancels it. The operation may end later: a request
    /// that was sent ends with its response or its time-out.
    ///
    /// - Parameter isPaused: true while a person must act, as at a pairing: the limit then begins again.
    /// - Throws: `timedOut` with `detail`.
    package func timed<Value: Sendable>(
        _ limit: Duration, _ detail: @autoclosure () -> String,
        pausing isPaused: @escaping @Sendable () -> Bool = { false },
        _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws(CentralError) -> Value {
        let (executor, late) = (executor, CentralError(.timedOut, detail()))
        let outcome = FirstOutcome<Value>()
        let work = Task(executorPreference: executor) {
            do throws(CentralError) {
                outcome.set(.success(try await operation()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        let alarm = Alarm(executor, limit, isPaused) {
            outcome.set(.failure(late))
            work.cancel()
        }
        let result = await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            work.cancel()
        }
        alarm.cancel()
        return try result.get()
    }
}

/// Acts after a time, or that time after a pause at its end.
private final class Alarm: Sendable {
    private let executor: BenchExecutor
    private let limit: Duration
    private let isPaused: @Sendable () -> Bool
    private let action: @Sendable () -> Void
    private let event = Mutex<BenchExecutor.Event?>(nil)

    init(
        _ executor: BenchExecutor, _ limit: Duration, _ isPaused: @escaping @Sendable () -> Bool,
        _ action: @escaping @Sendable () -> Void
    ) {
        (self.executor, self.limit, self.isPaused, self.action) = (executor, limit, isPaused, action)
        set()
    }

    private func set() {
        let event = executor.schedule(at: executor.now.advanced(by: limit)) { [self] in
            if isPaused() { set() } else { action() }
        }
        self.event.withLock { $0 = event }
    }

    func cancel() { event.withLock { $0.take() }.map(executor.cancel) }
}

/// The first of several outcomes.
private final class FirstOutcome<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, CentralError>?
        var waiter: CheckedContinuation<Result<Value, CentralError>, Never>?
    }

    private let state = Mutex(State())

    func set(_ result: Result<Value, CentralError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Value, CentralError>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    func value() async -> Result<Value, CentralError> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<Value, CentralError>? in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
