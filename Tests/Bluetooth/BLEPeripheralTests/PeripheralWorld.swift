import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization

/// A radio in virtual time.
struct PeripheralWorld: Sendable {
    static let address = DeviceAddress(0x240A_C400_0110, .public)

    let executor = BenchExecutor()
    let radio: Radio

    init() {
        radio = Radio(executor, seed: 1)
    }

    func run(_ body: @escaping @Sendable (PeripheralWorld) async throws -> Void) throws {
        try executor.run { try await body(self) }
    }

    /// A peripheral that has started.
    func peripheral(
        _ definition: PeripheralDefinition, _ behaviour: HostBehaviour = .specification
    ) async throws -> BLEPeripheral {
        let peripheral = try BLEPeripheral(
            definition, behaviour: behaviour, on: await radio.attach(address: Self.address), executor: executor)
        try await peripheral.start()
        return peripheral
    }

    /// A started central; it enters `passkey` and confirms compared numbers.
    func central(number: UInt64 = 1, passkey: UInt32? = nil) async throws -> (HCICentral, Events) {
        let port = await radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
        let central = HCICentral(executor: executor, transport: port)
        let events = Events()
        central.events.setHandler(on: central.executor) { event in
            events.append(event)
            guard case .pairingInput(let connection, let input) = event, let passkey else { return }
            central.executor.post {
                central.assumeIsolated { central in
                    let answer: PairingAnswer =
                        if case .compareNumbers = input { .confirm(true) } else { .passkey(passkey) }
                    try? central.answer(answer, on: connection)
                }
            }
        }
        try await central.powerOn()
        return (central, events)
    }

    func connect(_ central: HCICentral) async throws -> ConnectionID {
        try await central.connectAndAccept(to: PeerID(Self.address), within: .seconds(2))
    }

    func sleep(_ duration: Duration = .milliseconds(200)) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }
}

/// The events of a central.
final class Events: Sendable {
    private let events = Mutex<[CentralEvent]>([])

    var all: [CentralEvent] { events.withLock { $0 } }

    var notifications: [[UInt8]] {
        all.compactMap { event in
            if case .notification(_, _, let value, _) = event { value } else { nil }
        }
    }

    func append(_ event: CentralEvent) {
        events.withLock { $0.append(event) }
    }
}

/// Lines that handlers write.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// The code of the error that `body` throws.
func failure(_ body: () async throws -> some Sendable) async -> CentralError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? CentralError)?.code
    }
}
