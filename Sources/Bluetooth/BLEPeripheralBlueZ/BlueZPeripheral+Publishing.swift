import BLECentral
import BLECentralBlueZ
internal import BLECore
import BLEHost
public import BLEPeripheral
import BenchExecutor
internal import DBus

extension BlueZPeripheral {
    /// The path of the agent's object.
    static let agentPath = "/io/espbench/agent"

    /// Connects to the bus, chooses the adapter, powers it on, and registers an agent for pairings, the services and an
    /// advertisement; returns when bluetoothd advertises.
    ///
    /// - Throws: `CentralError` `unavailable` if the bus, the permission to use it, bluetoothd or the adapter is
    ///   missing; ``PeripheralError``: `invalidDefinition`, `unsupported`, `refused` by bluetoothd, e.g. because other
    ///   programs use all advertising sets of the adapter.
    public func publish(_ definition: PeripheralDefinition, _ handlers: PeripheralHandlers) async throws {
        try definition.checkForBackend()
        // Check the definition before changing anything.
        _ = try AdvertisementProperties.options(definition)
        await close()
        loss = nil
        number += 1
        let number = number
        let bus = try await openBus(number)
        let prepared: Publication
        do throws(CentralError) {
            prepared = try await prepare(bus, number, definition, handlers)
        } catch {
            bus.close()
            throw error
        }
        guard self.number == number else {
            bus.close()
            throw PeripheralError(.stopped, "publish: something else was published in the meantime")
        }
        publication = prepared
        do {
            try await register(definition)
        } catch {
            let error = loss ?? error
            await close()
            throw error
        }
        publication?.isComplete = true
    }

    private func openBus(_ number: Int) async throws(CentralError) -> DBusConnection {
        let handlers = DBusConnection.Handlers(
            signal: { [weak self] signal in
                self?.assumeIsolated { if $0.number == number { $0.received(signal) } }
            },
            call: { [weak self] call in
                self?.assumeIsolated { $0.publication?.number == number && $0.called(call) } ?? false
            },
            closed: { [weak self] error in
                self?.assumeIsolated { if $0.publication?.number == number { $0.lost(error.detail, .bus) } }
            })
        return try await AdapterAccess.open(address, on: executor, handlers: handlers, "publish")
    }

    private func prepare(
        _ bus: DBusConnection, _ number: Int, _ definition: PeripheralDefinition, _ handlers: PeripheralHandlers
    ) async throws(CentralError) -> Publication {
        let (owner, _) = try await AdapterAccess.objects(on: bus, at: address, "publish: ") { [weak self] objects in
            self?.assumeIsolated { if $0.number == number { $0.tree.replace(objects) } }
        }
        let adapter = try AdapterAccess.choose(adapterName, in: tree, "publish")
        let former = tree.paths(with: BlueZ.device, under: adapter + "/").filter { Device(tree, $0)?.isKept ?? false }
        let wasPairable = Adapter(tree, adapter)?.isPairable ?? true
        let wasPowered = try await AdapterAccess.powerOn(adapter, in: tree, on: bus, isAllowed: powersOn, "publish")
        return Publication(
            number: number, bus: bus, owner: owner, adapter: adapter, wasPowered: wasPowered, wasPairable: wasPairable,
            formerDevices: Set(former), handlers: handlers, objects: PublishedObjects(definition))
    }

    // MARK: Registering

    private func register(_ definition: PeripheralDefinition) async throws {
        guard let publication else { return }
        try checkManagers(publication.adapter)
        let capability = definition.security.ioCapability.agentWord ?? "NoInputNoOutput"
        try await call(
            "register the pairing agent", BlueZ.agentManagerPath, BlueZ.agentManager, "RegisterAgent",
            [.objectPath(Self.agentPath), .string(capability)])
        try await call(
            "register the pairing agent", BlueZ.agentManagerPath, BlueZ.agentManager, "RequestDefaultAgent",
            [.objectPath(Self.agentPath)])
        if definition.needsSecurity, !publication.wasPairable { try await setPairable(true) }
        // bluetoothd refuses an application without objects.
        if !definition.services.isEmpty {
            try await call(
                "register the services", publication.adapter, BlueZ.gattManager, "RegisterApplication",
                [.objectPath(PublishedObjects.root), .options([:])])
        }
        try await call(
            Self.advertisementOperation, publication.adapter, BlueZ.advertisingManager, "RegisterAdvertisement",
            [.objectPath(PublishedObjects.advertisement), .options([:])])
    }

