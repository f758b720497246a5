import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLERadio
import MonotonicTime
import BenchExecutor
import Testing

/// Our central and a peripheral with NimBLE's behaviour over the radio, in virtual time.
@Suite struct EndToEndTests {
    struct World: Sendable {
        let executor = BenchExecutor()
        let radio: Radio
        static let address = DeviceAddress(0x240A_C400_0110, .public)

        init() {
            radio = Radio(executor, seed: 1)
        }

        func peripheral() async throws -> TestPeripheral {
            let peripheral = try TestPeripheral(executor, await radio.attach(address: Self.address))
            try await peripheral.start()
            return peripheral
        }

        func central(_ number: UInt64 = 1) async throws -> (HCICentral, RadioPort, EventLog) {
            let port = await radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
            let address = DeviceAddress(0xC000_0000_0000 + number, .random)
            let central = HCICentral(executor: executor, transport: port, address: address)
            let log = EventLog()
            central.events.setHandler(on: central.executor) { log.append($0) }
            try await central.powerOn()
            return (central, port, log)
        }

        func sleep(_ duration: Duration) async throws {
            try await BenchClock(executor).sleep(for: duration)
        }

        /// Runs `body` with a central connected to the peripheral, which has reported the connection.
        func connected(
            _ body: @escaping @Sendable (HCICentral, ConnectionID, TestPeripheral, EventLog) async throws -> Void
        ) throws {
            try executor.run {
                let peripheral = try await peripheral()
                let (central, _, log) = try await central()
                let connection = try await central.connectAndAccept(to: PeerID(Self.address), within: .seconds(2))
                try await sleep(.milliseconds(200))
                try await body(central, connection, peripheral, log)
            }
        }
    }

    @Test func scanningReportsNameServiceAndRSSI() throws {
        let world = World()
        try world.executor.run {
            _ = try await world.peripheral()
            let (central, _, log) = try await world.central()
            try await central.startScanning(ScanFilter(services: [BLEUUID(0x180F)], name: "Lamp"))
            try await world.sleep(.seconds(1))
            try await central.stopScanning()
            guard case .advertisement(let advertisement) = log.all.first else {
                Issue.record("expected an advertisement, got \(log.all)")
                return
            }
            #expect(log.all.count == 1)
            #expect(advertisement.address == World.address)
            #expect(advertisement.rssi == -52)
            #expect(advertisement.isConnectable)
        }
    }

