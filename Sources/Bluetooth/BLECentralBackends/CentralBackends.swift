public import BLECentral
import BLECentralCoreBluetooth
public import BLECore
import BLEH4
public import BLECentralHCI
public import BenchExecutor

#if canImport(BLECentralBlueZ)
    import BLECentralBlueZ
    import DBus
#endif

/// Opens the Bluetooth stack that an address names.
public enum CentralBackends {
    /// Opens the stack at `address`; ``BLECentral/CentralBackend/powerOn()`` must be called next.
    ///
    /// - Parameters:
    ///   - executor: in real time; the central's events are handled on it.
    ///   - identity: the static random address of the central, for espbench's own host; `nil`: the controller's public
    ///     one. Stacks of the system have their own.
    ///   - bonds: where espbench's own host stores its keys; stacks of the system have their own storage.
    ///   - systemBus: the address of the bus on which bluetoothd is, e.g. `unix:path=/run/bus`; `nil`: the system bus.
    ///   - keepsBonds: whether bluetoothd keeps new bonds and what it knows of new peers after
    ///     ``BLECentral/CentralBackend/close()``.
    /// - Throws: ``CentralOpenError``.
    public static func open(
        _ address: CentralAddress, on executor: BenchExecutor, identity: DeviceAddress? = nil,
        bonds: any BondStore = MemoryBondStore(), systemBus: String? = nil, keepsBonds: Bool = false
    ) async throws(CentralOpenError) -> any CentralBackend {
        switch address {
        case .h4(let place):
            let port = try await H4Port.open(place)
            return HCICentral(
                executor: executor, transport: H4Transport(port, on: executor), name: address.description,
                address: identity, bondStore: bonds)
        case .bluez(let adapter):
            #if canImport(BLECentralBlueZ)
                do throws(DBusError) {
                    let bus = if let systemBus { try DBusAddress(systemBus) } else { DBusAddress.system }
                    return BlueZCentral(
                        executor: executor, adapter: adapter, bus: bus, retention: keepsBonds ? .keep : .remove)
                } catch {
                    throw CentralOpenError(.notFound, address, error.detail)
                }
            #else
                throw CentralOpenError(.unsupported, address, "BlueZ exists on Linux only")
            #endif
        case .coreBluetooth:
            #if canImport(CoreBluetooth)
                return CoreBluetoothCentral()
            #else
                throw CentralOpenError(.unsupported, address, "CoreBluetooth exists on macOS only")
            #endif
        }
    }

    /// The adapters that a central at `address` would use: the one that it names, or its stack's default one.
    ///
    /// - Parameter systemBus: as for ``open(_:on:identity:bonds:systemBus:keepsBonds:)``.
    /// - Throws: ``CentralOpenError``, and ``CentralError`` when an adapter does not answer.
    public static func adapters(
        at address: CentralAddress, on executor: BenchExecutor, systemBus: String? = nil
    ) async throws -> [CentralAdapter] {
        let backend = try await open(address, on: executor, systemBus: systemBus)
        try await backend.powerOn()
        let adapter = await adapter(of: backend, at: address)
        await backend.close()
        return [adapter]
    }

    private static func adapter(of backend: any CentralBackend, at address: CentralAddress) async -> CentralAdapter {
        if let central = backend as? HCICentral, let adapter = await central.adapter(at: address) { return adapter }
        #if canImport(BLECentralBlueZ)
            if let central = backend as? BlueZCentral, let name = await central.adapter {
                return CentralAdapter(address: .bluez(adapter: name))
            }
        #endif
        return CentralAdapter(address: address)
    }
}
