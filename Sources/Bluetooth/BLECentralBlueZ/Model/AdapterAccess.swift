package import BLECentral
package import BenchExecutor
package import DBus

/// The preparations of an adapter that both roles need.
package enum AdapterAccess {
    /// The match rules for bluetoothd's signals: its exit from the bus, its objects, and changes of adapters and
    /// devices.
    package static let matches: [DBusMatch] =
        [
            DBusMatch(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                argument0: BlueZ.service), DBusMatch(sender: BlueZ.service, interface: BlueZ.objectManager),
        ]
        + [BlueZ.adapter, BlueZ.device].map {
            DBusMatch(
                sender: BlueZ.service, interface: BlueZ.properties, member: "PropertiesChanged", argument0: $0)
        }

    package static let managedObjects = DBusMessage(
        call: BlueZ.service, BlueZ.root, BlueZ.objectManager, "GetManagedObjects")

    /// Connects to the bus, with ``matches``.
    ///
    /// - Throws: `unavailable`; its detail begins with `operation`.
    package nonisolated(nonsending) static func open(
        _ address: DBusAddress, on executor: BenchExecutor, handlers: DBusConnection.Handlers, _ operation: String
    ) async throws(CentralError) -> DBusConnection {
        do throws(DBusError) {
            let bus = try await DBusConnection.open(address, on: executor, handlers: handlers)
            // Added before the objects are read, so that no change is missed.
            for match in matches { try await bus.addMatch(match) }
            return bus
        } catch {
            throw CentralError(.unavailable, "\(operation): \(error)", absence: error.absence)
        }
    }

    /// The unique name of bluetoothd on `bus`, and its objects; errors begin with `prefix`.
    ///
    /// - Parameter receive: called with the objects, on the executor, before the signals that follow them are handled;
    ///   such signals may be handled before this function returns.
    package nonisolated(nonsending) static func objects(
        on bus: DBusConnection, at address: DBusAddress, _ prefix: String = "",
        _ receive: @escaping @Sendable (DBusValue) -> Void = { _ in }
    ) async throws(CentralError) -> (owner: String, objects: DBusValue) {
        let (owner, objects): (String?, DBusValue?)
        do throws(DBusError) {
            owner = try await bus.owner(of: BlueZ.service)
            objects = owner == nil ? nil : try await readObjects(of: bus, receive)
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

    private nonisolated(nonsending) static func readObjects(
        of bus: DBusConnection, _ receive: @escaping @Sendable (DBusValue) -> Void
    ) async throws(DBusError) -> DBusValue {
        let reply: Result<DBusValue, DBusError> = await withCheckedContinuation { continuation in
            bus.call(managedObjects) { reply in
                let objects: Result<DBusValue, DBusError> = reply.map { $0.first ?? .boolean(false) }
                if case .success(let objects) = objects { receive(objects) }
                continuation.resume(returning: objects)
            }
        }
        return try reply.get()
    }

    /// The path of the adapter `name`; without a name, the path of the first powered adapter, or else of the first
    /// adapter.
    package static func choose(
        _ name: String?, in tree: ObjectTree, _ operation: String
    ) throws(CentralError) -> String {
        let adapters = tree.paths(with: BlueZ.adapter)
        if let name {
            if let path = adapters.first(where: { BlueZCentral.name($0) == name }) { return path }
            let names = adapters.isEmpty ? "none" : adapters.map(BlueZCentral.name).joined(separator: ", ")
            throw CentralError(
                .unavailable, "\(operation): expected the adapter \(name), bluetoothd has \(names)",
                absence: .adapter)
        }
        guard let adapter = adapters.first(where: { Adapter(tree, $0)?.isPowered == true }) ?? adapters.first else {
            throw CentralError(
                .unavailable, "\(operation): expected a Bluetooth adapter, bluetoothd has none", absence: .adapter)
        }
        return adapter
    }

    /// Powers an adapter on if it is off; returns whether it was on.
    package nonisolated(nonsending) static func powerOn(
        _ adapter: String, in tree: ObjectTree, on bus: DBusConnection, isAllowed: Bool, _ operation: String
    ) async throws(CentralError) -> Bool {
        if Adapter(tree, adapter)?.isPowered ?? false { return true }
        let name = BlueZCentral.name(adapter)
        if let block = AdapterBlock.of(name) {
            throw CentralError(
                .unavailable, "\(operation): the adapter \(name) is \(block)", absence: .unblocked)
        }
        guard isAllowed else {
            throw CentralError(.unavailable, "the adapter \(name) is switched off", absence: .power)
        }
        do throws(DBusError) {
            try await set("Powered", true, of: adapter, on: bus)
        } catch {
            throw CentralError(
                .unavailable, "\(operation): bluetoothd could not power on \(name): \(error)", absence: error.absence)
        }
        return false
    }

    /// Sets a property of an adapter.
    package nonisolated(nonsending) static func set(
        _ property: String, _ value: Bool, of adapter: String, on bus: DBusConnection
    ) async throws(DBusError) {
        _ = try await bus.call(
            DBusMessage(
                call: BlueZ.service, adapter, BlueZ.properties, "Set",
                [.string(BlueZ.adapter), .string(property), .variant(.boolean(value))]))
    }
}
