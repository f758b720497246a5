import BLECentral
import BLECentralHCI
import BLECore
import BLEDescriptions
import BLEPeripheral
import BLERadio
import BLESimulation
import BenchExecutor
import MonotonicTime
import Synchronization

/// A central and a simulated peripheral on one air, in virtual time.
struct Simulated: Sendable {
    /// The passkey that the peripheral has shown.
    final class Passkey: Sendable {
        private let value = Mutex<UInt32>(0)
        var shown: UInt32 { value.withLock { $0 } }
        func show(_ passkey: UInt32) { value.withLock { $0 = passkey } }
    }

    /// What centrals have written, as texts: `humidity.configuration [1]`.
    final class Writes: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ write: String) { list.withLock { $0.append(write) } }
    }

    let executor: BenchExecutor
    let central: Central
    let peripheral: SimulatedPeripheral
    let passkey: Passkey
    let writes: Writes

    private static let address = DeviceAddress(0x240A_C400_0110, .public)

    /// Runs `body` with a peripheral that is published.
    static func run<Result: Sendable>(
        _ description: PeripheralDescription, seed: UInt64 = 0,
        _ body: @escaping @Sendable (Simulated) async throws -> Result
    ) async throws -> Result {
        let executor = BenchExecutor()
        defer { executor.discardEvents() }
        return try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            let stack = HCIPeripheral(on: await radio.attach(address: address), executor: executor)
            let (passkey, writes) = (Passkey(), Writes())
            let peripheral = try SimulatedPeripheral(description, on: stack, executor: executor, seed: seed) { event in
                switch event {
                case .passkey(let shown): passkey.show(shown)
                case .written(let characteristic, let bytes): writes.add("\(characteristic.path) \(bytes)")
                default: break
                }
            }
            try await peripheral.start()
            let central = try await central(radio, executor)
            let result = try await body(
                Simulated(
                    executor: executor, central: central, peripheral: peripheral, passkey: passkey, writes: writes))
            await central.close()
            await peripheral.stop()
            return result
        }
    }

    /// Runs `body` with a peripheral that a test plays, connected.
    static func run<Result: Sendable>(
        _ definition: PeripheralDefinition,
        _ body: @escaping @Sendable (Peripheral, BLEPeripheral) async throws -> Result
    ) async throws -> Result {
        let executor = BenchExecutor()
        defer { executor.discardEvents() }
        return try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            let played = try BLEPeripheral(
                definition, on: await radio.attach(address: address), executor: executor)
            try await played.start()
            let central = try await central(radio, executor)
            let peripheral = central.peripheral(PeerID(address))
            try await peripheral.connect()
            let result = try await body(peripheral, played)
            await central.close()
            await played.stop()
            return result
        }
    }

    private static func central(_ radio: Radio, _ executor: BenchExecutor) async throws -> Central {
        let port = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
        let central = Central(HCICentral(executor: executor, transport: port), on: executor)
        try await central.powerOn()
        return central
    }

    /// The peripheral, connected, by the names of its description.
    func connected(services: [String]? = nil) async throws -> DescribedPeripheral {
        let found = central.peripheral(PeerID(Self.address))
        try await found.connect()
        return try await DescribedPeripheral(found, peripheral.description, services: services)
    }
}
