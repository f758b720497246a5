public import BLECentral
public import BenchExecutor
public import DBus

extension BlueZCentral {
    /// The adapters of bluetoothd, in the order of their names; does not switch them on.
    ///
    /// - Throws: `unavailable` without a bus, the permission to use it, or bluetoothd.
    public static func adapters(
        on bus: DBusAddress = .system, executor: BenchExecutor
    ) async throws(CentralError) -> [CentralAdapter] {
        let connection: DBusConnection
        do throws(DBusError) {
            connection = try await DBusConnection.open(bus, on: executor)
        } catch {
            throw CentralError(.unavailable, "\(error)", absence: error.absence)
        }
        defer { connection.close() }
        var tree = ObjectTree()
        tree.replace(try await AdapterAccess.objects(on: connection, at: bus).objects)
        return tree.paths(with: BlueZ.adapter).compactMap { path in
            guard var adapter = Adapter(tree, path)?.central else { return nil }
            adapter.isBlocked = AdapterBlock.of(name(path)) != nil
            return adapter
        }
    }
}

extension DBusError {
    /// The part that is missing when BlueZ cannot be used because of this error.
    package var absence: CentralAbsence? {
        switch code {
        case .unreachable, .invalidAddress, .disconnected: .bus
        case .accessDenied, .remote("org.freedesktop.DBus.Error.AccessDenied"): .permission
        case .remote("org.freedesktop.DBus.Error.ServiceUnknown"),
            .remote("org.freedesktop.DBus.Error.NameHasNoOwner"), .remote("org.freedesktop.DBus.Error.NoReply"):
            .service
        case .remote(BlueZ.Fault.notReady): .power
        case .remote(BlueZ.Fault.blocked): .unblocked
        default: nil
        }
    }
}
