import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// Peripherals that do what they should not, on the virtual air.
@Suite struct UnrulyPeripheralTests {
    /// A peripheral, and a central that is powered on.
    private struct World: Sendable {
        let executor: BenchExecutor
        let radio: Radio
        let port: RadioPort
        let central: Central

        func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

        func peripheral(_ definition: PeripheralDefinition, on port: any HCITransport) async throws -> BLEPeripheral {
            let peripheral = try BLEPeripheral(definition, on: port, executor: executor)
            try await peripheral.start()
            return peripheral
        }
    }

    private static let address = DeviceAddress(0x240A_C4C0_0001, .public)
    private static let service = BLEUUID(0xFF00)
    private static let value = BLEUUID(0xFF01)
    private static let output = BLEUUID(0xFF03)

    private static func definition(_ services: [ServiceDefinition]? = nil) -> PeripheralDefinition {
        PeripheralDefinition(
            name: "Unruly",
            services: services ?? [
                ServiceDefinition(
                    service,
                    [
                        CharacteristicDefinition(value, [.read, .write], value: [7]),
                        CharacteristicDefinition(output, [.read, .notify], value: [0]),
                    ])
            ])
    }

    private func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            let port = await radio.attach(address: Self.address)
            let transport = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = Central(HCICentral(executor: executor, transport: transport), on: executor)
            try await central.powerOn()
            try await body(World(executor: executor, radio: radio, port: port, central: central))
            await central.close()
        }
        executor.discardEvents()
    }

    /// An operation of a connected peripheral, whose services are discovered unless that is the operation.
    enum Operation: CaseIterable { case services, read, write, longWrite, subscribe, pair }

    private static func perform(_ operation: Operation, _ peripheral: Peripheral) async throws {
        switch operation {
        case .services: _ = try await peripheral.services()
        case .read: _ = try await characteristic(value, peripheral).read()
        case .write: try await characteristic(value, peripheral).write([1])
        case .longWrite: try await characteristic(value, peripheral).write([UInt8](repeating: 1, count: 400))
        case .subscribe: _ = try await characteristic(output, peripheral).values()
        case .pair: try await peripheral.pair()
        }
    }

    private static func characteristic(_ uuid: BLEUUID, _ peripheral: Peripheral) async throws -> Characteristic {
        try await peripheral.service(service).characteristic(uuid)
    }

    /// A transport whose host hears and says nothing any more.
    private final class Deaf: HCITransport {
        let isDeaf = Mutex(false)
        private let transport: any HCITransport

        init(_ transport: any HCITransport) { self.transport = transport }

        func send(_ packet: HCIPacket) { if !isDeaf.withLock({ $0 }) { transport.send(packet) } }

        func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
            transport.setReceiver { packet in if !self.isDeaf.withLock({ $0 }) { receiver(packet) } }
        }
    }

    /// The error of an operation while the peripheral's host says nothing, `event` happening after a second.
    private func failure(
        of operation: Operation, _ event: @escaping @Sendable (World, Peripheral) async throws -> Void
    ) async throws -> (CentralError?, Duration) {
        let outcome = Mutex<(CentralError?, Duration)>((nil, .zero))
        try await run { world in
            let deaf = Deaf(world.port)
            _ = try await world.peripheral(Self.definition(), on: deaf)
            let peripheral = try await world.central.connect(to: PeerID(Self.address))
            if operation != .services { _ = try await peripheral.services() }
            try await world.sleep(.seconds(1))
            deaf.isDeaf.withLock { $0 = true }
            let start = world.executor.now
            let work = Task(executorPreference: world.executor) { try await Self.perform(operation, peripheral) }
            try await world.sleep(.seconds(1))
            try await event(world, peripheral)
            let error = await #expect(throws: CentralError.self) { try await work.value }
            outcome.withLock { $0 = (error, start.duration(to: world.executor.now)) }
            // The next connection is as any other.
            deaf.isDeaf.withLock { $0 = false }
        }
        return outcome.withLock { $0 }
    }

    @Test(arguments: Operation.allCases) func aPeripheralThatNeverAnswersEndsEachOperation(
        _ operation: Operation
    ) async throws {
        let (error, time) = try await failure(of: operation) { _, _ in }
        #expect(error?.code == .timedOut)
        // ATT and SMP transactions take 30 s at most (Core 5.4, Vol 3 Part F 3.3.3, Part H 3.4).
        #expect(time <= .seconds(31))
    }

    @Test(arguments: Operation.allCases) func theEndOfTheLinkEndsEachOperation(_ operation: Operation) async throws {
        let (error, time) = try await failure(of: operation) { world, _ in await world.radio.detach(world.port) }
        #expect(error?.code == .disconnected(reason: 0x08), "\(operation): \(error.map { "\($0)" } ?? "")")
        #expect(time < .seconds(20))
    }

    @Test(arguments: Operation.allCases) func disconnectingEndsEachOperation(_ operation: Operation) async throws {
        let (error, time) = try await failure(of: operation) { _, peripheral in try await peripheral.disconnect() }
        #expect(error?.code == .disconnected(reason: 0x16), "\(operation): \(error.map { "\($0)" } ?? "")")
        #expect(time < .seconds(20))
    }

    @Test func whatWasNotSubscribedHarmsNothing() async throws {
        try await run { world in
            _ = try await world.peripheral(Self.definition(), on: world.port)
            let peripheral = try await world.central.connect(to: PeerID(Self.address))
            let output = try await Self.characteristic(Self.output, peripheral)
            let values = try await output.values()
            // Of a characteristic nobody listens to, of an attribute and of a connection that are none.
            let connection = try #require(await peripheral.connection)
            let other = try await Self.characteristic(Self.value, peripheral).discovered.value
            let events = world.central.backend.events
            events.post(.notification(connection, other, value: [1], isIndication: false))
            events.post(.notification(connection, AttributeID(rawValue: 0xFFFF), value: [], isIndication: true))
            events.post(.notification(ConnectionID(rawValue: 99), other, value: [2], isIndication: false))
            events.post(.notification(connection, output.discovered.value, value: [3], isIndication: false))
            #expect(try await first(1, of: values) == [[3]])
            #expect(try await Self.characteristic(Self.value, peripheral).read() == [7])
        }
    }

    @Test func aDatabaseThatChangedIsDiscoveredAgain() async throws {
        try await run { world in
            let peer = try await world.peripheral(Self.definition(), on: world.port)
            let peripheral = try await world.central.connect(to: PeerID(Self.address))
            let old = try await Self.characteristic(Self.value, peripheral)
            let changed = try await peripheral.service(BLEUUID(0x1801)).characteristic(BLEUUID(0x2A05))
            let indications = try await changed.values()
            let requests = Mutex(0)
            await (world.central.backend as? HCICentral)?.setPacketObserver { event in
                // Read By Group Type Request: discovery of services.
                guard case .packet(let bytes, isFromHost: true) = event, bytes.count > 9, bytes[9] == 0x10 else {
                    return
                }
                requests.withLock { $0 += 1 }
            }
            _ = try await peripheral.services()
            #expect(requests.withLock { $0 } == 0)
            // As of a peer whose stack tells: this one's has nothing to tell.
            world.central.backend.events.post(
                .notification(
                    try #require(await peripheral.connection), changed.discovered.value, value: [1, 0, 0xFF, 0xFF],
                    isIndication: true))
            #expect(try await first(1, of: indications) == [[1, 0, 0xFF, 0xFF]])
            _ = try await peripheral.services()
            #expect(requests.withLock { $0 } > 0)
            // Another program between two connections.
            await peer.stop()
            _ = try await world.peripheral(
                Self.definition([
                    ServiceDefinition(
                        Self.service,
                        [
                            CharacteristicDefinition(BLEUUID(0xFF09), .read, value: [9]),
                            CharacteristicDefinition(Self.value, .read, value: [8]),
                        ])
                ]), on: world.port)
            try await world.sleep(.seconds(10))
            try await peripheral.connect()
            #expect(try await Self.characteristic(Self.value, peripheral).read() == [8])
            let gone = await #expect(throws: CentralError.self) {
                try await Self.characteristic(Self.output, peripheral)
            }
            #expect(gone?.detail.hasSuffix("the service FF00 has FF09, FF01") == true)
            // What was discovered before is another attribute now, or none: a value or an error.
            if let value = try? await old.read() { #expect(value == [8] || value == [9]) }
        }
    }

    @Test func twoOfOneNameAreTwo() async throws {
        try await run { world in
            _ = try await world.peripheral(Self.definition(), on: world.port)
            let other = DeviceAddress(0x240A_C4C0_0002, .public)
            let definition = Self.definition([
                ServiceDefinition(Self.service, [CharacteristicDefinition(Self.value, .read, value: [2])])
            ])
            _ = try await world.peripheral(definition, on: await world.radio.attach(address: other))
            var found = SearchResults()
            let search = TimedSearch(ScanFilter(name: "Unruly", allowsDuplicates: true), duration: .seconds(2))
            for try await update in search.run(on: world.central) {
                if case .roundEnded(_, let results) = update { found = results }
            }
            #expect(Set(found.nearestFirst.map(\.advertisement.peer)) == [PeerID(Self.address), PeerID(other)])
            let named = try #require(await world.central.knownPeer(named: "Unruly"))
            let known = await world.central.knownPeers
            #expect(known[named]?.time == known.values.map(\.time).max())
            // Each is connected to as itself.
            for (address, value) in [(Self.address, UInt8(7)), (other, 2)] {
                let peripheral = try await world.central.connect(to: PeerID(address))
                #expect(try await Self.characteristic(Self.value, peripheral).read() == [value])
            }
        }
    }
}
