internal import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

extension BlueZCentral {
    /// The central's state of one connection.
    final class Connection {
        typealias Waiter = CheckedContinuation<Result<[DBusValue], CentralError>, Never>

        let id: ConnectionID
        /// The path of its device.
        let path: String
        /// Why it has ended.
        var end: CentralError?
        /// True if bluetoothd has discovered its services.
        var isResolved = false
        var services: ServiceTree?
        var mtu: Int?
        var security = LinkSecurity()
        /// True if ``BlueZCentral/pair(_:)`` runs; BlueZ may also start pairing during other operations.
        var isPairing = false
        /// True if BlueZ called the agent during a pairing on this connection.
        var wasAuthenticated = false
        /// The passkey that BlueZ has chosen for the running pairing.
        var displayedPasskey: UInt32?
        /// The operations whose answers are awaited; the next operation waits in `turns`.
        var waiters: [Int: Waiter] = [:]
        var turns = TurnQueue()
        /// The calls whose tasks were cancelled; the turn ends when all of them have been answered.
        var abandoned: Set<Int> = []
        var resolvedWaiters: [Int: CheckedContinuation<CentralError?, Never>] = [:]
        var disconnectWaiters: [CheckedContinuation<CentralError?, Never>] = []
        /// Calls of ``BlueZCentral/readRSSI(on:)`` that wait for the kernel's answer.
        var rssiWaiters: [CheckedContinuation<Result<Int?, CentralError>, Never>] = []
        /// True if the RSSI was requested again after a failure.
        var hasAskedAgain = false
        var subscriptions: [AttributeID: ActiveSubscription] = [:]
        /// The running read of a characteristic that notifies by signals.
        var read: SignalledRead?

        init(id: ConnectionID, path: String) {
            self.id = id
            self.path = path
        }

        /// Resumes the callers that wait for the discovery of the services.
        func endResolution(_ error: CentralError?) {
            let waiters = resolvedWaiters.sorted { $0.key < $1.key }
            resolvedWaiters = [:]
            for (_, waiter) in waiters { waiter.resume(returning: error) }
        }
    }

    /// How the notifications of a characteristic arrive.
    enum ActiveSubscription {
        /// As packets of a socket (AcquireNotify).
        case packets(DBusPackets)
        /// As changes of the property Value (StartNotify).
        case signals(DBusMatch, isIndication: Bool)
    }

    func connection(_ id: ConnectionID) throws(CentralError) -> Connection {
        guard let connection = connections.first(where: { $0.id == id }) else {
            if session == nil, let loss { throw loss }
            throw CentralError(.notConnected, "connection \(id.rawValue): it has ended, or never existed")
        }
        return connection
    }

    func connection(path: String) -> Connection? { connections.first { $0.path == path } }

