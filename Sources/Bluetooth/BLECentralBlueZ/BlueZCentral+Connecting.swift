public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus
import MonotonicTime

extension BlueZCentral {
    /// One attempt of ``BlueZCentral/connect(to:within:)``.
    final class Attempt {
        let number: Int
        let path: String
        let peer: PeerID
        let deadline: MonotonicInstant
        let continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        var timer: BenchExecutor.Event?
        /// Why it is being cancelled.
        var failure: CentralError?
        /// When it began.
        let start: MonotonicInstant
        /// Whether it waits for others that are set up.
        var awaitsOthers = false
        /// Whether it waits for others no more.
        var hasTurn = false
        /// Whether bluetoothd was asked to connect.
        var isCalled = false
        /// Whether there is a connection that this central did not make, and it is not known yet whether it can be used.
        var awaitsLink = false
        /// The connection, once BlueZ has reported it.
        var connection: ConnectionID?

        init(
            _ number: Int, _ path: String, _ peer: PeerID, from start: MonotonicInstant, to deadline: MonotonicInstant,
            _ continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        ) {
            self.number = number
            self.path = path
            self.peer = peer
            self.start = start
            self.deadline = deadline
            self.continuation = continuation
        }
    }

    /// An attempt that waits for BlueZ to discover its peer.
    struct DeviceWaiter {
        let number: Int
        let path: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// How long BlueZ may try before it is cancelled and begins anew. When a controller answers late, Linux (6.1) sets up
    /// its scan for the peer by halves and never again; bluetoothd gives up after 40 s only. Longer than the longest
    /// advertising interval, 10.24 s, and a turn.
    private static let attemptTime = Duration.seconds(14)
    /// How long an attempt lets others go first, but no more than a part of its time.
    private static let turnTime = Duration.seconds(2)
    private static let turnPart = 4
    /// Authentication Failure (2.5): also if the peer has no key for the encryption.
    private static let authenticationFailure: UInt8 = 0x05
    private static let retryDelay = Duration.milliseconds(100)
    /// The last is that of a bluetoothd that connects by itself.
    private static let busyMessages: Set<String> = [
        "Input/output error", "Device or resource busy", "Operation already in progress",
    ]

    /// Connects to a peer; one that BlueZ does not know (it forgets most 30 s after they were heard last) is discovered
    /// first.
    public func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        let operation = "connect to \(peer)"
        let session = try currentSession(operation)
        guard let address = peer.address else {
            throw CentralError(.invalidState, "\(operation): expected a peer with an address, got a name")
        }
        let path = Device.path(address, on: session.adapter)
        try expectNone(path, operation)
        let deadline = executor.now.advanced(by: timeout)
        while true {
            if tree.properties(path, BlueZ.device) == nil { try await awaitDevice(path, peer, deadline, operation) }
            guard !Task.isCancelled else { throw Self.timeout(peer) }
            // Another call may have been faster.
            try expectNone(path, operation)
            usedDevices.insert(path)
            do throws(CentralError) {
                return try await attempt(path, peer, until: min(deadline, executor.now.advanced(by: Self.attemptTime)))
            } catch {
                guard error.code == .timedOut, executor.now < deadline, !Task.isCancelled else { throw error }
            }
        }
    }

    private func expectNone(_ path: String, _ operation: String) throws(CentralError) {
        guard attempts[path] == nil, connection(path: path) == nil else {
            throw CentralError(.invalidState, "\(operation): expected no connection to it, there is one, or an attempt")
        }
    }

