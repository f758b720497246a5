import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEPeripheral
import BLERadio
import BenchExecutor
import CentralConformance
import Foundation
import LogFiles
import MonotonicTime
import Testing

/// Centrals that end in the middle of something, and begin anew, on the virtual air; `RestoringProcessTests` has the same
/// with processes that are killed.
@Suite struct RestoringTests {
    /// The peers, and controllers for centrals.
    private struct World: Sendable {
        let executor: BenchExecutor
        let world: ConformanceWorld
        let folder: String

        /// A controller for a central.
        func port(_ number: UInt64 = 1) async -> RadioPort {
            await world.radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
        }

        /// A central as a new program has it, on a controller that an earlier one may have left as it was.
        func central(_ port: RadioPort, bonds: any BondStore = MemoryBondStore()) async throws -> Central {
            let central = Central(HCICentral(executor: executor, transport: port, bondStore: bonds), on: executor)
            try await central.powerOn()
            return central
        }

        func restoring(_ central: Central, _ identifier: String = "one") async throws -> RestoringCentral {
            try await RestoringCentral(central, identifier: identifier, folder: folder)
        }

        func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

        /// The peer's host hears and says nothing from now on, for ``ConformancePeer/silence``.
        func hang(_ peripheral: Peripheral) async throws {
            let trigger = CharacteristicPath(
                service: ConformancePeer.service, characteristic: ConformancePeer.trigger)
            try await peripheral.characteristic(trigger).write(ConformancePeer.Trigger.hang, .withoutResponse)
            try await sleep(.seconds(1))
        }

        func peer(_ index: Int = 0) -> PeerID { PeerID(ConformancePeer.addresses[index]) }
    }

