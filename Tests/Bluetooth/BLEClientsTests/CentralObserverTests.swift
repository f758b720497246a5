import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import CentralConformance
import Synchronization
import Testing

/// The observer of the library's central, and the abilities that its users beside apps need, on the virtual air.
@Suite struct CentralObserverTests {
    private final class Record: Sendable {
        private let all = Mutex<[CentralObservation]>([])

        var observations: [CentralObservation] { all.withLock { $0 } }
        func append(_ observation: CentralObservation) { all.withLock { $0.append(observation) } }
    }

    private static func connect(_ world: ClientWorld) async throws -> Peripheral {
        let peripheral = world.peripheral()
        try await peripheral.connect()
        return peripheral
    }

    @Test func observersLearnOfEverythingInOrder() async throws {
        try await ClientWorld.run { world in
            let (record, executor) = (Record(), world.executor)
            let number = await world.central.addObserver { observation in
                #expect(executor.isIsolatingCurrentContext() == true)
                record.append(observation)
            }
            let peripheral = try await Self.connect(world)
            let connection = try #require(await peripheral.connection)
            let service = try await peripheral.service(ConformancePeer.service)
            let value = try service.characteristic(ConformancePeer.value)
            let output = try service.characteristic(ConformancePeer.output)
            let (input, sent) = (value.discovered.value, output.discovered.value)
            let values = try await output.values(.notifications)
            try await value.write([1, 2], .withoutResponse)
            #expect(try await value.read() == [1, 2])
            let trigger = try service.characteristic(ConformancePeer.trigger)
            await #expect(throws: CentralError.self) { try await trigger.write(ConformancePeer.Trigger.refuse(0x80)) }
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(1), peripheral)
            #expect(try await first(1, of: values) == [[0]])
            await world.central.removeObserver(number)
            try await peripheral.disconnect()

            let all = record.observations.filter { if case .event(.mtuChanged) = $0 { false } else { true } }
            let peer = peripheral.id
            #expect(all.first == .connected(peer, connection, name: nil))
            let discovered = try await Self.services(all)
            func request(_ observation: CentralObservation) -> CentralRequest? {
                if case .began(_, peer, let request) = observation { request } else { nil }
            }
            let order = ConformancePeer.Trigger.notify(1)
            let told = trigger.discovered.value
            #expect(
                all.compactMap(request) == [
                    .discover, .subscribe(sent, .notifications), .write(input, [1, 2], .withoutResponse), .read(input),
                    .write(told, ConformancePeer.Trigger.refuse(0x80), .withResponse),
                    .write(told, order, .withResponse),
                ])
            #expect(discovered.contains(service.discovered))
            // A value comes before the write that triggers it is answered.
            let event = CentralObservation.event(.notification(connection, sent, value: [0], isIndication: false))
            let place = try #require(all.firstIndex(of: event))
            #expect(request(all[place - 1]) == .write(told, order, .withResponse))
            guard case .ended(_, peer, .write(told, order, .withResponse), .success(.done)) = all[place + 1] else {
                Issue.record("expected the end of the write after its value, got \(all[place + 1])")
                return
            }
            let errors = all.compactMap { observation -> CentralError? in
                if case .ended(_, _, _, .failure(let error)) = observation { error } else { nil }
            }
            #expect(errors.map(\.code) == [.attError(0x80)])
        }
    }

    private static func services(_ all: [CentralObservation]) async throws -> [DiscoveredService] {
        try #require(
            all.compactMap { observation -> [DiscoveredService]? in
                if case .ended(_, _, .discover, .success(.services(let services))) = observation {
                    services
                } else {
                    nil
                }
            }.first)
    }

    @Test func valuesFromBeforeTheDiscoveryAreHeld() async throws {
        try await ClientWorld.run { world in
            let record = Record()
            await world.central.addObserver { record.append($0) }
            var peripheral = try await Self.connect(world)
            let answering = Task(executorPreference: world.executor) { [events = try await peripheral.events()] in
                for await event in events {
                    guard case .pairingInput = event else { continue }
                    try await world.peripheral().answerPairing(.passkey(ConformancePeer.passkey))
                    return
                }
            }
            #expect(try await peripheral.pair().isBonded)
            try await answering.value
            let early = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.early)
            try await early.subscribe(.notifications)
            try await peripheral.disconnect()
            try await world.sleep(.seconds(1))

            peripheral = try await Self.connect(world)
            #expect(try await peripheral.encrypt().isEncrypted)
            // Nobody can listen yet: the attributes are not known.
            try await world.sleep(.seconds(1))
            let again = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.early)
            #expect(try await first(1, of: try await again.values()) == [[0xEA]])
            try await peripheral.disconnect()

            peripheral = try await Self.connect(world)
            _ = try await peripheral.encrypt()
            try await world.sleep(.seconds(1))
            let value = try await first(1, of: try await peripheral.notifications()).first
            #expect(value?.value == [0xEA] && value?.isIndication == false)
            #expect(await world.central.droppedCount == 0)
            let bonds = try await world.central.bonds()
            #expect(bonds.map(\.identity) == [ConformancePeer.addresses[0]])
            try await world.central.forget(ConformancePeer.addresses[0])
            #expect(try await world.central.bonds().isEmpty)
            #expect(record.observations.last == .forgot(ConformancePeer.addresses[0]))
        }
    }

    @Test func droppedValuesAndSightingsAreCounted() async throws {
        try await ClientWorld.run { world in
            let sightings = try await world.central.sightings(
                ScanFilter(allowsDuplicates: true), for: .seconds(5), keeping: 1)
            try await world.sleep(.seconds(6))
            let heard = try await first(99, of: sightings)
            let missed = await world.central.droppedCount
            #expect(heard.count == 1 && missed > 3)
            let peripheral = try await Self.connect(world)
            let output = try await peripheral.service(ConformancePeer.service).characteristic(ConformancePeer.output)
            let values = try await peripheral.notifications(keeping: 2)
            try await output.subscribe(.notifications)
            try await ClientWorld.trigger(ConformancePeer.Trigger.notify(5), peripheral)
            try await world.sleep(.seconds(1))
            #expect(try await first(2, of: values).map(\.value) == [[3], [4]])
            #expect(await world.central.droppedCount == missed + 3)
        }
    }

    @Test func anyBytesAreSentAsATT() async throws {
        try await ClientWorld.run { world in
            let peripheral = try await Self.connect(world)
            let record = Record()
            await world.central.addObserver { record.append($0) }
            // A PDU of a method that no server knows: Error Response, Request Not Supported (Core 5.4, Vol 3 Part F 3.4.1.1).
            let answer = try await peripheral.exchangeATT([0x3D], within: .seconds(1))
            #expect(answer == [0x01, 0x3D, 0x00, 0x00, 0x06])
            guard case .ended(_, _, .exchangeATT([0x3D]), .success(.pdu(answer))) = record.observations.last else {
                Issue.record("expected the exchange, got \(record.observations)")
                return
            }
        }
    }

    /// A controller scans on by itself, and has a radio of its own.
    @Test func closingEndsASearch() async throws {
        try await ClientWorld.run { world in
            let sightings = try await world.central.sightings()
            let heard = Record()
            await world.central.addObserver { heard.append($0) }
            _ = try await first(1, of: sightings)
            let still = try await world.central.sightings(ScanFilter(allowsDuplicates: true))
            try await world.sleep(.seconds(1))
            let before = heard.observations.count
            #expect(before > 0)
            await world.central.close()
            try await world.sleep(.seconds(3))
            #expect(heard.observations.count == before)
            _ = try await first(.max, of: still)
        }
    }
}
