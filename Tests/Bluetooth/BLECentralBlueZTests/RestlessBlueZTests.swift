import BLECentral
import BLECentralBlueZ
import BLEClients
import BLECore
import BenchExecutor
import BusSupport
import MonotonicTime
import Testing

/// What bluetoothd does by itself while it connects, and must not be disturbed in: `restless.py` ends when it is.
@Suite struct RestlessBlueZTests {
    private static let peers = [0x240A_C400_0110, 0x240A_C400_0111].map { DeviceAddress($0, .public) }

    /// Runs a central on a bus with the peer of that mode.
    private func run(
        _ mode: String, _ body: @escaping @Sendable (BlueZCentral, BenchExecutor) async throws -> Void
    ) throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/restless.py", mode)
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            try await body(central, executor)
            // It is still there.
            try await central.startScanning(ScanFilter())
            await central.close()
        }
    }

    /// A link that ends as soon as it is there.
    private func loseLink(_ central: Central) async -> CentralError? {
        await #expect(throws: CentralError.self) {
            let policy = ReconnectionPolicy(tries: 0)
            let reconnector = Reconnector(central.peripheral(PeerID(Self.peers[0])), policy: policy) {
                _ = try await $0.services()
            }
            try await reconnector.connect()
        }
    }

    /// bluetoothd connects once more by itself, and Linux may keep for ever what is cancelled while it is made.
    @Test func aDeviceIsForgottenWhenBluetoothdConnectsToItNoMore() throws {
        try run("again") { backend, executor in
            let central = Central(backend, on: executor)
            try await central.powerOn()
            let error = await loseLink(central)
            // Why it has ended is not known; that there is a bond is.
            let detail = error?.detail ?? ""
            #expect(
                detail.contains("ended") && detail.hasSuffix("; there is a bond with it, which it may have lost"),
                "\(detail)")
            try await backend.forget(Self.peers[0])
        }
    }

    @Test func whatBluetoothdConnectsToByItselfIsUsed() throws {
        try run("again") { backend, executor in
            let central = Central(backend, on: executor)
            try await central.powerOn()
            _ = await loseLink(central)
            let peripheral = try await central.connect(to: PeerID(Self.peers[0]), within: .seconds(60))
            try await peripheral.disconnect()
        }
    }

    /// Whoever has his services discovered, and is encrypted, comes before the next.
    @Test func attemptsTakeTurns() throws {
        try run("turns") { central, executor in
            let attempts = Self.peers.map { peer in
                Task(executorPreference: executor) {
                    try await central.connectAndAccept(to: PeerID(peer), within: .seconds(60))
                }
            }
            for attempt in attempts { try await central.disconnect(attempt.value) }
        }
    }

    @Test func somebodyWhoIsNotThereDoesNotStopOthers() throws {
        try run("absent") { central, executor in
            let absent = Task(executorPreference: executor) {
                try await central.connect(to: PeerID(Self.peers[0]), within: .seconds(3600))
            }
            // Not before the other one.
            try await BenchClock(executor).sleep(for: .milliseconds(50))
            let connection = try await central.connectAndAccept(to: PeerID(Self.peers[1]), within: .seconds(60))
            absent.cancel()
            let error = await #expect(throws: CentralError.self) { try await absent.value }
            #expect(error?.code == .timedOut)
            try await central.disconnect(connection)
        }
    }

    /// Attempts to connect to both, of which the second waits for its turn.
    private func attempts(
        _ central: BlueZCentral, _ executor: BenchExecutor
    ) async throws -> [Task<ConnectionID, any Error>] {
        let attempts = Self.peers.map { peer in
            Task(executorPreference: executor) { try await central.connect(to: PeerID(peer), within: .seconds(3600)) }
        }
        try await BenchClock(executor).sleep(for: .milliseconds(50))
        return attempts
    }

    @Test func whoeverWaitsForATurnIsToldThatTheCentralWasClosed() throws {
        try run("absent") { central, executor in
            let attempts = try await attempts(central, executor)
            await central.close()
            for attempt in attempts { await #expect(throws: CentralError.self) { try await attempt.value } }
            try await central.powerOn()
        }
    }

    /// What another program has connected to is its own.
    @Test func whoeverGivesUpHisTurnDisconnectsNobody() throws {
        try run("absent") { central, executor in
            let attempts = try await attempts(central, executor)
            for attempt in attempts.reversed() {
                attempt.cancel()
                let error = await #expect(throws: CentralError.self) { try await attempt.value }
                #expect(error?.code == .timedOut)
            }
        }
    }

    @Test func aLaterConnectionOfAnotherProgramIsLeftToIt() throws {
        try run("others") { central, executor in
            let connection = try await central.connectAndAccept(to: PeerID(Self.peers[0]), within: .seconds(60))
            try await central.disconnect(connection)
            try await BenchClock(executor).sleep(for: .milliseconds(600))
        }
    }

    @Test func aCentralThatWasClosedInASearchHearsAgain() throws {
        try run("unknown") { backend, executor in
            let unknown = PeerID(DeviceAddress(0x240A_C400_0112, .public))
            let attempt = Task(executorPreference: executor) {
                try await backend.connect(to: unknown, within: .seconds(3600))
            }
            try await BenchClock(executor).sleep(for: .milliseconds(200))
            await backend.close()
            await #expect(throws: CentralError.self) { try await attempt.value }
            let central = Central(backend, on: executor)
            try await central.powerOn()
            _ = try await central.firstSighting(ScanFilter(), within: .seconds(10)) { $0.peer == unknown }
        }
    }

    /// The kernel connects to a peer when it hears it, and hears it once in each round.
    @Test func attemptsAndSearchesDoNotStopEachOther() throws {
        try run("rounds") { backend, executor in
            let central = Central(backend, on: executor)
            try await central.powerOn()
            let absent = Task(executorPreference: executor) {
                try await central.connect(to: PeerID(Self.peers[0]), within: .seconds(3600))
            }
            let heard = Task(executorPreference: executor) {
                try await central.firstSighting(ScanFilter(), within: .seconds(60)) {
                    $0.peer == PeerID(DeviceAddress(0x240A_C400_0112, .public))
                }
            }
            try await BenchClock(executor).sleep(for: .milliseconds(50))
            let peripheral = try await central.connect(to: PeerID(Self.peers[1]), within: .seconds(60))
            _ = try await heard.value
            absent.cancel()
            _ = await absent.result
            try await peripheral.disconnect()
        }
    }
}
