public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import ByteCodec
internal import DBus
internal import MonotonicTime

extension BlueZCentral {
    /// A ``ConnectAttempt`` and the caller that waits for its result.
    struct Attempt {
        let number: Int
        var machine: ConnectAttempt
        let continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        var alarm: (event: BenchExecutor.Event, instant: MonotonicInstant)?
    }

    /// An attempt that waits for BlueZ to discover its peer.
    struct DeviceWaiter {
        let number: Int
        let path: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Authentication Failure (2.5); also reported if the peer has no key for the encryption.
    private static let authenticationFailure: UInt8 = 0x05

    /// Connects to a peer; discovers it first if BlueZ does not know it. BlueZ forgets most peers 30 s after their last
    /// advertisement.
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
            guard !Task.isCancelled else { throw ConnectAttempt.timeout(peer) }
            // Another call may have connected meanwhile.
            try expectNone(path, operation)
            usedDevices.insert(path)
            do throws(CentralError) {
                return try await attempt(path, peer, until: deadline)
            } catch {
                guard error.code == .timedOut, executor.now < deadline, !Task.isCancelled else { throw error }
            }
        }
    }

    private func expectNone(_ path: String, _ operation: String) throws(CentralError) {
        guard attempts[path] == nil, connection(path: path) == nil else {
            throw CentralError(.invalidState, "\(operation): expected no connection to it, got one, or an attempt")
        }
    }

    private func attempt(
        _ path: String, _ peer: PeerID, until deadline: MonotonicInstant
    ) async throws(CentralError) -> ConnectionID {
        let number = nextOperation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let machine = ConnectAttempt(to: peer, from: executor.now, until: deadline)
                attempts[path] = Attempt(number: number, machine: machine, continuation: continuation)
                handle(.proceed, path, number)
            }
        } onCancel: {
            post { $0.handle(.cancelled(ConnectAttempt.timeout(peer)), path, number) }
        }
        return try result.get()
    }

    // MARK: The state machine

    /// Passes an event to the attempt to connect to a device; with a `number`, only to the attempt with that number.
    func handle(_ event: ConnectAttempt.Event, _ path: String, _ number: Int? = nil) {
        guard var attempt = attempts[path], number == nil || attempt.number == number else { return }
        let actions = attempt.machine.handle(event, situation(path), at: executor.now)
        if let alarm = attempt.alarm, alarm.instant != attempt.machine.wake {
            executor.cancel(alarm.event)
            attempt.alarm = nil
        }
        let known = attempt.number
        if attempt.alarm == nil, let wake = attempt.machine.wake {
            attempt.alarm = (schedule(at: wake) { $0.alarmRang(path, known) }, wake)
        }
        attempts[path] = attempt
        for action in actions { perform(action, path, known) }
    }

    private func alarmRang(_ path: String, _ number: Int) {
        if attempts[path]?.number == number { attempts[path]?.alarm = nil }
        handle(.proceed, path, number)
    }

    private func situation(_ path: String) -> ConnectAttempt.Situation {
        var situation = ConnectAttempt.Situation()
        if let device = Device(tree, path) {
            situation.isConnected = device.isConnected
            situation.hasResolvedServices = device.hasResolvedServices
            situation.isPaired = device.isPaired
        }
        situation.areOthersSetUp =
            attempts.contains { $0.key != path && $0.value.machine.hasTurn }
            || connections.contains { $0.path != path && !$0.isResolved }
        return situation
    }

    private func perform(_ action: ConnectAttempt.Action, _ path: String, _ number: Int) {
        switch action {
        case .awaitKernel: awaitKernel(path, number)
        case .flush: send(path, BlueZ.peer, "Ping") { central, _ in central.handle(.flushed, path, number) }
        case .forgetReasons: forgetReasons(path)
        case .connect:
            send(path, BlueZ.device, "Connect", within: nil) { $0.connectAnswered(path, number, $1) }
        case .beginRound: endRound()
        case .disconnect:
            // BlueZ then usually answers the pending Connect call, too.
            send(path, BlueZ.device, "Disconnect", within: Self.endTimeout) { central, _ in
                central.handle(.disconnected, path, number)
            }
        case .expectStray: unsettled[path] = executor.now
        case .finish(let result): finish(path, result)
        }
    }

    private func awaitKernel(_ path: String, _ number: Int) {
        guard let device = Device(tree, path), held(device.address, path) != nil else {
            return handle(.kernelEnded(true), path, number)
        }
        Task(executorPreference: executor) { await self.awaitKernel(path, number, of: device.address) }
    }

    private func awaitKernel(_ path: String, _ number: Int, of address: DeviceAddress) async {
        guard await awaitEnd(of: address, path) else { return handle(.kernelEnded(false), path, number) }
        // The kernel may have begun to end the connection without finishing.
        if attempts[path]?.number == number { awaitKernel(path, number) }
    }

    private func connectAnswered(_ path: String, _ number: Int, _ reply: DBusConnection.Reply) {
        guard let attempt = attempts[path], attempt.number == number else { return }
        var failure: DBusError?
        if case .failure(let error) = reply, error.name != BlueZ.Fault.alreadyConnected { failure = error }
        if failure == nil, attempt.machine.state == .calling, Device(tree, path)?.isConnected == true {
            // Another program's connection, which this attempt can use.
            connectionChanged(path, isConnected: true)
        }
        handle(.answered(failure), path, number)
    }

    /// Resumes the caller of an attempt.
    func finish(_ path: String, _ result: Result<ConnectionID, CentralError>) {
        guard let attempt = attempts.removeValue(forKey: path) else { return }
        if let alarm = attempt.alarm { executor.cancel(alarm.event) }
        attempt.continuation.resume(returning: result)
        // The attempt may have failed after BlueZ reported the connection.
        if case .failure(let error) = result, let connection = connection(path: path) { ended(connection, error) }
        continueAttempts()
    }

    /// Continues the attempts that wait for other attempts, in the order of their calls.
    func continueAttempts() {
        for (path, attempt) in attempts.sorted(by: { $0.value.number < $1.value.number }) {
            handle(.proceed, path, attempt.number)
        }
    }

    // MARK: Devices

    private func awaitDevice(
        _ path: String, _ peer: PeerID, _ deadline: MonotonicInstant, _ operation: String
    ) async throws(CentralError) {
        if let address = peer.address, !(await awaitEnd(of: address, path, until: deadline)) {
            throw Self.held(operation)
        }
        guard !Task.isCancelled, executor.now < deadline else { throw ConnectAttempt.timeout(peer) }
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
                        schedule(at: deadline) { $0.endDeviceWaits(false) { $0.number == number } }
                    }
                } onCancel: {
                    post { $0.endDeviceWaits(false) { $0.number == number } }
                }
            }
        searchCount -= 1
        // An error is ignored: discovery has ended in both cases, and `currentSession` below throws if the
        // session has ended.
        _ = await updateDiscovery()
        guard !isFound else { return }
        guard !Task.isCancelled else { throw ConnectAttempt.timeout(peer) }
        _ = try currentSession(operation)
        throw CentralError(.timedOut, "\(operation): expected an advertisement of it in time, BlueZ received none")
    }

    /// Resumes the attempts that wait for a device with the result `isFound`.
    func endDeviceWaits(_ isFound: Bool, where isMeant: (DeviceWaiter) -> Bool) {
        let ended = deviceWaiters.filter(isMeant)
        deviceWaiters.removeAll(where: isMeant)
        for waiter in ended { waiter.continuation.resume(returning: isFound) }
    }

    /// Handles a report of BlueZ that a device was connected or disconnected.
    func connectionChanged(_ path: String, isConnected: Bool) {
        if isConnected {
            guard connection(path: path) == nil else { return }
            // This central ignores the connections of other programs.
            guard attempts[path] != nil else { return endStray(path) }
            lastConnection += 1
            let connection = Connection(id: ConnectionID(rawValue: lastConnection), path: path)
            if let device = Device(tree, path) {
                connection.isResolved = device.hasResolvedServices
                connection.wasAuthenticated = device.isPaired && authenticatedDevices.contains(path)
                connection.security = device.security(isAuthenticated: connection.wasAuthenticated)
            }
            connections.append(connection)
            unsettled[path] = nil
            handle(.connected(connection.id), path)
        } else if let connection = connection(path: path) {
            handle(.linkEnded, path)
            if !connection.isResolved, connection.disconnectWaiters.isEmpty { unsettled[path] = executor.now }
            // bluetoothd may report a requested disconnection before the kernel does.
            let reason = takeReason(path) ?? (connection.disconnectWaiters.isEmpty ? nil : Self.endedHere)
            let why =
                reason.map { " with reason \(Hexadecimal.number($0, digits: 2, uppercase: true))" }
                ?? "; BlueZ does not report the reason"
            let isRefused = reason.map { $0 == Self.authenticationFailure } ?? !connection.isResolved
            let bond = isRefused && Device(tree, path)?.isPaired == true ? ConnectAttempt.bondRemark : nil
            ended(
                connection,
                CentralError(
                    .disconnected(reason: reason),
                    "connection \(connection.id.rawValue): it ended\(why)\(bond.map { "; \($0)" } ?? "")"),
                bond)
        } else {
            if unsettled[path] != nil {
                unsettled[path] = executor.now
                _ = takeReason(path)
            }
            handle(.proceed, path)
        }
    }
}