    /// Calls a method for a connection. Fails at once when the connection ends, or, if `isCancellable`, when the task
    /// is cancelled: bluetoothd then still executes the call, before the next operation of the connection.
    ///
    /// - Parameter answersObjects: whether the answer replaces the tree at once. The caller's task would replace it too
    ///   late: it resumes after signals that arrived with the answer, and would undo their changes.
    func perform(
        _ operation: OperationName, on connection: Connection, _ message: DBusMessage, within timeout: Duration,
        isCancellable: Bool = true, answersObjects: Bool = false
    ) async throws(CentralError) -> [DBusValue] {
        if let end = connection.end { throw end }
        let session = try currentSession(operation.description)
        let (bus, period) = (session.bus, session.number)
        let number = nextOperation()
        let id = connection.id
        let start = executor.roughNow
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                connection.waiters[number] = continuation
                bus.call(message, within: timeout) { [weak self] reply in
                    self?.assumeIsolated { central in
                        if answersObjects, central.session?.number == period, let objects = (try? reply.get())?.first {
                            central.tree.replace(objects)
                        }
                        central.answered(id, number, reply, operation, since: start)
                    }
                }
            }
        } onCancel: {
            guard isCancellable else { return }
            post { $0.abandon(id, number, Self.cancellation(operation)) }
        }
        return try result.get()
    }

    private func answered(
        _ id: ConnectionID, _ number: Int, _ reply: DBusConnection.Reply, _ operation: OperationName,
        since start: MonotonicInstant
    ) {
        // The operation has already failed if the connection has ended.
        guard let connection = connections.first(where: { $0.id == id }) else { return }
        if let waiter = connection.waiters.removeValue(forKey: number) {
            let elapsed = start.duration(to: executor.roughNow)
            return waiter.resume(returning: reply.mapError { CentralError($0, operation.description, after: elapsed) })
        }
        guard connection.abandoned.remove(number) != nil, connection.abandoned.isEmpty else { return }
        endRead((try? reply.get())?.first?.octets, on: connection)
        connection.turns.leave()
    }

    /// Fails an operation before its answer has arrived.
    private func abandon(_ id: ConnectionID, _ number: Int, _ error: CentralError) {
        guard let connection = connections.first(where: { $0.id == id }),
            let waiter = connection.waiters.removeValue(forKey: number)
        else { return }
        connection.abandoned.insert(number)
        waiter.resume(returning: .failure(error))
    }

    /// Fails the operations on a connection and ends it, after this central refused a pairing that BlueZ had started:
    /// otherwise bluetoothd would wait for a response that the peer has already sent, and disconnect after 30 s.
    func endAfterRefusal(_ connection: Connection) {
        let error = CentralError(
            .pairingFailed(reason: 0x01), "the peer wants a pairing, which was refused here (0x01 passkey entry failed)"
        )
        for number in connection.waiters.keys.sorted() { abandon(connection.id, number, error) }
        send(connection.path, BlueZ.device, "Disconnect")
    }

    /// The error of an operation whose task was cancelled.
    static func cancellation(_ operation: OperationName) -> CentralError {
        CentralError(.timedOut, "\(operation): its task was cancelled before it had ended")
    }

    /// Waits for the turn: operations of a connection are executed one at a time, in the order of the calls.
    func enter(_ connection: Connection, _ operation: OperationName) async throws(CentralError) {
        guard !connection.turns.enter() else { return }
        let number = nextOperation()
        let id = connection.id
        let isCancelled = await withTaskCancellationHandler {
            await withCheckedContinuation { connection.turns.append($0, number) }
        } onCancel: {
            post { central in central.connections.first { $0.id == id }?.turns.cancel(number) }
        }
        if isCancelled { throw Self.cancellation(operation) }
    }

    /// Passes the turn to the next operation, once all calls of this one have been answered.
    func leave(_ connection: Connection) {
        if connection.abandoned.isEmpty { connection.turns.leave() }
    }

    /// A number for an operation that waits.
    func nextOperation() -> Int {
        lastOperation += 1
        return lastOperation
    }

    /// Fails the operations of a connection, and removes it; `remark` is reported with the disconnection.
    func ended(_ connection: Connection, _ error: CentralError, _ remark: String? = nil) {
        connections.removeAll { $0 === connection }
        connection.end = error
        for (_, waiter) in connection.waiters.sorted(by: { $0.key < $1.key }) {
            waiter.resume(returning: .failure(error))
        }
        connection.waiters = [:]
        if !connection.abandoned.isEmpty {
            connection.abandoned = []
            connection.turns.leave()
        }
        connection.endResolution(error)
        for waiter in connection.disconnectWaiters { waiter.resume(returning: nil) }
        connection.disconnectWaiters = []
        connection.endRSSIReads(.failure(error))
        endSubscriptions(of: connection)
        pairingCalls[connection.path] = nil
        let reason: UInt8? = if case .disconnected(let reason) = error.code { reason } else { nil }
        events.post(.disconnected(connection.id, reason: reason, remark: remark))
        continueAttempts()
    }
}
