public import BLECentral
public import BLECentralHCI
import BenchExecutor

/// Opens the Bluetooth stack at an address while `body` runs, in real time, on its own thread.
///
/// The central is powered on before `body`, and closed after it: when `body` returns or throws, or the calling task is
/// cancelled.
///
/// - Parameters:
///   - address: `bluez`, `bluez:hci1`, `h4:HOST:PORT`, `h4:/dev/ttyACM0`, `corebluetooth`.
///   - bonds: where espbench's own host (`h4:`) stores its keys; stacks of the system have their own storage.
/// - Throws: ``BLECentral/CentralAddressError``, ``BLECentral/CentralOpenError``, ``BLECentral/CentralError``, and what `body`
///   throws.
public nonisolated(nonsending) func withCentral<Result: Sendable>(
    _ address: String, bonds: any BondStore = MemoryBondStore(),
    _ body: @escaping @Sendable (Central) async throws -> Result
) async throws -> Result {
    let executor = BenchExecutor(pace: .real)
    let address = try CentralAddress(address)
    return try await executor.runOnThread {
        let backend = try await CentralBackends.open(address, on: executor, bonds: bonds)
        let central = Central(backend, on: executor)
        do {
            try await central.powerOn()
            let result = try await body(central)
            await central.close()
            return result
        } catch {
            await central.close()
            throw error
        }
    }
}
