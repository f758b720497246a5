public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

/// Disconnecting: on request, after the kernel fails to end a connection, and for unrequested connections of
/// bluetoothd.
extension BlueZCentral {
    /// How long BlueZ may take to cancel or end a connection; its own delay is 2 s.
    static let endTimeout = Duration.seconds(15)
    /// Connection Terminated by Local Host (Core 5.4, Vol 1 Part F 2.22).
    static let endedHere: UInt8 = 0x16
    /// The interval of asking the kernel whether a connection has ended; the kernel sends events to administrators
    /// only.
    private static let endInterval = Duration.milliseconds(10)
    /// How long the kernel may take to end a connection. If bluetoothd exits, the kernel ends its connections after 2
    /// s.
    private static let kernelTime = Duration.seconds(3)
    /// How long after the end of a connection bluetoothd may start an unrequested connection to the peer, and how long
    /// such attempts may continue.
    private static let quietTime = Duration.seconds(1)
    private static let settlingTime = Duration.seconds(10)
    /// How long after the end bluetoothd may still establish an unrequested connection: it gives up after 40 s.
    private static let strayTime = Duration.seconds(45)

    /// Ends a connection; returns when it has ended, which BlueZ delays by 2 s.
    ///
    /// - Throws: `invalidState` if the kernel does not end it, as Linux 6.1 may not.
    public func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        let connection = try self.connection(connection)
        let operation = "disconnect \(connection.id.rawValue)"
        _ = try currentSession(operation)
        let path = connection.path
        send(path, BlueZ.device, "Disconnect", within: Self.endTimeout) { central, reply in
            // The property Connected changes before or after the answer.
            guard case .failure(let error) = reply, let connection = central.connection(path: path) else { return }
            let waiters = connection.disconnectWaiters
            connection.disconnectWaiters = []
            for waiter in waiters { waiter.resume(returning: CentralError(error, operation)) }
        }
        let error = await withCheckedContinuation { connection.disconnectWaiters.append($0) }
        if let error { throw error }
        guard let address = Device(tree, path)?.address else { return }
        guard await awaitEnd(of: address, path) else { throw Self.held(operation) }
    }

    // MARK: The kernel's connections

    /// The error of a connection that the kernel does not end.
    static func held(_ operation: String) -> CentralError {
        CentralError(
            .invalidState,
            "\(operation): the kernel keeps the connection that bluetoothd has ended (a fault of Linux 6.1): expected it "
                + "to end; switch the adapter off and on, or run this program with CAP_NET_RAW, so that it can end it")
    }

    /// The kernel's connection to a device that bluetoothd reports as disconnected.
    func held(_ address: DeviceAddress, _ path: String) -> KernelConnections.Connection? {
        guard let session, let index = session.controller,
            let connection = KernelConnections.connection(to: address, on: index), connection.state != .connecting
        else { return nil }
        // The path of a device with a private address contains that address, but its address property is the identity
        // address.
        let isKnown = tree.paths(with: BlueZ.device, under: session.adapter + "/").contains {
            guard let device = Device(tree, $0), device.isConnected else { return false }
            return $0 == path || device.address == address
        }
        return isKnown ? nil : connection
    }

    /// Waits until the kernel has ended a connection that bluetoothd has reported as ended, and ends it if the kernel
    /// does not. Returns true if the connection has ended or is ending, or `limit` has passed.
    ///
    /// Linux 6.1 has one variable for the command whose completion it awaits and for the command that it sent last. If
    /// it sends a command for one link (e.g. after its encryption) while it creates another link, it misses the
    /// completion (`hci_le_create_conn_sync`); 4 s later it cancels the attempt, and from then on treats the new link,
    /// which works, as ended (`HCI_CONN_CANCEL`). The peer stays connected, but its packets are ignored.
    func awaitEnd(of address: DeviceAddress, _ path: String, until limit: MonotonicInstant? = nil) async -> Bool {
        for wasEndedHere in [false, true] {
            let deadline = executor.now.advanced(by: Self.kernelTime)
            while executor.now < deadline {
                guard held(address, path) != nil else { return true }
                if let limit, executor.now >= limit { return true }
                await pause(until: executor.now.advanced(by: Self.endInterval))
            }
            // Earlier messages of bluetoothd about the connection are handled before the answer.
            if let session { _ = try? await call("end", session.adapter, BlueZ.peer, "Ping") }
            guard let held = held(address, path), held.state != .ending else { return true }
            guard !wasEndedHere, let index = session?.controller, KernelConnections.end(held.handle, on: index)
            else { break }
        }
        return false
    }

    /// Waits until `instant`, even in a cancelled task, which must not continue earlier.
    private func pause(until instant: MonotonicInstant) async {
        await withCheckedContinuation { continuation in
            executor.schedule(at: instant) { continuation.resume() }
        }
    }

    // MARK: Unrequested connections

    /// Waits until bluetoothd makes no further unrequested connections to a device.
    ///
    /// If the link made by Connect has ended before bluetoothd (5.66) uses it, bluetoothd makes another one
    /// (`att_connect_cb`, `device_browse_gatt`) without reporting it, and perhaps a further one after that. Removing
    /// the device would cancel such a connection attempt. If the link is created at this moment, Linux 6.1 forgets it,
    /// and the controller keeps it until its reset (`le_conn_complete_evt`): the peer would stay connected, and its
    /// packets would be ignored.
    func settle(_ path: String) async {
        let limit = executor.now.advanced(by: Self.settlingTime)
        while unsettled[path] != nil, executor.now < limit {
            let device = Device(tree, path)
            // On a busy machine one connection may take bluetoothd and the kernel longer than ``quietTime``.
            if device?.isConnected == true || isInKernel(device) { unsettled[path] = executor.now }
            guard let last = unsettled[path], executor.now < last.advanced(by: Self.quietTime) else { break }
            await pause(until: min(executor.now.advanced(by: Self.endInterval), limit))
        }
        unsettled[path] = nil
    }

    /// True while the kernel has, or tries to make, a connection to a device.
    private func isInKernel(_ device: Device?) -> Bool {
        guard let device, let index = session?.controller else { return false }
        return KernelConnections.connection(to: device.address, on: index) != nil
    }

    /// Ends an unrequested connection of bluetoothd. Connections after ``strayTime`` are those of other programs.
    func endStray(_ path: String) {
        guard let last = unsettled[path] else { return }
        guard executor.now < last.advanced(by: Self.strayTime) else {
            unsettled[path] = nil
            return
        }
        send(path, BlueZ.device, "Disconnect", within: Self.endTimeout)
    }
}
