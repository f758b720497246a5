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
    ///   - executor: runs in real time; the central's events are handled on it.
    ///   - identity: the static random address of the central, for espbench's own host; `nil`: the controller's public
    ///     address. Stacks of the system have their own address.
    ///   - bonds: where espbench's own host stores its keys; stacks of the system have their own storage.
    ///   - systemBus: the address of bluetoothd's bus, e.g. `unix:path=/run/bus`; `nil`: the system bus.
    ///   - keepsBonds: whether bluetoothd keeps new bonds and its data about new peers after
    ///     ``BLECentral/CentralBackend/close()``.
    ///   - powersOn: true to switch on a powered-off adapter of bluetoothd until ``BLECentral/CentralBackend/close()``;
    ///     otherwise such an adapter is an error.
    /// - Throws: ``CentralOpenError``.
    public static func open(
        _ address: CentralAddress, on executor: BenchExecutor, identity: DeviceAddress? = nil,
        bonds: any BondStore = MemoryBondStore(), systemBus: String? = nil, keepsBonds: Bool = false,
        powersOn: Bool = true
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
                    return BlueZCentral(
                        executor: executor, adapter: adapter, bus: try bus(systemBus),
                        keepsBonds: keepsBonds, powersOn: powersOn)
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

    /// The adapters of the operating system's stack; does not switch them on. CoreBluetooth hides its adapters, and
    /// counts as one adapter.
    ///
    /// - Parameter systemBus: as for ``open(_:on:identity:bonds:systemBus:keepsBonds:powersOn:)``.
    /// - Throws: ``CentralError`` `unavailable` where the stack does not run or may not be used.
    public static func systemAdapters(
        on executor: BenchExecutor, systemBus: String? = nil
    ) async throws -> [CentralAdapter] {
        #if canImport(BLECentralBlueZ)
            return try await BlueZCentral.adapters(on: try bus(systemBus), executor: executor)
        #elseif canImport(CoreBluetooth)
            return [CentralAdapter(address: .coreBluetooth)]
        #else
            return []
        #endif
    }

    /// The adapters at `address`: the named adapter, or all adapters of its stack.
    ///
    /// - Parameter systemBus: as for ``open(_:on:identity:bonds:systemBus:keepsBonds:powersOn:)``.
    /// - Throws: ``CentralOpenError``, and ``CentralError`` when the stack or adapter is absent or does not answer.
    public static func adapters(
        at address: CentralAddress, on executor: BenchExecutor, systemBus: String? = nil
    ) async throws -> [CentralAdapter] {
        switch address {
        case .h4:
            let backend = try await open(address, on: executor, systemBus: systemBus)
            try await backend.powerOn()
            let adapter = await (backend as? HCICentral)?.adapter(at: address)
            await backend.close()
            return [adapter ?? CentralAdapter(address: address)]
        case .bluez(let name):
            // Throws if this system has no BlueZ or the bus address is invalid.
            _ = try await open(address, on: executor, systemBus: systemBus)
            let adapters = try await systemAdapters(on: executor, systemBus: systemBus)
            guard let name else { return adapters }
            let wanted = adapters.filter { $0.address == address }
            guard !wanted.isEmpty else {
                let names = adapters.isEmpty ? "none" : adapters.map { "\($0.address)" }.joined(separator: ", ")
                throw CentralError(
                    .unavailable, "list adapters: expected the adapter \(name), there is \(names)", absence: .adapter)
            }
            return wanted
        case .coreBluetooth:
            _ = try await open(address, on: executor)
            return [CentralAdapter(address: address)]
        }
    }

    #if canImport(BLECentralBlueZ)
        private static func bus(_ address: String?) throws(DBusError) -> DBusAddress {
            if let address { return try DBusAddress(address) }
            return .system
        }
    #endif
}
