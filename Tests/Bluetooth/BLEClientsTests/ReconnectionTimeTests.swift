import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEHost
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// How soon a lost connection is there again, in virtual time.
@Suite struct ReconnectionTimeTests {
    private static let address = DeviceAddress(0x240A_C4C0_0001, .public)

    /// The peripheral advertises every 30 ms; it is back in the middle of the first attempt, in the pause after it, or in the
    /// middle of the second one.
    @Test(
        arguments: [Duration.milliseconds(100), .milliseconds(2500), .milliseconds(5500), .milliseconds(7777)], 1...5)
    func itIsThereWithin100MillisecondsOfTheFirstAdvertisement(absence: Duration, seed: UInt64) async throws {
        let executor = BenchExecutor()
        let time = try await executor.runOnThread(timeLimit: .seconds(600)) { () throws -> Duration in
            let radio = Radio(executor, seed: seed)
            var definition = PeripheralDefinition(name: "Near", services: [])
            definition.advertising = AdvertisingParameters(intervalMin: 48, intervalMax: 48)
            let peripheral = try BLEPeripheral(
                definition, on: await radio.attach(address: Self.address), executor: executor)
            try await peripheral.start()
            let central = try await Self.central(2, radio, executor)
            let reconnector = Reconnector(central.peripheral(PeerID(Self.address)))
            try await reconnector.connect()
            let events = await reconnector.events()
            // Another central tells when the peripheral advertises.
            let listener = try await Self.central(3, radio, executor)
            let sightings = try await listener.sightings(ScanFilter(isActive: false, allowsDuplicates: true))
            let advertisements = Mutex<[MonotonicInstant]>([])
            let listening = Task(executorPreference: executor) {
                for try await _ in sightings { advertisements.withLock { $0.append(executor.now) } }
            }
            await peripheral.stop()
            var attempt = executor.now
            events: for await event in events {
                switch event {
                case .lost:
                    executor.schedule(at: executor.now.advanced(by: absence)) {
                        Task(executorPreference: executor) { try await peripheral.start() }
                    }
                case .connecting: attempt = executor.now
                case .connected: break events
                case .failed, .ended: break
                }
            }
            let connected = executor.now
            // The listener's turn.
            try await BenchClock(executor).sleep(for: .milliseconds(1))
            listening.cancel()
            await listener.close()
            let heard = advertisements.withLock { $0 }
            try #require(!heard.isEmpty)
            // One that had begun before the attempt may be enough for it.
            let first = heard.first { $0 >= attempt } ?? attempt
            return first.duration(to: connected)
        }
        executor.discardEvents()
        #expect((.zero)...(.milliseconds(100)) ~= time, "\(time)")
    }

    private static func central(_ number: UInt64, _ radio: Radio, _ executor: BenchExecutor) async throws -> Central {
        let port = await radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
        let central = Central(HCICentral(executor: executor, transport: port), on: executor)
        try await central.powerOn()
        return central
    }
}
