public import BLECentral
import BLECore
import BenchExecutor
import DBus
import MonotonicTime

extension BlueZCentral {
    /// One call of ``BlueZCentral/connect(to:within:)``.
    final class Attempt {
        let path: String
        let peer: PeerID
        let continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        var timer: BenchExecutor.Event?
        var hasTimedOut = false
        /// The connection, once BlueZ has reported it.
        var connection: ConnectionID?

        init(
            _ path: String, _ peer: PeerID,
            _ continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        ) {
            self.path = path
            self.peer = peer
            self.continuation = continuation
        }
    }

    /// An attempt that waits for BlueZ to discover its peer.
    struct DeviceWaiter {
        let number: Int
        let path: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// How long BlueZ may take to cancel a connection, or to end one: it waits 2 s by itself.
    private static let endTimeout = Duration.seconds(15)

    /// Connects to a peer; one that BlueZ does not know (it forgets most 30 s after they were heard last) is discovered
    /// first.
    public func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        let operation = "connect to \(peer)"
        let session = try currentSession(operation)
        guard let address = peer.address else {
            throw CentralError(.invalidState, "\(operation): expected a peer with an address, got a name")
        }
        let path = Device.path(address, on: session.adapter)
        guard attempts[path] == nil, connection(path: path) == nil else {
            throw CentralError(.invalidState, "\(operation): expected no connection to it, there is one, or an attempt")
        }
        let deadline = executor.now.advanced(by: timeout)
        if tree.properties(path, BlueZ.device) == nil { try await awaitDevice(path, deadline, operation) }
        usedDevices.insert(path)
        let result = await withCheckedContinuation { continuation in
            start(Attempt(path, peer, continuation), deadline, session.bus)
        }
        return try result.get()
    }

    private func start(_ attempt: Attempt, _ deadline: MonotonicInstant, _ bus: DBusConnection) {
        let path = attempt.path
        attempts[path] = attempt
        attempt.timer = executor.schedule(at: deadline) { [weak self] in
            self?.assumeIsolated { $0.attemptTimedOut(path) }
        }
        // Of an earlier session, or of another program: BlueZ connects once.
        if Device(tree, path)?.isConnected == true { connectionChanged(path, isConnected: true) }
        bus.call(DBusMessage(call: BlueZ.service, path, BlueZ.device, "Connect"), within: nil) { [weak self] reply in
            self?.assumeIsolated { $0.attemptAnswered(path, reply) }
        }
    }

    private func awaitDevice(
        _ path: String, _ deadline: MonotonicInstant, _ operation: String
    ) async throws(CentralError) {
        let mustStop = !isDiscovering
        try await discover()
        lastOperation += 1
        let number = lastOperation
        let isFound =
            tree.properties(path, BlueZ.device) != nil
            ? true
            : await withCheckedContinuation { continuation in
                deviceWaiters.append(DeviceWaiter(number: number, path: path, continuation: continuation))
                executor.schedule(at: deadline) { [weak self] in
                    self?.assumeIsolated { $0.endDeviceWait(number) }
                }
            }
        if mustStop, reporter == nil { try await stopDiscovering() }
        guard !isFound else { return }
        _ = try currentSession(operation)
        throw CentralError(.timedOut, "\(operation): expected to discover it in time, BlueZ has not heard it")
    }

    private func endDeviceWait(_ number: Int) {
        guard let index = deviceWaiters.firstIndex(where: { $0.number == number }) else { return }
        deviceWaiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Continues the attempts that wait for a device.
    func deviceAppeared(_ path: String) {
        let found = deviceWaiters.filter { $0.path == path }
        deviceWaiters.removeAll { $0.path == path }
        for waiter in found { waiter.continuation.resume(returning: true) }
    }

    // MARK: Attempts

    private func attemptTimedOut(_ path: String) {
        guard let attempt = attempts[path], let bus = session?.bus else { return }
        attempt.timer = nil
        attempt.hasTimedOut = true
        // BlueZ then answers Connect, too; but not always.
        bus.call(
            DBusMessage(call: BlueZ.service, path, BlueZ.device, "Disconnect"), within: Self.endTimeout
        ) { [weak self] _ in
            self?.assumeIsolated { central in
                guard let attempt = central.attempts[path] else { return }
                central.end(attempt, .failure(Self.timedOut(attempt)))
            }
        }
    }

    private static func timedOut(_ attempt: Attempt) -> CentralError {
        CentralError(.timedOut, "connect to \(attempt.peer): expected a connection in time, got none")
    }

    private func attemptAnswered(_ path: String, _ reply: DBusConnection.Reply) {
        // The end of a cancelled attempt is the answer to Disconnect.
        guard let attempt = attempts[path], !attempt.hasTimedOut else { return }
        let operation = "connect to \(attempt.peer)"
        switch reply {
        case .failure(let error) where error.name == BlueZ.Fault.alreadyConnected: break
        case .failure(let error):
            return end(attempt, .failure(CentralError(error, operation)))
        case .success: break
        }
        if Device(tree, path)?.isConnected == true, attempt.connection == nil {
            connectionChanged(path, isConnected: true)
        }
        guard let connection = attempt.connection, connections.contains(where: { $0.id == connection }) else {
            return end(
                attempt,
                .failure(
                    CentralError(.disconnected(reason: nil), "\(operation): the connection ended while it was set up")))
        }
        end(attempt, .success(connection))
    }

    /// Resumes the caller of an attempt.
    func end(_ attempt: Attempt, _ result: Result<ConnectionID, CentralError>) {
        guard attempts[attempt.path] === attempt else { return }
        attempts[attempt.path] = nil
        if let timer = attempt.timer { executor.cancel(timer) }
        attempt.continuation.resume(returning: result)
        guard case .failure(let error) = result, let id = attempt.connection,
            let connection = connections.first(where: { $0.id == id })
        else { return }
        // It failed after the link was there.
        ended(connection, error)
    }

    /// BlueZ has reported that a device is connected, or is not any more.
    func connectionChanged(_ path: String, isConnected: Bool) {
        if isConnected {
            // Connections of others are not this central's.
            guard let attempt = attempts[path], connection(path: path) == nil else { return }
            lastConnection += 1
            let connection = Connection(id: ConnectionID(rawValue: lastConnection), path: path)
            if let device = Device(tree, path) { connection.security = device.security(isAuthenticated: false) }
            connections.append(connection)
            attempt.connection = connection.id
        } else if let connection = connection(path: path) {
            ended(
                connection,
                CentralError(
                    .disconnected(reason: nil),
                    "connection \(connection.id.rawValue): it ended; BlueZ does not report the reason"))
        }
    }

    // MARK: Disconnecting

    /// Ends a connection; returns when it has ended, which BlueZ delays by 2 s.
    public func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        let connection = try self.connection(connection)
        let operation = "disconnect \(connection.id.rawValue)"
        let session = try currentSession(operation)
        let path = connection.path
        session.bus.call(
            DBusMessage(call: BlueZ.service, path, BlueZ.device, "Disconnect"), within: Self.endTimeout
        ) { [weak self] reply in
            self?.assumeIsolated { central in
                // The change of the property Connected comes before or after the answer.
                guard case .failure(let error) = reply, let connection = central.connection(path: path) else { return }
                let waiters = connection.disconnectWaiters
                connection.disconnectWaiters = []
                for waiter in waiters { waiter.resume(returning: CentralError(error, operation)) }
            }
        }
        let error = await withCheckedContinuation { connection.disconnectWaiters.append($0) }
        if let error { throw error }
    }
}
