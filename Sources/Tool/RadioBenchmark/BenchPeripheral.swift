import BLECore
import BLEHost
import BLEPeripheral
import BLERadio
import BenchExecutor
import Synchronization

/// One of the two hosts: a GATT server without an application, like its counterpart in Scripts/bench-bumble.
struct BenchPeripheral: Sendable {
    static let address = DeviceAddress(0x240A_C400_0110, .public)
    static let passkey: UInt32 = 123_456
    private static let characteristic = BLEUUID(0x2A19)

    let value: UInt16
    private let peripheral: BLEPeripheral
    private let load = Load()

    init(_ executor: BenchExecutor, _ radio: Radio) async throws {
        var definition = PeripheralDefinition(
            name: "Bench",
            services: [
                ServiceDefinition(
                    BLEUUID(0x180F),
                    [
                        CharacteristicDefinition(
                            Self.characteristic, [.read, .write, .writeWithoutResponse, .notify],
                            value: Array(repeating: 0x55, count: 20)
                        ) { [load] _, _, _ in load.countWrite() }
                    ])
            ])
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        definition.onPairingInput = { _, _, _ in .passkey(Self.passkey) }
        definition.onEvent = { [load] event, peripheral in
            // After this event, so that sent values are queued at once.
            if case .roomAvailable = event { executor.post { peripheral.assumeIsolated { load.send(from: $0) } } }
        }
        peripheral = try BLEPeripheral(
            definition, behaviour: .specification, on: await radio.attach(address: Self.address), executor: executor)
        value = peripheral.handles(of: Self.characteristic).first ?? 0
        try await peripheral.start()
    }

    /// Returns when `count` further writes have been received.
    func waitForWrites(_ count: Int) async {
        await load.waitForWrites(count)
    }

    /// Notifies as fast as the host accepts values.
    func notify(_ count: Int, _ value: [UInt8]) async {
        load.setPending(count, value)
        await load.send(from: peripheral)
    }

    /// The awaited writes and the pending notifications.
    private final class Load: Sendable {
        private struct State {
            /// The number of awaited writes, and the waiting call.
            var expected = 0
            var waiter: CheckedContinuation<Void, Never>?
            /// The number of notifications not sent yet.
            var pending = 0
            var value: [UInt8] = []
        }

        private let state = Mutex(State())

        func waitForWrites(_ count: Int) async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    state.expected += count
                    if state.expected > 0 { state.waiter = continuation }
                    return state.expected <= 0
                }
                if isOver { continuation.resume() }
            }
        }

        func countWrite() {
            let waiter = state.withLock { state in
                state.expected -= 1
                return state.expected <= 0 ? state.waiter.take() : nil
            }
            waiter?.resume()
        }

        func setPending(_ count: Int, _ value: [UInt8]) {
            state.withLock { state in
                state.pending = count
                state.value = value
            }
        }

        func send(from peripheral: isolated BLEPeripheral) {
            guard let connection = peripheral.connections.first?.handle else { return }
            while peripheral.hasRoom(on: connection) {
                let value = state.withLock { state -> [UInt8]? in
                    guard state.pending > 0 else { return nil }
                    state.pending -= 1
                    return state.value
                }
                guard let value else { return }
                _ = try? peripheral.notify(value, of: BenchPeripheral.characteristic, to: connection)
            }
        }
    }
}
