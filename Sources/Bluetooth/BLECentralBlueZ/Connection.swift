import BLECentral
import BLECore
import BenchExecutor
import DBus

extension BlueZCentral {
    /// The central's state of one connection.
    final class Connection {
        typealias Waiter = CheckedContinuation<Result<[DBusValue], CentralError>, Never>

        let id: ConnectionID
        /// The path of its device.
        let path: String
        /// Why it has ended.
        var end: CentralError?
        var services: ServiceTree?
        var mtu: Int?
        var security = LinkSecurity()
        /// Whether the agent was asked during a pairing on it.
        var wasAuthenticated = false
        /// The operations whose answers are awaited; the next operation waits in `queue`.
        var waiters: [Int: Waiter] = [:]
        var isBusy = false
        var queue: [CheckedContinuation<Void, Never>] = []
        var resolvedWaiters: [CheckedContinuation<CentralError?, Never>] = []
        var disconnectWaiters: [CheckedContinuation<CentralError?, Never>] = []
        var subscriptions: [AttributeID: ActiveSubscription] = [:]
        /// The running read of a characteristic that notifies by signals.
        var read: SignalledRead?

        init(id: ConnectionID, path: String) {
            self.id = id
            self.path = path
        }

        /// Waits for its turn: operations are executed one at a time, in the order of the calls.
        func enter(isolation: isolated (any Actor)? = #isolation) async {
            guard isBusy else {
                isBusy = true
                return
            }
            await withCheckedContinuation { queue.append($0) }
        }

        /// Passes the turn on.
        func leave() {
            if queue.isEmpty { isBusy = false } else { queue.removeFirst().resume() }
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
            throw CentralError(.notConnected, "connection \(id.rawValue): it has ended, or never was")
        }
        return connection
    }

    func connection(path: String) -> Connection? { connections.first { $0.path == path } }

    /// Calls a method for a connection, after its earlier operations; fails at once when the connection ends.
    func perform(
        _ operation: String, on connection: Connection, _ message: DBusMessage, within timeout: Duration
    ) async throws(CentralError) -> [DBusValue] {
        if let end = connection.end { throw end }
        let bus = try currentSession(operation).bus
        lastOperation += 1
        let number = lastOperation
        let id = connection.id
        let result = await withCheckedContinuation { continuation in
            connection.waiters[number] = continuation
            bus.call(message, within: timeout) { [weak self] reply in
                self?.assumeIsolated { $0.answered(id, number, reply, operation) }
            }
        }
        return try result.get()
    }

    private func answered(_ id: ConnectionID, _ number: Int, _ reply: DBusConnection.Reply, _ operation: String) {
        // Not any more, if the connection has ended.
        guard let connection = connections.first(where: { $0.id == id }),
            let waiter = connection.waiters.removeValue(forKey: number)
        else { return }
        waiter.resume(returning: reply.mapError { CentralError($0, operation) })
    }

    /// Fails the operations of a connection, and removes it.
    func ended(_ connection: Connection, _ error: CentralError) {
        connections.removeAll { $0 === connection }
        connection.end = error
        for (_, waiter) in connection.waiters.sorted(by: { $0.key < $1.key }) {
            waiter.resume(returning: .failure(error))
        }
        connection.waiters = [:]
        for waiter in connection.resolvedWaiters { waiter.resume(returning: error) }
        connection.resolvedWaiters = []
        for waiter in connection.disconnectWaiters { waiter.resume(returning: nil) }
        connection.disconnectWaiters = []
        endSubscriptions(of: connection)
        pairingCalls[connection.path] = nil
        events.post(.disconnected(connection.id, reason: nil))
    }
}