    @Test func discoveryFindsAllAttributes() throws {
        try World().connected { central, connection, peripheral, log in
            #expect(try await central.exchangeMTU(517, on: connection) == 255)
            #expect(log.all == [.mtuChanged(connection, 255)])
            let services = try await central.discoverServices(on: connection)
            #expect(services.map(\.uuid.description) == ["1800", "1801", "180F"])
            let handles = peripheral.handles
            #expect(
                services.last?.characteristics.map(\.handle) == [
                    handles.input, handles.output, handles.long, handles.alarm, handles.secret,
                ])
            #expect(services.last?.characteristics[1].descriptors.map(\.uuid) == [BLEUUID(0x2902)])
            let name = services[0].characteristics[0].value
            #expect(try await central.read(name, on: connection) == Array("Lamp".utf8))
            #expect(await peripheral.log == ["connected \(peripheral.firstHandle)"])
        }
    }

    @Test(arguments: [23, 255]) func longValuesAreReadAndWritten(mtu: Int) throws {
        try World().connected { central, connection, peripheral, _ in
            if mtu > 23 { _ = try await central.exchangeMTU(mtu, on: connection) }
            let attribute = AttributeID(rawValue: peripheral.handles.long)
            #expect(
                try await central.read(attribute, on: connection) == (0..<400).map { UInt8(truncatingIfNeeded: $0) })
            // A NimBLE server queues at most twelve parts.
            let value = (0..<200).map { UInt8(truncatingIfNeeded: 7 * $0) }
            try await central.write(value, to: attribute, kind: .withResponse, on: connection)
            #expect(try await central.read(attribute, on: connection) == value)
            if mtu == 23 {
                let error = await failure {
                    try await central.write(
                        [UInt8](repeating: 1, count: 300), to: attribute, kind: .withResponse, on: connection)
                }
                #expect(error?.code == .attError(0x11))
                #expect(try await central.read(attribute, on: connection) == value)
            }
        }
    }

    @Test func errorResponsesHaveTheirCodes() throws {
        try World().connected { central, connection, peripheral, _ in
            let input = AttributeID(rawValue: peripheral.handles.input)
            let read = await failure { try await central.read(input, on: connection) }
            #expect(read?.code == .attError(0x02))
            let long = await failure {
                try await central.write([1, 2, 3, 4], to: input, kind: .withResponse, on: connection)
            }
            #expect(long?.code == .attError(0x0D))
            let nowhere = await failure { try await central.read(AttributeID(rawValue: 0x99), on: connection) }
            #expect(nowhere?.code == .attError(0x01))
        }
    }

    @Test func notificationsAndIndicationsArrive() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            let input = AttributeID(rawValue: peripheral.handles.input)
            let output = AttributeID(rawValue: peripheral.handles.output)
            let alarm = AttributeID(rawValue: peripheral.handles.alarm)
            try await central.write([2, 3, 0], to: input, kind: .withoutResponse, on: connection)
            try await central.setSubscription(.notifications, of: output, on: connection)
            try await central.setSubscription(.indications, of: alarm, on: connection)
            for number in UInt8(0)..<50 {
                try await central.write([number, 3, 2], to: input, kind: .withoutResponse, on: connection)
            }
            try await world.sleep(.seconds(1))
            try await peripheral.indicateAlarm()
            try await world.sleep(.milliseconds(100))
            try await peripheral.indicateAlarm()
            try await world.sleep(.milliseconds(100))
            let products: [CentralEvent] = (UInt8(0)..<50).map {
                .notification(connection, output, value: [$0 &* 3], isIndication: false)
            }
            let alarms = [CentralEvent](
                repeating: .notification(connection, alarm, value: [1], isIndication: true), count: 2)
            #expect(log.all == products + alarms)
        }
    }

    @Test func eitherSideCanDisconnect() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            try await central.disconnect(connection)
            #expect(log.all == [.disconnected(connection, reason: 0x16)])
            try await world.sleep(.milliseconds(100))
            let handle = peripheral.firstHandle
            #expect(
                await peripheral.log.last == "disconnected \(handle) 0x13 remote user terminated connection true")

            let again = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            #expect(again != connection)
            try await world.sleep(.milliseconds(200))
            try await peripheral.disconnect(handle)
            try await world.sleep(.milliseconds(200))
            #expect(log.all.last == .disconnected(again, reason: 0x13))
        }
    }

    @Test func aLostLinkFailsPendingOperations() throws {
        let world = World()
        try world.executor.run {
            let peripheral = try await world.peripheral()
            let (central, port, log) = try await world.central()
            let connection = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            try await world.sleep(.milliseconds(200))
            await world.radio.setPath(RadioPath(pathLoss: 200), between: port.id, and: peripheral.port.id)
            let error = await failure { try await central.read(AttributeID(rawValue: 3), on: connection) }
            #expect(error?.code == .disconnected(reason: 0x08))
            #expect(log.all == [.disconnected(connection, reason: 0x08)])
            try await world.sleep(.seconds(3))
            #expect(await peripheral.log.last?.contains("0x08") == true)
        }
    }

    @Test func connectingToAnAbsentPeerTimesOutAndTheNextAttemptWorks() throws {
        let world = World()
        try world.executor.run {
            _ = try await world.peripheral()
            let (central, _, _) = try await world.central()
            let start = world.executor.now
            let error = await failure {
                try await central.connectAndAccept(to: PeerID(DeviceAddress(1, .public)), within: .seconds(3))
            }
            #expect(error?.code == .timedOut)
            #expect(start.duration(to: world.executor.now) < .milliseconds(3100))
            _ = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
        }
    }

    @Test func twoCentralsAreServedIndependently() throws {
        let world = World()
        try world.executor.run {
            let peripheral = try await world.peripheral()
            let (one, _, firstLog) = try await world.central(1)
            let (two, _, secondLog) = try await world.central(2)
            let first = try await one.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            let second = try await two.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            let output = AttributeID(rawValue: peripheral.handles.output)
            try await one.setSubscription(.notifications, of: output, on: first)
            try await two.write(
                [6, 7, 2], to: AttributeID(rawValue: peripheral.handles.input), kind: .withResponse, on: second)
            try await world.sleep(.milliseconds(200))
            #expect(firstLog.all == [.notification(first, output, value: [42], isIndication: false)])
            #expect(secondLog.all.isEmpty)
            try await one.disconnect(first)
            #expect(try await two.read(output, on: second) == [42])
        }
    }

    @Test func aPeripheralGetsTheRequestedParameters() throws {
        let world = World()
        try world.connected { _, _, peripheral, _ in
            let handle = peripheral.firstHandle
            try await peripheral.updateParameters(
                ConnectionParameters(intervalMin: 24, intervalMax: 24), on: handle)
            try await world.sleep(.seconds(1))
            #expect(await peripheral.log.last == "interval 24")
        }
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        func run() throws -> [String] {
            let world = World()
            let packets = PacketLog()
            try world.executor.run {
                await world.radio.setObserver { packets.append("\($0)") }
                let peripheral = try await world.peripheral()
                let (central, _, _) = try await world.central()
                let connection = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
                _ = try await central.discoverServices(on: connection)
                _ = try await central.read(AttributeID(rawValue: peripheral.handles.long), on: connection)
                try await central.disconnect(connection)
            }
            return packets.all
        }
        let first = try run()
        #expect(first.count > 100)
        #expect(try run() == first)
    }
}

extension TestPeripheral {
    /// The handle of the first connection: the controllers begin at 0.
    var firstHandle: UInt16 { 0 }
}
