public import BLECentral
import BLECentralBackends
import BLEH4
public import BLEPeripheral
import BLEPeripheralCoreBluetooth
public import BenchExecutor

#if canImport(BLEPeripheralBlueZ)
    import BLEPeripheralBlueZ
    import DBus
#endif

/// Opens the Bluetooth stack that an address names, in the peripheral role.
public enum PeripheralBackends {
    /// Opens the stack at `address`; ``BLEPeripheral/PeripheralBackend/publish(_:_:)`` must be called next.
    ///
    /// - Parameters:
    ///   - address: an address in the form for centrals: `bluez`, `bluez:hci1`, `h4:HOST:PORT`, `h4:/dev/ttyACM0`,
    ///     `corebluetooth`.
    ///   - executor: an executor in real time; the handlers run on it.
    ///   - systemBus: the address of the bus on which bluetoothd is, e.g. `unix:path=/run/bus`; `nil`: the system bus.
    ///   - keepsBonds: true to let bluetoothd keep new bonds after ``BLEPeripheral/PeripheralBackend/close()``.
    ///   - powersOn: true to switch on an adapter that is off, until ``BLEPeripheral/PeripheralBackend/close()``; with
    ///     false, such an adapter is an error.
    /// - Throws: `CentralOpenError`.
    public static func open(
        _ address: CentralAddress, on executor: BenchExecutor, systemBus: String? = nil, keepsBonds: Bool = false,
        powersOn: Bool = true
    ) async throws(CentralOpenError) -> any PeripheralBackend {
        switch address {
        case .h4(let place):
            let port = try await H4Port.open(place)
            return HCIPeripheral(
                on: H4Transport(port, on: executor), executor: executor, name: address.description)
        case .bluez(let adapter):
            #if canImport(BLEPeripheralBlueZ)
                do throws(DBusError) {
                    return BlueZPeripheral(
                        executor: executor, adapter: adapter,
                        bus: try systemBus.map { text throws(DBusError) in try DBusAddress(text) } ?? .system,
                        keepsBonds: keepsBonds, powersOn: powersOn)
                } catch {
                    throw CentralOpenError(.notFound, address, error.detail)
                }
            #else
                throw CentralOpenError(.unsupported, address, "BlueZ exists on Linux only")
            #endif
        case .coreBluetooth:
            #if canImport(CoreBluetooth)
                return CoreBluetoothPeripheral(executor: executor)
            #else
                throw CentralOpenError(.unsupported, address, "CoreBluetooth exists on macOS only")
            #endif
        }
    }
}

/// Opens the Bluetooth stack at an address in the peripheral role while `body` runs, in real time, on a separate
/// thread. Withdraws the published peripheral when `body` ends in any way.
///
/// - Parameters:
///   - address: as for ``PeripheralBackends/open(_:on:systemBus:keepsBonds:powersOn:)``.
/// - Throws: `CentralAddressError`, `CentralOpenError`, and the errors of `body`.
public nonisolated(nonsending) func withPeripheral<Result: Sendable>(
    _ address: String, _ body: @escaping @Sendable (any PeripheralBackend, BenchExecutor) async throws -> Result
) async throws -> Result {
    let executor = BenchExecutor(pace: .real)
    let address = try CentralAddress(address)
    return try await executor.runOnThread {
        let backend = try await PeripheralBackends.open(address, on: executor)
        do {
            let result = try await body(backend, executor)
            await backend.close()
            return result
        } catch {
            await backend.close()
            throw error
        }
    }
}