    /// Checks that the adapter has the required interfaces and a free advertising set.
    private func checkManagers(_ adapter: String) throws(PeripheralError) {
        let name = BlueZCentral.name(adapter)
        for interface in [BlueZ.gattManager, BlueZ.advertisingManager]
        where tree.properties(adapter, interface) == nil {
            throw PeripheralError(
                .unsupported,
                "publish: the adapter \(name) can not be a peripheral: expected \(interface), bluetoothd has none for it"
            )
        }
        let properties = tree.properties(adapter, BlueZ.advertisingManager)
        if properties?["SupportedInstances"]?.integer == 0 {
            let used = properties?["ActiveInstances"]?.integer.map { " (\($0))" } ?? ""
            throw PeripheralError(
                .refused,
                "publish: expected a free advertising set of \(name), other programs use all\(used)")
        }
    }

    private func setPairable(_ isPairable: Bool) async throws {
        guard let publication else { return }
        do throws(DBusError) {
            try await AdapterAccess.set("Pairable", isPairable, of: publication.adapter, on: publication.bus)
        } catch {
            throw Self.failure(error, "let others pair")
        }
    }

    /// Calls a method of bluetoothd.
    private func call(
        _ operation: String, _ path: String, _ interface: String, _ method: String, _ body: [DBusValue]
    ) async throws {
        guard let publication else { throw PeripheralError(.stopped, "\(operation): it was withdrawn") }
        do throws(DBusError) {
            _ = try await publication.bus.call(DBusMessage(call: BlueZ.service, path, interface, method, body))
        } catch {
            throw Self.failure(error, operation)
        }
    }

    private static let advertisementOperation = "register the advertisement"

    private static func failure(_ error: DBusError, _ operation: String) -> any Error {
        if let absence = error.absence {
            return CentralError(.unavailable, "\(operation): \(error)", absence: absence)
        }
        let hint =
            operation == advertisementOperation
            ? "; the advertisement data and the name must fit into one packet" : ""
        return PeripheralError(.refused, "\(operation): \(error)\(hint)")
    }

    // MARK: The end

    /// Withdraws advertisement and services, disconnects the centrals that have used them, and restores the adapter.
    /// Removes the bonds made in the meantime, unless they are to be kept.
    public func close() async {
        guard let publication else { return }
        self.publication?.isComplete = false
        try? await call(
            "close", publication.adapter, BlueZ.advertisingManager, "UnregisterAdvertisement",
            [.objectPath(PublishedObjects.advertisement)])
        for path in tree.paths(with: BlueZ.device, under: publication.adapter + "/") {
            guard let device = Device(tree, path) else { continue }
            if !keepsBonds, device.isBonded, !publication.formerDevices.contains(path) {
                try? await call("close", publication.adapter, BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
            } else if device.isConnected, self.publication?.users.contains(path) == true {
                try? await call("close", path, BlueZ.device, "Disconnect", [])
            }
        }
        try? await call(
            "close", publication.adapter, BlueZ.gattManager, "UnregisterApplication",
            [.objectPath(PublishedObjects.root)])
        try? await call(
            "close", BlueZ.agentManagerPath, BlueZ.agentManager, "UnregisterAgent", [.objectPath(Self.agentPath)])
        if publication.objects.definition.needsSecurity, !publication.wasPairable {
            try? await setPairable(false)
        }
        guard self.publication?.number == publication.number else { return }
        // From here on, changes of the adapter's power are not reported as a loss.
        forget()
        if !publication.wasPowered {
            try? await AdapterAccess.set("Powered", false, of: publication.adapter, on: publication.bus)
        }
        publication.bus.close()
    }

    private func forget() {
        if let timer = publication?.indicationTimer { executor.cancel(timer) }
        publication = nil
    }

    /// The adapter, bluetoothd or the bus is no longer available.
    func lost(_ detail: String, _ absence: CentralAbsence?) {
        guard let publication else { return }
        let error = CentralError(.unavailable, detail, absence: absence)
        loss = error
        forget()
        // bluetoothd removes the registrations of a connection that ends.
        publication.bus.close()
        if publication.isComplete { publication.handlers.onEvent(.failed(error)) }
    }
}

extension PeripheralDefinition {
    /// True if an attribute needs an encrypted link.
    fileprivate var needsSecurity: Bool {
        services.flatMap(\.characteristics).contains { characteristic in
            characteristic.readNeeds != .none || characteristic.writeNeeds != .none
                || characteristic.descriptors.contains { $0.readNeeds != .none || $0.writeNeeds != .none }
        }
    }
}
