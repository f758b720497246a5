public import BLECentral
import BLECore
import BenchExecutor
import DBus

extension BlueZCentral {
    /// What ``BlueZCentral/powerOn()`` has set up.
    struct Session {
        let number: Int
        let bus: DBusConnection
        /// The unique name of bluetoothd.
        let owner: String
        /// The path of the adapter.
        let adapter: String
        /// Whether the adapter was powered on before.
        let wasPowered: Bool
        /// The devices that were bonded, trusted, blocked or connected before.
        let formerDevices: Set<String>
    }

    /// The path of the agent's object.
    static let agentPath = "/io/espbench/agent"

    /// Connects to the bus, chooses the adapter, powers it on, and registers an agent for pairings. Does nothing if
    /// that has been done. After bluetoothd or the adapter was lost it begins anew.
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
        do throws(DBusError) {
            let bus = try await DBusConnection.open(address, on: executor, handlers: handlers)
            // Before the objects are read, so that no change is missed.
            try await bus.addMatch(
                DBusMatch(
                    sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                    argument0: BlueZ.service))
            try await bus.addMatch(DBusMatch(sender: BlueZ.service, interface: BlueZ.objectManager))
            for interface in [BlueZ.adapter, BlueZ.device] {
                try await bus.addMatch(
                    DBusMatch(
                        sender: BlueZ.service, interface: BlueZ.properties, member: "PropertiesChanged",
                        argument0: interface))
            }
            return bus
        } catch {
            throw CentralError(.unavailable, "power on: \(error)", absence: error.absence)
        }
    }

    private func prepare(_ bus: DBusConnection, _ number: Int) async throws(CentralError) -> Session {
        let (owner, objects) = try await Self.objects(on: bus, at: address, "power on: ")
        tree.replace(objects)
        let adapter = try chooseAdapter()
        let former = tree.paths(with: BlueZ.device, under: adapter + "/").filter {
            Device(tree, $0)?.isKept ?? false
        }
        let wasPowered = Adapter(tree, adapter)?.isPowered ?? false
        if !wasPowered {
            if let block = AdapterBlock.of(Self.name(adapter)) {
                throw CentralError(
                    .unavailable, "power on: the adapter \(Self.name(adapter)) is \(block)", absence: .unblocked)
            }
            guard powersOn else {
                throw CentralError(
                    .unavailable, "the adapter \(Self.name(adapter)) is switched off", absence: .power)
            }
            try await power(true, adapter, bus)
        }
        return Session(
            number: number, bus: bus, owner: owner, adapter: adapter, wasPowered: wasPowered,
            formerDevices: Set(former))
    }

    static let managedObjects = DBusMessage(
        call: BlueZ.service, BlueZ.root, BlueZ.objectManager, "GetManagedObjects")

    /// The unique name of bluetoothd on `bus`, and its objects; errors begin with `prefix`.
    static func objects(
        on bus: DBusConnection, at address: DBusAddress, _ prefix: String = ""
    ) async throws(CentralError) -> (owner: String, objects: DBusValue) {
        let (owner, objects): (String?, DBusValue?)
        do throws(DBusError) {
            owner = try await bus.owner(of: BlueZ.service)
            objects = owner == nil ? nil : try await bus.call(managedObjects).first
        } catch {
            throw CentralError(.unavailable, "\(prefix)\(error)", absence: error.absence)
        }
        guard let owner else {
            throw CentralError(
                .unavailable, "\(prefix)bluetoothd is not running: expected \(BlueZ.service) on the bus \(address)",
                absence: .service)
        }
        return (owner, objects ?? .boolean(false))
    }

    private func chooseAdapter() throws(CentralError) -> String {
        let adapters = tree.paths(with: BlueZ.adapter)
        if let adapterName {
            if let path = adapters.first(where: { Self.name($0) == adapterName }) { return path }
            let names = adapters.isEmpty ? "none" : adapters.map(Self.name).joined(separator: ", ")
            throw CentralError(
                .unavailable, "power on: expected the adapter \(adapterName), bluetoothd has \(names)",
                absence: .adapter)
        }
        guard let adapter = adapters.first(where: { Adapter(tree, $0)?.isPowered == true }) ?? adapters.first else {
            throw CentralError(
                .unavailable, "power on: expected a Bluetooth adapter, bluetoothd has none", absence: .adapter)
        }
        return adapter
    }

    private func power(_ isOn: Bool, _ adapter: String, _ bus: DBusConnection) async throws(CentralError) {
        do throws(DBusError) {
            _ = try await bus.call(
                DBusMessage(
                    call: BlueZ.service, adapter, BlueZ.properties, "Set",
                    [.string(BlueZ.adapter), .string("Powered"), .variant(.boolean(isOn))]))
        } catch {
            throw CentralError(
                .unavailable, "power on: bluetoothd could not power on \(Self.name(adapter)): \(error)",
                absence: error.absence)
        }
    }

    // MARK: The end

    /// Ends connections, scanning and pairing, restores the adapter's power, and, with ``Retention/remove``, removes
    /// what it knows of the peers that this central has connected to, unless they were bonded, trusted, blocked or
    /// connected before: services that were discovered would be outdated after the peer gets another program.
    /// ``powerOn()`` may follow.
    public func close() async {
        guard let session else { return }
        for connection in connections { try? await disconnect(connection.id) }
        try? await stopScanning()
        _ = try? await call(
            "close", BlueZ.agentManagerPath, BlueZ.agentManager, "UnregisterAgent", [.objectPath(Self.agentPath)])
        if retention == .remove {
            for path in newDevices(session) {
                _ = try? await call("close", session.adapter, BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
            }
        }
        guard self.session?.number == session.number else { return }
        // Nothing is lost when the adapter's power changes now.
        self.session = nil
        unwatchManagement()
        endPacketObservation()
        if !session.wasPowered { try? await power(false, session.adapter, session.bus) }
        session.bus.close()
    }

    /// The devices that are not those of before: bonded, or known because of a connection of this central.
    private func newDevices(_ session: Session) -> [String] {
        tree.paths(with: BlueZ.device, under: session.adapter + "/").filter { path in
            guard !session.formerDevices.contains(path), let device = Device(tree, path) else { return false }
            return device.isPaired || usedDevices.contains(path)
        }
    }

    /// Fails everything: the adapter, bluetoothd or the bus is gone.
    func lost(_ detail: String, _ absence: CentralAbsence) {
        guard let session else { return }
        let error = CentralError(.unavailable, detail, absence: absence)
        loss = error
        self.session = nil
        unwatchManagement()
        reporter = nil
        isDiscovering = false
        pairingCalls = [:]
        for attempt in attempts.values.sorted(by: { $0.path < $1.path }) { end(attempt, .failure(error)) }
        for waiter in deviceWaiters { waiter.continuation.resume(returning: false) }
        deviceWaiters = []
        for connection in connections { ended(connection, error) }
        session.bus.close()
    }
}