    private func attempt(
        _ path: String, _ peer: PeerID, until deadline: MonotonicInstant
    ) async throws(CentralError) -> ConnectionID {
        let number = nextOperation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(Attempt(number, path, peer, from: executor.now, to: deadline, continuation))
            }
        } onCancel: {
            executor.post { [weak self] in
                self?.assumeIsolated { central in
                    guard let attempt = central.attempts[path], attempt.number == number else { return }
                    central.cancel(attempt, Self.timeout(peer))
                }
            }
        }
        return try result.get()
    }

    /// The error of an attempt whose time has passed, or whose task was cancelled.
    private static func timeout(_ peer: PeerID) -> CentralError {
        CentralError(.timedOut, "connect to \(peer): expected a connection in time, got none")
    }

    private func start(_ attempt: Attempt) {
        let path = attempt.path
        attempts[path] = attempt
        attempt.timer = executor.schedule(at: attempt.deadline) { [weak self] in
            self?.assumeIsolated { $0.attemptTimedOut(path) }
        }
        callConnect(path)
    }

    /// Calls Connect as soon as the peer's last connection has really ended, or that of another program can be used.
    ///
    /// bluetoothd answers Connect at once if there is a connection, but may have no attribute channel on it: a bluetoothd
    /// that was started again knows of the connections of the last one, which the kernel ends 2 s after that has ended.
    /// One with a channel has its services discovered, or will have.
    ///
    /// bluetoothd reports the end of a connection when the kernel has accepted to end it. A new one that begins before the
    /// controller and bluetoothd itself have removed the old one fails (EBUSY), is dropped again, or is never made: Linux
    /// 6.1 then forgets whom it looks for.
    private func callConnect(_ path: String) {
        guard let attempt = attempts[path], attempt.failure == nil, let session else { return }
        let number = attempt.number
        let device = Device(tree, path)
        // A connection that bluetoothd has made since then has a channel.
        attempt.awaitsLink =
            attempt.connection == nil && device.map { $0.isConnected && !$0.hasResolvedServices } ?? false
        if attempt.awaitsLink { return }
        attempt.awaitsOthers = awaitsOthers(attempt)
        if attempt.awaitsOthers { return }
        attempt.hasTurn = true
        if let device, isHeld(device.address, path, session.adapter) {
            Task(executorPreference: executor) { await self.callConnect(path, afterEndOf: device.address, number) }
            return
        }
        // What bluetoothd has received before it answers it has handled when the next call comes.
        session.bus.call(
            DBusMessage(call: BlueZ.service, path, BlueZ.peer, "Ping"), within: DBusConnection.defaultTimeout
        ) { [weak self] _ in
            self?.assumeIsolated { central in
                guard let attempt = central.attempts[path], attempt.number == number, attempt.failure == nil else {
                    return
                }
                // Of a connection that there may be already.
                if attempt.connection == nil { central.forgetReasons(path) }
                let isFirst = !attempt.isCalled
                attempt.isCalled = true
                central.session?.bus.call(
                    DBusMessage(call: BlueZ.service, path, BlueZ.device, "Connect"), within: nil
                ) { [weak central] reply in
                    central?.assumeIsolated { $0.attemptAnswered(path, reply) }
                }
                if isFirst { central.endRound() }
            }
        }
    }

    private func callConnect(_ path: String, afterEndOf address: DeviceAddress, _ number: Int) async {
        let hasEnded = await awaitEnd(of: address, path)
        guard let attempt = attempts[path], attempt.number == number, attempt.failure == nil else { return }
        if hasEnded { return callConnect(path) }
        end(attempt, .failure(Self.held("connect to \(attempt.peer)")))
    }

    /// Whether an attempt has to wait: others are connected to, or have their services discovered.
    ///
    /// Linux 6.1 makes one connection after the other. If it sends a command for one that is there already meanwhile, such
    /// as for its encryption, it then does nothing for 4 s, and never ends the one that it was making
    /// (``awaitEnd(of:_:until:)``). Somebody who is not there must not stop all others.
    private func awaitsOthers(_ attempt: Attempt) -> Bool {
        let part = attempt.start.duration(to: attempt.deadline) / Self.turnPart
        let end = attempt.start.advanced(by: min(Self.turnTime, part))
        guard !attempt.hasTurn, executor.now < end else { return false }
        let path = attempt.path
        let isOtherSetUp =
            attempts.values.contains { $0.path != path && $0.hasTurn && $0.failure == nil }
            || connections.contains { $0.path != path && !$0.isResolved }
        guard isOtherSetUp else { return false }
        let number = attempt.number
        if !attempt.awaitsOthers {
            executor.schedule(at: end) { [weak self] in
                self?.assumeIsolated { central in
                    guard let attempt = central.attempts[path], attempt.number == number, attempt.awaitsOthers else {
                        return
                    }
                    central.callConnect(path)
                }
            }
        }
        return true
    }

    /// Continues the attempts that wait for others, in their order.
    func continueAttempts() {
        for attempt in attempts.values.filter(\.awaitsOthers).sorted(by: { $0.number < $1.number }) {
            callConnect(attempt.path)
        }
    }

    /// Continues an attempt that waits for a connection of others, which can be used now, or has ended.
    func linkChanged(_ path: String) {
        if let attempt = attempts[path], attempt.awaitsLink { callConnect(path) }
    }

    private func awaitDevice(
        _ path: String, _ peer: PeerID, _ deadline: MonotonicInstant, _ operation: String
    ) async throws(CentralError) {
        if let address = peer.address, !(await awaitEnd(of: address, path, until: deadline)) {
            throw Self.held(operation)
        }
        guard !Task.isCancelled, executor.now < deadline else { throw Self.timeout(peer) }
        searchCount += 1
        if let error = await updateDiscovery() {
            searchCount -= 1
            throw error
        }
        let number = nextOperation()
        let isFound =
            if tree.properties(path, BlueZ.device) != nil {
                true
            } else {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        deviceWaiters.append(DeviceWaiter(number: number, path: path, continuation: continuation))
                        executor.schedule(at: deadline) { [weak self] in
                            self?.assumeIsolated { $0.endDeviceWait(number) }
                        }
                    }
                } onCancel: {
                    executor.post { [weak self] in self?.assumeIsolated { $0.endDeviceWait(number) } }
                }
            }
        searchCount -= 1
        // It discovers no more either way; of a stack that has ended the attempt is told below.
        _ = await updateDiscovery()
        guard !isFound else { return }
        guard !Task.isCancelled else { throw Self.timeout(peer) }
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
        guard let attempt = attempts[path] else { return }
        attempt.timer = nil
        let foreign = CentralError(
            .timedOut,
            "connect to \(attempt.peer): there is a connection to it that another program made, or a bluetoothd that has "
                + "ended: expected bluetoothd to discover its services, or it to end, in time")
        cancel(attempt, attempt.awaitsLink ? foreign : Self.timeout(attempt.peer))
    }

    /// Cancels an attempt; it ends when BlueZ does not try any more.
    func cancel(_ attempt: Attempt, _ error: CentralError) {
        guard attempt.failure == nil else { return }
        attempt.failure = error
        // The connection of others is left to them.
        guard let session, attempt.isCalled, !attempt.awaitsLink else { return end(attempt, .failure(error)) }
        let path = attempt.path
        // BlueZ then answers Connect, too; but not always.
        session.bus.call(
            DBusMessage(call: BlueZ.service, path, BlueZ.device, "Disconnect"), within: Self.endTimeout
        ) { [weak self] _ in
            self?.assumeIsolated { central in
                guard let attempt = central.attempts[path] else { return }
                central.end(attempt, .failure(error))
            }
        }
    }

    private func attemptAnswered(_ path: String, _ reply: DBusConnection.Reply) {
        // The end of a cancelled attempt is the answer to Disconnect.
        guard let attempt = attempts[path], attempt.failure == nil else { return }
        switch reply {
        case .failure(let error) where error.name == BlueZ.Fault.alreadyConnected: break
        case .failure(let error):
            guard !retries(attempt, error) else { return }
            var failure = CentralError(error, "connect to \(attempt.peer)")
            if case .disconnected = failure.code { failure.detail += Self.appended(bondRemark(path)) }
            return end(attempt, .failure(failure))
        case .success: break
        }
        if Device(tree, path)?.isConnected == true, attempt.connection == nil {
            connectionChanged(path, isConnected: true)
        }
        guard let connection = attempt.connection, connections.contains(where: { $0.id == connection }) else {
            unsettled[path] = executor.now
            return end(attempt, .failure(endedEarly(attempt)))
        }
        end(attempt, .success(connection))
    }

    /// Ends an attempt whose connection has ended, if BlueZ does not: it may not answer Connect then.
    ///
    /// It gets time, since a Disconnect at once makes bluetoothd close a channel that the kernel is removing: Linux
    /// 6.1.192 then removes it twice ("list_del corruption"), and bluetoothd is killed.
    private func endLater(_ attempt: Attempt) {
        let (path, number) = (attempt.path, attempt.number)
        executor.schedule(at: executor.now.advanced(by: Self.answerDelay)) { [weak self] in
            self?.assumeIsolated { central in
                guard let now = central.attempts[path], now.number == number, now.failure == nil else { return }
                central.cancel(now, central.endedEarly(now))
            }
        }
    }

    private func endedEarly(_ attempt: Attempt) -> CentralError {
        CentralError(
            .disconnected(reason: nil),
            "connect to \(attempt.peer): the connection ended while it was set up"
                + Self.appended(bondRemark(attempt.path)))
    }

    /// The likely reason if a bonded device ends its connections at once: BlueZ encrypts them, and hides why that failed.
    private func bondRemark(_ path: String) -> String? {
        Device(tree, path)?.isPaired == true ? "there is a bond with it, which it may have lost" : nil
    }

    private static func appended(_ remark: String?) -> String { remark.map { "; \($0)" } ?? "" }

    /// Tries again after the error with which BlueZ fails at once when the kernel still holds the channel of the last
    /// connection (EBUSY), whose end it has already reported.
    private func retries(_ attempt: Attempt, _ error: DBusError) -> Bool {
        let next = executor.now.advanced(by: Self.retryDelay)
        guard error.name == BlueZ.Fault.failed, Self.busyMessages.contains(error.detail), attempt.connection == nil,
            next < attempt.deadline
        else { return false }
        let (path, number) = (attempt.path, attempt.number)
        executor.schedule(at: next) { [weak self] in
            self?.assumeIsolated { if $0.attempts[path]?.number == number { $0.callConnect(path) } }
        }
        return true
    }

    /// Resumes the caller of an attempt.
    func end(_ attempt: Attempt, _ result: Result<ConnectionID, CentralError>) {
        guard attempts[attempt.path] === attempt else { return }
        attempts[attempt.path] = nil
        if let timer = attempt.timer { executor.cancel(timer) }
        attempt.continuation.resume(returning: result)
        if case .failure(let error) = result, let id = attempt.connection,
            let connection = connections.first(where: { $0.id == id })
        {
            // It failed after the link was there.
            ended(connection, error)
        }
        continueAttempts()
    }

    /// BlueZ has reported that a device is connected, or is not any more.
    func connectionChanged(_ path: String, isConnected: Bool) {
        if isConnected {
            guard connection(path: path) == nil else { return }
            // Connections of others are not this central's.
            guard let attempt = attempts[path] else { return endStray(path) }
            lastConnection += 1
            let connection = Connection(id: ConnectionID(rawValue: lastConnection), path: path)
            if let device = Device(tree, path) {
                connection.isResolved = device.hasResolvedServices
                connection.wasAuthenticated = device.isPaired && authenticatedDevices.contains(path)
                connection.security = device.security(isAuthenticated: connection.wasAuthenticated)
            }
            connections.append(connection)
            attempt.connection = connection.id
            unsettled[path] = nil
        } else if attempts[path]?.awaitsLink == true {
            linkChanged(path)
        } else if unsettled[path] != nil, connection(path: path) == nil {
            unsettled[path] = executor.now
            _ = takeReason(path)
        } else if let connection = connection(path: path) {
            if let attempt = attempts[path] { endLater(attempt) }
            if !connection.isResolved, connection.disconnectWaiters.isEmpty { unsettled[path] = executor.now }
            // bluetoothd may report an end that was asked for before the kernel does.
            let reason = takeReason(path) ?? (connection.disconnectWaiters.isEmpty ? nil : Self.endedHere)
            let why =
                reason.map { " with reason 0x\($0 < 16 ? "0" : "")\(String($0, radix: 16, uppercase: true))" }
                ?? "; BlueZ does not report the reason"
            let isRefused = reason.map { $0 == Self.authenticationFailure } ?? !connection.isResolved
            let bond = isRefused ? bondRemark(path) : nil
            ended(
                connection,
                CentralError(
                    .disconnected(reason: reason),
                    "connection \(connection.id.rawValue): it ended\(why)\(Self.appended(bond))"),
                bond)
        }
    }
}
