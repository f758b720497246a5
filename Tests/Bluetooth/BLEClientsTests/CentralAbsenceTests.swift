import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import MonotonicTime
import Testing

/// What becomes of the library's central when its stack is taken away.
@Suite struct CentralAbsenceTests {
    /// What may be missing, and the state that this is; `nil`: the stack does not say what.
    static let absences: [(CentralAbsence?, CentralState)] = [
        (.bus, .resetting), (.service, .resetting), (.adapter, .unsupported), (.permission, .unauthorized),
        (.power, .poweredOff), (.unblocked, .poweredOff), (nil, .resetting),
    ]

    @Test func everyAbsenceIsTested() {
        #expect(Set(Self.absences.compactMap { $0.0 }) == Set(CentralAbsence.allCases))
        let states = Set(Self.absences.map { $0.1 }).union([.unknown, .poweredOn])
        #expect(states == Set(CentralState.allCases))
    }

    @Test(arguments: absences)
    func anAbsenceEndsWhatDependsOnTheStackUntilItIsPoweredOnAgain(
        _ absence: CentralAbsence?, _ state: CentralState
    ) async throws {
        let executor = BenchExecutor()
        let states = try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let stack = SwitchableCentral(HCICentral(executor: executor, transport: port), on: executor)
            let central = Central(stack, on: executor)
            let states = await central.states()
            try await central.powerOn()
            let peripheral = central.peripheral(PeerID(ConformancePeer.addresses[0]))
            try await peripheral.connect()
            let links = await peripheral.connectionStates()
            let disconnections = await central.disconnections()
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            let values = try await output.values()
            let sightings = try await central.sightings()
            try await BenchClock(executor).sleep(for: .seconds(1))

            await stack.takeAway(absence, "it is gone")
            #expect(await central.state == state)
            let lost = CentralError(.unavailable, "it is gone", absence: absence)
            let unheard = await #expect(throws: CentralError.self) { _ = try await first(9999, of: sightings) }
            #expect(unheard == lost)
            let ended = await #expect(throws: CentralError.self) { _ = try await first(1, of: values) }
            #expect(ended?.code == .disconnected(reason: nil))
            #expect(try await first(2, of: links) == [.connected, .disconnected])
            let disconnection = try await first(1, of: disconnections).first
            #expect(disconnection?.peer == peripheral.id)
            #expect(disconnection?.isPurposeful == false)
            #expect(await central.connectedPeripherals.isEmpty)
            // Nothing works, and nothing waits.
            let start = executor.now
            let power = await #expect(throws: CentralError.self) { try await central.powerOn() }
            let link = await #expect(throws: CentralError.self) { try await peripheral.connect() }
            let scan = await #expect(throws: CentralError.self) { _ = try await central.sightings() }
            #expect([power, link, scan] == [lost, lost, lost])
            let late = await #expect(throws: CentralError.self) { _ = try await output.read() }
            #expect(late?.code == .notConnected)
            #expect(await central.state == state)
            #expect(start.duration(to: executor.now) < .milliseconds(10))

            await stack.giveBack()
            try await central.powerOn()
            #expect(await central.state == .poweredOn)
            #expect(try await first(3, of: try await central.sightings()).count == 3)
            try await peripheral.connect()
            let value = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.value)
            #expect(try await value.read() == [7])
            await central.close()
            return try await first(9, of: states)
        }
        executor.discardEvents()
        #expect(states == [.unknown, .poweredOn, state, .poweredOn, .unknown])
    }

    /// A stack that only says that it has failed.
    @Test func aFailureAloneEndsTheLinks() async throws {
        try await ClientWorld.run { world in
            let peripheral = world.peripheral()
            let disconnections = await world.central.disconnections()
            try await peripheral.connect()
            let connection = try #require(await peripheral.connection)
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            let values = try await output.values()
            let events = world.central.backend.events
            events.post(.failed(CentralError(.unavailable, "it is gone", absence: .power)))
            // What the stack reports of a connection afterwards changes nothing.
            events.post(.disconnected(connection, reason: 0x08))
            let ended = await #expect(throws: CentralError.self) { _ = try await first(1, of: values) }
            #expect(ended?.code == .disconnected(reason: nil))
            #expect(await world.central.state == .poweredOff)
            #expect(await peripheral.connectionState == .disconnected)
            await world.central.close()
            #expect(try await first(9, of: disconnections).map(\.reason) == [nil])
        }
    }

    /// A stack that is not there to begin with.
    @Test(arguments: absences) func aStackThatIsNotThereIsTold(
        _ absence: CentralAbsence?, _ state: CentralState
    ) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let stack = SwitchableCentral(HCICentral(executor: executor, transport: port), on: executor)
            await stack.takeAway(absence, "it is not there")
            let central = Central(stack, on: executor)
            let error = await #expect(throws: CentralError.self) { try await central.powerOn() }
            #expect(error?.absence == absence)
            #expect(await central.state == state)
            await stack.giveBack()
            try await central.powerOn()
            #expect(await central.state == .poweredOn)
            await central.close()
        }
        executor.discardEvents()
    }
}
