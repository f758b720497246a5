public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

/// The ends of connections: those that are asked for, those that the kernel does not make, and those of connections that
/// nobody has asked for.
extension BlueZCentral {
    /// How long BlueZ may take to cancel a connection, or to end one: it waits 2 s by itself.
    static let endTimeout = Duration.seconds(15)
    /// Connection Terminated by Local Host (Core 5.4, Vol 1 Part F 2.22).
    static let endedHere: UInt8 = 0x16
    /// How often the kernel is asked whether a connection has ended; it reports that to administrators only.
    private static let endInterval = Duration.milliseconds(10)
    /// How long the kernel may take to end a connection. It ends those of a bluetoothd that has ended after 2 s.
    private static let kernelTime = Duration.seconds(3)
    /// How long after the end of a connection bluetoothd may take to connect to the peer by itself, and how long it may go
    /// on with that.
    private static let quietTime = Duration.seconds(1)
    private static let settlingTime = Duration.seconds(10)
    /// How long after it bluetoothd may still come to a connection by itself: it gives up after 40 s.
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
            // The change of the property Connected comes before or after the answer.
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

    /// The connection that the kernel has to a device of which bluetoothd says that it has none.
    func held(_ address: DeviceAddress, _ path: String) -> KernelConnections.Connection? {
        guard let session, let index = session.controller,
            let connection = KernelConnections.connection(to: address, on: index)
        else { return nil }
        // That of a device with a private address is at the path of that, and has the address of its identity.
        let isKnown = tree.paths(with: BlueZ.device, under: session.adapter + "/").contains {
            guard let device = Device(tree, $0), device.isConnected else { return false }
            return $0 == path || device.address == address
        }
        return isKnown ? nil : connection
    }

    /// Waits until a connection of which bluetoothd has reported the end has really ended, and ends it if the kernel does
    /// not; returns whether it has ended, or is ending, or the time is over.
    ///
    /// Linux 6.1 keeps in one place both the command whose end it waits for and that which it has sent last. What
    /// it sends for one link (after its encryption, for example) while it makes another one has it wait for that in vain
    /// (`hci_le_create_conn_sync`); 4 s later it cancels it, and from then on takes the link, which works, as one that it
    /// has ended (`HCI_CONN_CANCEL`). Its peer stays connected, and is not heard.
    func awaitEnd(of address: DeviceAddress, _ path: String, until limit: MonotonicInstant? = nil) async -> Bool {
        for wasEndedHere in [false, true] {
            let deadline = executor.now.advanced(by: Self.kernelTime)
            while executor.now < deadline {
                guard held(address, path) != nil else { return true }
                if let limit, executor.now >= limit { return true }
                await pause(until: executor.now.advanced(by: Self.endInterval))
            }
            // Earlier messages of bluetoothd about it are handled before the answer.
            if let session { _ = try? await call("end", session.adapter, BlueZ.peer, "Ping") }
            guard let held = held(address, path), !held.isEnding else { return true }
            guard !wasEndedHere, let index = session?.controller, KernelConnections.end(held.handle, on: index)
            else { break }
        }
        return false
    }

    /// Waits, also in a task that was cancelled: it must not go on before.
    private func pause(until instant: MonotonicInstant) async {
        await withCheckedContinuation { continuation in
            executor.schedule(at: instant) { continuation.resume() }
        }
    }

    // MARK: Connections that nobody has asked for

    /// Waits until bluetoothd does not connect to a device by itself any more.
    ///
    /// bluetoothd (5.66) that cannot use the link to which Connect has led, since it has ended already, makes another one
    /// (`att_connect_cb`, `device_browse_gatt`), of which nobody knows, and perhaps another one after that. To remove the
    /// device would cancel that. If it is being made in this moment, Linux 6.1 forgets it, and the controller keeps it
    /// until it is reset (`le_conn_complete_evt`): its peer would be connected, and not heard.
    func settle(_ path: String) async {
        let limit = executor.now.advanced(by: Self.settlingTime)
        while let last = unsettled[path], executor.now < limit {
            let end = last.advanced(by: Self.quietTime)
            let isConnected = Device(tree, path)?.isConnected == true
            guard isConnected || executor.now < end else { break }
            let next = isConnected ? executor.now.advanced(by: Self.endInterval) : end
            await pause(until: min(next, limit))
        }
        unsettled[path] = nil
    }

    /// Ends a connection that bluetoothd has made by itself. Later ones are those of other programs.
    func endStray(_ path: String) {
        guard let last = unsettled[path] else { return }
        guard executor.now < last.advanced(by: Self.strayTime) else {
            unsettled[path] = nil
            return
        }
        send(path, BlueZ.device, "Disconnect", within: Self.endTimeout)
    }
}