    private func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor)
            try await body(World(executor: executor, world: world, folder: folder))
        }
        executor.discardEvents()
    }

    private static let output = CharacteristicPath(
        service: ConformancePeer.service, characteristic: ConformancePeer.output)
    private static let value = CharacteristicPath(
        service: ConformancePeer.service, characteristic: ConformancePeer.value)

    /// The results of a restoration.
    private func results(
        _ restoring: RestoringCentral, within timeout: Duration = .seconds(5)
    ) async -> (connected: [RestoredPeripheral], failed: [(RestorablePeripheral, CentralError)]) {
        var (connected, failed): ([RestoredPeripheral], [(RestorablePeripheral, CentralError)]) = ([], [])
        for await result in await restoring.restore(within: timeout) {
            switch result {
            case .connected(let peripheral): connected.append(peripheral)
            case .failed(let record, let error): failed.append((record, error))
            }
        }
        return (connected, failed)
    }

    @Test func aConnectionAndItsSubscriptionAreTakenUpWithoutASearch() async throws {
        try await run { world in
            let port = await world.port()
            do {
                let central = try await world.central(port)
                let restoring = try await world.restoring(central)
                #expect(restoring.restored.isEmpty)
                let sighting = try await central.firstSighting(
                    ScanFilter(name: ConformancePeer.name(0)), within: .seconds(5))
                let peripheral = try await central.connect(to: sighting.peer)
                let values = try await peripheral.characteristic(Self.output).values()
                try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), peripheral)
                #expect(try await first(1, of: values) == [[0]])
                withExtendedLifetime(values) {}
                #expect(await restoring.kept.map(\.subscriptions.count) == [1])
                try await world.sleep(RestoringCentral.delay)
            }
            let central = try await world.central(port)
            let restoring = try await world.restoring(central)
            let record = try #require(restoring.restored.first)
            #expect(restoring.restored.count == 1 && record.peer == world.peer())
            #expect(record.name == ConformancePeer.name(0) && record.unfinished.isEmpty)
            #expect(record.subscriptions == [.init(Self.output, .notifications)])
            let results = await results(restoring)
            let restored = try #require(results.connected.first)
            #expect(results.connected.count == 1 && results.failed.isEmpty && restored.failures.isEmpty)
            let values = try #require(restored.subscriptions.first).values
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(2), restored.peripheral)
            #expect(try await first(2, of: values) == [[0], [1]])
            // Nobody was heard: there was no scan.
            #expect(await central.knownPeers.isEmpty)
        }
    }

    /// What a peer calls itself makes no lines in the log.
    @Test func aNameIsOnOneLineOfTheLog() async throws {
        try await run { world in
            let peer = try BLEPeripheral(
                PeripheralDefinition(name: "A\nforged: opened", services: []),
                on: await world.world.radio.attach(address: DeviceAddress(0x240A_C4C0_0077, .public)),
                executor: world.executor)
            try await peer.start()
            let central = try await world.central(await world.port())
            let path = world.folder + ".log"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let log = try TimedLog(path, of: "test", wallTime: { 0 })
            let restoring = try await RestoringCentral(central, identifier: "one", folder: world.folder, log: log)
            let sighting = try await central.firstSighting(ScanFilter(), within: .seconds(5)) {
                $0.peer == PeerID(DeviceAddress(0x240A_C4C0_0077, .public))
            }
            let peripheral = try await central.connect(to: sighting.peer)
            try await peripheral.disconnect()
            try await world.sleep(.seconds(1))
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
            #expect(lines.allSatisfy { $0.dropFirst(24).hasPrefix("one: ") })
            #expect(lines.contains { $0.contains("connected to A\\x0Aforged: opened (24:0A:C4:C0:00:77)") }, "\(lines)")
            let end = "the connection to 24:0A:C4:C0:00:77 ended, reason 0x16, as it was to"
            #expect(lines.contains { $0.hasSuffix(end) }, "\(lines)")
            await restoring.close()
        }
    }

    @Test(arguments: [true, false]) func anOperationThatWasInProgressIsTold(isRead: Bool) async throws {
        try await run { world in
            let port = await world.port()
            do {
                let central = try await world.central(port)
                let restoring = try await world.restoring(central)
                let peripheral = try await central.connect(to: world.peer())
                let value = try await peripheral.characteristic(Self.value)
                for number in UInt8(0)..<3 { try await value.write([number]) }
                // The peer's host answers nothing from now on.
                try await world.hang(peripheral)
                Task(executorPreference: world.executor) {
                    if isRead { _ = try await value.read() } else { try await value.write([9, 8]) }
                }
                try await world.sleep(.seconds(1))
                withExtendedLifetime(restoring) {}
            }
            let central = try await world.central(port)
            let restoring = try await world.restoring(central)
            let operation = CentralOperation(isRead ? .read : .write([9, 8], .withResponse), Self.value)
            #expect(restoring.restored.map(\.unfinished) == [[operation]])
            // It is told again until the peripheral is connected.
            #expect(await restoring.kept.map(\.unfinished) == [[operation]])
            try await world.sleep(ConformancePeer.silence)
            let restored = try #require(await results(restoring).connected.first)
            #expect(restored.record.unfinished == [operation])
            #expect(await restoring.kept.map(\.unfinished) == [[]])
        }
    }

    @Test func aSubscriptionThatWasBeingMadeIsMade() async throws {
        try await run { world in
            let port = await world.port()
            do {
                let central = try await world.central(port)
                let restoring = try await world.restoring(central)
                let peripheral = try await central.connect(to: world.peer())
                let output = try await peripheral.characteristic(Self.output)
                try await world.hang(peripheral)
                Task(executorPreference: world.executor) { _ = try await output.values() }
                try await world.sleep(.seconds(1))
                withExtendedLifetime(restoring) {}
            }
            let central = try await world.central(port)
            let restoring = try await world.restoring(central)
            #expect(restoring.restored.map(\.subscriptions) == [[.init(Self.output, .notifications)]])
            try await world.sleep(ConformancePeer.silence)
            let restored = try #require(await results(restoring).connected.first)
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), restored.peripheral)
            #expect(try await first(1, of: try #require(restored.subscriptions.first).values) == [[0]])
        }
    }

    @Test func aPeerThatHasGoneIsToldInTimeAndStillKept() async throws {
        try await run { world in
            let port = await world.port()
            do {
                let central = try await world.central(port)
                let restoring = try await world.restoring(central)
                for index in 0..<3 { try await central.connect(to: world.peer(index)) }
                try await world.hang(central.peripheral(world.peer(1)))
                withExtendedLifetime(restoring) {}
            }
            let central = try await world.central(port)
            // The others notice that the link is lost.
            try await world.sleep(.seconds(5))
            let restoring = try await world.restoring(central)
            #expect(restoring.restored.map(\.peer) == (0..<3).map { world.peer($0) })
            let start = world.executor.now
            let results = await results(restoring, within: .seconds(2))
            #expect(results.connected.map(\.peripheral.id) == [world.peer(0), world.peer(2)])
            #expect(results.failed.map(\.0.peer) == [world.peer(1)] && results.failed[0].1.code == .timedOut)
            #expect(start.duration(to: world.executor.now) < .seconds(3))
            #expect(await Set(restoring.kept.map(\.peer)) == Set((0..<3).map { world.peer($0) }))
            // Later it is back; those that are connected stay so.
            try await world.sleep(ConformancePeer.silence)
            #expect(await self.results(restoring).connected.count == 3)
        }
    }

    @Test func whatItHasNoLongerIsTold() async throws {
        try await run { world in
            let lacking = CharacteristicPath(service: BLEUUID(0x180D), characteristic: BLEUUID(0x2A37))
            let second = CharacteristicPath(
                service: ConformancePeer.service, characteristic: ConformancePeer.output, index: 1)
            let unable = Self.value
            var record = RestorablePeripheral(world.peer())
            record.subscriptions = [lacking, Self.output, second, unable].map { .init($0, .notifications) }
            try RestorationFile("one", in: world.folder).save([record])
            let restoring = try await world.restoring(try await world.central(await world.port()))
            let restored = try #require(await results(restoring).connected.first)
            #expect(restored.subscriptions.map(\.path) == [Self.output])
            #expect(Set(restored.failures.keys) == [lacking, second, unable])
            #expect(
                restored.failures[lacking]?.detail
                    == "expected the characteristic 180D/2A37, which 24:0A:C4:C0:00:01 lacks")
        }
    }

    @Test func whatEndsOnPurposeIsNotKept() async throws {
        try await run { world in
            let port = await world.port()
            let central = try await world.central(port)
            let restoring = try await world.restoring(central)
            for index in 0..<3 { try await central.connect(to: world.peer(index)) }
            let values = try await central.peripheral(world.peer(0)).characteristic(Self.output).values()
            _ = try await first(1, of: try await subscribe(central, world.peer(1)))
            try await world.sleep(.seconds(1))
            #expect(await restoring.kept.map(\.subscriptions.count) == [1, 0, 0])
            try await central.peripheral(world.peer(1)).disconnect()
            await restoring.forget(world.peer(2))
            #expect(await restoring.kept.map(\.peer) == [world.peer(0)])
            // The end of the central is no end of what it has.
            await central.close()
            await restoring.close()
            let next = try await world.restoring(try await world.central(port))
            #expect(next.restored.map(\.subscriptions) == [[.init(Self.output, .notifications)]])
            withExtendedLifetime(values) {}
        }
    }

    /// Values of a peer that sends one.
    private func subscribe(_ central: Central, _ peer: PeerID) async throws -> AsyncThrowingStream<[UInt8], any Error> {
        let values = try await central.peripheral(peer).characteristic(Self.output).values()
        try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), central.peripheral(peer))
        return values
    }

    @Test func severalSideBySideKeepTheirOwn() async throws {
        try await run { world in
            let (one, two) = (await world.port(1), await world.port(2))
            do {
                let first = try await world.central(one)
                let second = try await world.central(two)
                let (restoring, other) = (try await world.restoring(first), try await world.restoring(second, "two"))
                try await first.connect(to: world.peer(0))
                try await second.connect(to: world.peer(1))
                let error = await #expect(throws: RestorationError.self) { _ = try await world.restoring(first) }
                #expect(error?.code == .inUse)
                #expect(
                    error?.detail == """
                        the central "one" in \(world.folder): expected nobody to use it, another part of this program \
                        has it
                        """)
                withExtendedLifetime((restoring, other)) {}
            }
            let (first, second) = (
                try await world.restoring(try await world.central(one)),
                try await world.restoring(try await world.central(two), "two")
            )
            #expect(await results(first).connected.map(\.peripheral.id) == [world.peer(0)])
            #expect(await results(second).connected.map(\.peripheral.id) == [world.peer(1)])
            for name in ["", "a/b", "..", "ü", String(repeating: "a", count: 65)] {
                let central = second.central
                let error = await #expect(throws: RestorationError.self) {
                    _ = try await world.restoring(central, name)
                }
                #expect(error?.code == .invalidIdentifier)
            }
        }
    }

    @Test func aReconnectorSubscribesAgain() async throws {
        try await run { world in
            let central = try await world.central(await world.port())
            let restoring = try await world.restoring(central)
            try await central.connect(to: world.peer())
            let values = try await central.peripheral(world.peer()).characteristic(Self.output).values()
            try? await ClientWorld.trigger(ConformancePeer.Trigger.disconnect, central.peripheral(world.peer()))
            await #expect(throws: CentralError.self) { _ = try await first(1, of: values) }
            // The loss of the connection is no end of what is wanted.
            #expect(await restoring.kept.map(\.subscriptions.count) == [1])
            let heard = AsyncStream.makeStream(of: [UInt8].self)
            let reconnector = Reconnector(central.peripheral(world.peer())) { peripheral in
                let subscriptions = try await restoring.resubscribe(peripheral).subscriptions
                for subscription in subscriptions {
                    Task(executorPreference: world.executor) {
                        for try await value in subscription.values { heard.continuation.yield(value) }
                    }
                }
            }
            try await reconnector.connect()
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), central.peripheral(world.peer()))
            #expect(try await first(1, of: heard.stream) == [[0]])
            // It is kept while it is away, and not any more when nobody wants it, though there is no connection to end.
            try? await ClientWorld.trigger(ConformancePeer.Trigger.vanish, central.peripheral(world.peer()))
            try await world.sleep(.milliseconds(500))
            #expect(await central.peripheral(world.peer()).connectionState == .connecting)
            #expect(await restoring.kept.count == 1)
            try await reconnector.disconnect()
            #expect(await restoring.kept.isEmpty)
        }
    }

    @Test func whatCannotBeWrittenIsToldAndStopsNothing() async throws {
        try await run { world in
            let central = try await world.central(await world.port())
            let restoring = try await world.restoring(central)
            let problems = await restoring.problems()
            try FileManager.default.removeItem(atPath: world.folder)
            try await central.connect(to: world.peer())
            let problem = try await first(1, of: problems).first
            #expect(problem?.code == .storage)
            #expect(
                problem?.detail == """
                    \(world.folder)/one.central: writing a new version of what a central keeps failed: No such file or \
                    directory
                    """)
            #expect(try await central.peripheral(world.peer()).characteristic(Self.value).read() == [7])
        }
    }
}
