public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus

extension BlueZCentral {
    /// The state that ``BlueZCentral/powerOn()`` has set up.
    struct Session {
        let number: Int
        let bus: DBusConnection
        /// The unique name of bluetoothd.
        let owner: String
        /// The path of the adapter.
        let adapter: String
        /// The kernel's index of the adapter: 0 for hci0.
        var controller: UInt16? { UInt16(BlueZCentral.name(adapter).dropFirst(3)) }
        /// True if the adapter was powered on before.
        let wasPowered: Bool
        /// The devices that were bonded, trusted, blocked or connected before.
        let formerDevices: Set<String>
    }

    /// The path of the agent's object.
    static let agentPath = "/io/espbench/agent"

    /// Connects to the bus, chooses the adapter, powers it on, and registers an agent for pairings. Does nothing if the
    /// central is powered on. Call it again after bluetoothd or the adapter was lost.
    ///
    /// - Throws: `unavailable` without a bus, the permission to use it, bluetoothd or the adapter, or if the adapter
    ///   cannot be powered on.
    public func powerOn() async throws(CentralError) {
        while powerWaiters != nil { await withCheckedContinuation { powerWaiters?.append($0) } }
        guard session == nil else { return }
        powerWaiters = []
        defer {
            for waiter in powerWaiters ?? [] { waiter.resume() }
            powerWaiters = nil
        }
        loss = nil
        sessionNumber += 1
        let bus = try await openBus(sessionNumber)
        do throws(CentralError) {
            session = try await prepare(bus, sessionNumber)
            watchManagement()
            try await registerAgent()
        } catch {
            session = nil
            unwatchManagement()
            bus.close()
            throw error
        }
    }

    private func openBus(_ number: Int) async throws(CentralError) -> DBusConnection {
        let handlers = DBusConnection.Handlers(
            signal: { [weak self] signal in
                self?.assumeIsolated { if $0.sessionNumber == number { $0.received(signal) } }
            },
            call: { [weak self] call in
                self?.assumeIsolated { $0.sessionNumber == number && $0.agentCalled(call) } ?? false
            },
            closed: { [weak self] error in
                self?.assumeIsolated { if $0.session?.number == number { $0.lost(error.detail, .bus) } }
            })
        return try await AdapterAccess.open(address, on: executor, handlers: handlers, "power on")
    }

    private func prepare(_ bus: DBusConnection, _ number: Int) async throws(CentralError) -> Session {
        let (owner, _) = try await AdapterAccess.objects(on: bus, at: address, "power on: ") { [weak self] objects in
            self?.assumeIsolated { if $0.sessionNumber == number { $0.tree.replace(objects) } }
        }
        let adapter = try AdapterAccess.choose(adapterName, in: tree, "power on")
        let former = tree.paths(with: BlueZ.device, under: adapter + "/").filter {
            Device(tree, $0)?.isKept ?? false
        }
        let wasPowered = try await AdapterAccess.powerOn(adapter, in: tree, on: bus, isAllowed: powersOn, "power on")
        return Session(
            number: number, bus: bus, owner: owner, adapter: adapter, wasPowered: wasPowered,
            formerDevices: Set(former))
    }

    // MARK: The end

    /// Ends connections, scanning and pairing, and restores the adapter's power. Unless bonds are kept, removes the
    /// peers to which this central has connected, except those that were bonded, trusted, blocked or connected before:
    /// their discovered services would be outdated after the peer gets another firmware. ``powerOn()`` may follow.
    public func close() async {
        guard let session else { return }
        let error = CentralError(.invalidState, "connect: the central was closed")
        // bluetoothd would continue to connect without this client.
        for path in attempts.keys.sorted() { handle(.cancelled(error), path) }
        for connection in connections { try? await disconnect(connection.id) }
        try? await stopScanning()
        _ = try? await call(
            "close", BlueZ.agentManagerPath, BlueZ.agentManager, "UnregisterAgent", [.objectPath(Self.agentPath)])
        for path in unsettled.keys.sorted() { await settle(path) }
        if !keepsBonds {
            for path in newDevices(session) {
                _ = try? await call("close", session.adapter, BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
            }
        }
        guard self.session?.number == session.number else { return }
        // From here on a change of the adapter's power is not a loss of the session.
        self.session = nil
        unwatchManagement()
        connectability = ConnectabilityReports()
        endPacketObservation()
        // Closing the bus connection ends the discovery, which a pending attempt may need.
        (isScanning, isDiscovering) = (false, false)
        endAttempts(error)
        if !session.wasPowered {
            try? await AdapterAccess.set("Powered", false, of: session.adapter, on: session.bus)
        }
        session.bus.close()
    }

    /// The devices that bluetoothd did not know before, and that are bonded or were connected by this central.
    private func newDevices(_ session: Session) -> [String] {
        tree.paths(with: BlueZ.device, under: session.adapter + "/").filter { path in
            guard !session.formerDevices.contains(path), let device = Device(tree, path) else { return false }
            return device.isPaired || usedDevices.contains(path)
        }
    }

    private func endAttempts(_ error: CentralError) {
        unsettled = [:]
        for path in attempts.keys.sorted() { finish(path, .failure(error)) }
        endDeviceWaits(false) { _ in true }
    }

    /// Fails everything: the adapter, bluetoothd or the bus is gone.
    func lost(_ detail: String, _ absence: CentralAbsence) {
        guard let session else { return }
        let error = CentralError(.unavailable, detail, absence: absence)
        loss = error
        self.session = nil
        unwatchManagement()
        connectability = ConnectabilityReports()
        reporter = nil
        (isScanning, isDiscovering) = (false, false)
        pairingCalls = [:]
        endAttempts(error)
        for connection in connections { ended(connection, error) }
        events.post(.failed(error))
        session.bus.close()
    }
}
