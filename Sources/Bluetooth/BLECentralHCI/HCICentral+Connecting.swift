import BenchExecutor
public import BLECentral
import BLECore
import BLEHost
internal import BLEPackets
import MonotonicTime

extension HCICentral {
    /// One call of ``HCICentral/connect(to:within:)``; the controller creates one connection at a time.
    final class Attempt {
        let number: UInt64
        let peer: DeviceAddress
        var deadline: MonotonicInstant
        let continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        var hasTimedOut = false

        init(
            _ number: UInt64, _ peer: DeviceAddress, _ deadline: MonotonicInstant,
            _ continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        ) {
            self.number = number
            self.peer = peer
            self.deadline = deadline
            self.continuation = continuation
        }
    }

    /// Connects to a peer, which must have an address, after the pending attempts.
    public func connect(
        to peer: PeerID, within timeout: Duration
    ) async throws(CentralError) -> ConnectionID {
        guard let address = peer.address else {
            throw CentralError(.invalidState, "connect to \(peer): expected a peer with an address, got a name")
        }
        try checkAvailable()
        let deadline = executor.now.advanced(by: timeout)
        lastAttempt += 1
        let number = lastAttempt
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                attempts.append(Attempt(number, address, deadline, continuation))
                if attempts.count == 1 { startAttempt() }
                pump()
            }
        } onCancel: {
            executor.post { [weak self] in self?.assumeIsolated { $0.cancelAttempt(number) } }
        }
        return try result.get()
    }

    /// The task that waits for an attempt was cancelled: the attempt ends as if its time had passed.
    private func cancelAttempt(_ number: UInt64) {
        guard let attempt = attempts.first(where: { $0.number == number }) else { return }
        attempt.deadline = min(attempt.deadline, executor.now)
        advanceAttempts(to: executor.now)
        pump()
    }

    /// Starts the first pending attempt to connect.
    private func startAttempt() {
        while let attempt = attempts.first {
            do throws(HostError) {
                return try host.connect(to: attempt.peer, now: executor.now)
            } catch {
                endAttempt(.failure(CentralError(error)))
            }
        }
    }

    private func endAttempt(_ result: Result<ConnectionID, CentralError>) {
        guard !attempts.isEmpty else { return }
        attempts.removeFirst().continuation.resume(returning: result)
    }

    /// Ends expired attempts: pending ones at once, the running one when the controller has cancelled it.
    func advanceAttempts(to now: MonotonicInstant) {
        for (index, attempt) in attempts.enumerated() where attempt.deadline <= now && !attempt.hasTimedOut {
            attempt.hasTimedOut = true
            if index == 0 {
                host.cancelConnect(now: now)
            } else {
                attempt.continuation.resume(returning: .failure(timedOut(attempt)))
            }
        }
        let running = attempts.prefix(1)
        attempts = running + attempts.dropFirst().filter { !$0.hasTimedOut }
    }

    private func timedOut(_ attempt: Attempt) -> CentralError {
        CentralError(.timedOut, "connect to \(attempt.peer): expected a connection in time, got none")
    }

    func linkEstablished(_ info: ConnectionInfo) {
        lastConnection += 1
        let id = ConnectionID(rawValue: lastConnection)
        connections.append(Connection(id: id, handle: info.handle))
        endAttempt(.success(id))
        startAttempt()
    }

    func connectionFailed(_ status: HCIErrorCode) {
        guard let attempt = attempts.first else { return }
        let refused = CentralError(
            .controller(status: status.rawValue), "connect to \(attempt.peer): expected a connection, got \(status)")
        endAttempt(.failure(attempt.hasTimedOut ? timedOut(attempt) : refused))
        startAttempt()
    }

    /// Ends a connection with reason 0x13; returns when it has ended.
    public func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        let connection = try self.connection(connection)
        do throws(HostError) {
            try host.disconnect(connection.handle, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        let error = await withCheckedContinuation { continuation in
            connection.disconnectWaiters.append(continuation)
            pump()
        }
        if let error { throw error }
    }

    func disconnected(_ info: ConnectionInfo, _ reason: HCIErrorCode) {
        guard let connection = connection(handle: info.handle) else { return }
        ended(connection, reason, .disconnected(reason: reason.rawValue), "it ended with \(reason)")
    }

    /// Fails the operations of a connection, and removes it.
    func ended(_ connection: Connection, _ reason: HCIErrorCode, _ code: CentralError.Code, _ detail: String) {
        connections.removeAll { $0 === connection }
        let error = CentralError(code, "connection \(connection.id.rawValue): \(detail)")
        connection.endError = error
        connection.client.close(GATTClientError(.disconnected(reason), error.detail))
        drain(connection)
        for waiter in connection.writeWaiters { waiter.resume(returning: error) }
        for waiter in connection.disconnectWaiters { waiter.resume(returning: nil) }
        for waiter in connection.securityWaiters { waiter.resume(returning: .failure(error)) }
        rssiReads.end(connection.id, error)
        phyReads.end(connection.id, error)
        connection.securityWaiters = []
        connection.writeWaiters = []
        connection.disconnectWaiters = []
        events.post(.disconnected(connection.id, reason: reason.rawValue))
    }

    /// Handles the controller's refusal to end a connection.
    func disconnectRefused(_ status: HCIErrorCode) {
        for connection in connections {
            for waiter in connection.disconnectWaiters {
                waiter.resume(
                    returning: CentralError(
                        .controller(status: status.rawValue),
                        "disconnect \(connection.id.rawValue): expected the end, got \(status)"))
            }
            connection.disconnectWaiters = []
        }
    }
}

extension HCICentral {
    /// The central's state of one connection.
    final class Connection {
        let id: ConnectionID
        let handle: ConnectionHandle
        var client = GATTClient()
        var operations: [GATTOperation: CheckedContinuation<Result<GATTResult, CentralError>, Never>] = [:]
        /// The error of the operations that were pending at the end.
        var endError: CentralError?
        /// The result of the last discovery.
        var services: [DiscoveredService]?
        /// Write commands that wait for space in the queue to the controller.
        var writeWaiters: [CheckedContinuation<CentralError?, Never>] = []
        /// Calls of ``HCICentral/disconnect(_:)`` that wait for the disconnection.
        var disconnectWaiters: [CheckedContinuation<CentralError?, Never>] = []
        /// Receives the PDUs instead of the GATT client.
        var rawHandler: (@Sendable (ArraySlice<UInt8>) -> Void)?
        /// The raw ATT exchange that waits for a PDU.
        var rawExchange: Int?
        /// The last reported security.
        var security = LinkSecurity()
        /// Calls that wait for the end of a pairing or encryption.
        var securityWaiters: [CheckedContinuation<Result<LinkSecurity, CentralError>, Never>] = []

        init(id: ConnectionID, handle: ConnectionHandle) {
            self.id = id
            self.handle = handle
        }
    }

    func connection(_ id: ConnectionID) throws(CentralError) -> Connection {
        try checkAvailable()
        guard let connection = connections.first(where: { $0.id == id }) else {
            throw CentralError(.notConnected, "connection \(id.rawValue): it has ended, or never existed")
        }
        return connection
    }

    func connection(handle: ConnectionHandle) -> Connection? { connections.first { $0.handle == handle } }
}
