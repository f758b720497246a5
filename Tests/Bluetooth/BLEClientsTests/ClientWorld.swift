import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance

/// A central of the library within reach of the peers of the conformance cases, in virtual time.
struct ClientWorld: Sendable {
    let executor: BenchExecutor
    let world: ConformanceWorld
    let central: Central

    /// Runs `body` with a central that is powered on.
    static func run(_ body: @escaping @Sendable (ClientWorld) async throws -> Void) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            try await central.powerOn()
            try await body(ClientWorld(executor: executor, world: world, central: central))
            await central.close()
        }
        executor.discardEvents()
    }

    /// A peer, counted from 0.
    func peripheral(_ index: Int = 0) -> Peripheral {
        central.peripheral(PeerID(ConformancePeer.addresses[index]))
    }

    func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

    /// Writes a trigger of the peer.
    static func trigger(_ trigger: [UInt8], _ peripheral: Peripheral) async throws {
        try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.trigger).write(trigger)
    }
}

/// The first elements of a stream.
func first<Sequence: AsyncSequence>(_ count: Int, of sequence: Sequence) async throws -> [Sequence.Element]
where Sequence.Element: Sendable {
    var elements: [Sequence.Element] = []
    for try await element in sequence {
        elements.append(element)
        if elements.count == count { break }
    }
    return elements
}
