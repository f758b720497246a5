import BLECentral
import BLEClients
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Console
import MonotonicTime
import Synchronization
import Testing

/// Peers that are not what the client expects.
@Suite struct BLESerialPeerTests {
    private static func addPeer(
        _ services: [ServiceDefinition], named name: String, to world: BLESerialWorld
    ) async throws -> BLEPeripheral {
        let port = await world.radio.attach(address: DeviceAddress(0x240A_C4C0_0002, .public))
        let peripheral = try BLEPeripheral(
            PeripheralDefinition(name: name, services: services), on: port, executor: world.executor)
        try await peripheral.start()
        return peripheral
    }

    /// A client of the second peer.
    private static func client(
        _ world: BLESerialWorld, _ policy: ReconnectionPolicy = ReconnectionPolicy(tries: 1)
    ) -> BLESerial {
        BLESerial(world.central, policy: policy) { $0.address?.value == 0x240A_C4C0_0002 }
    }

    private static func link(of serial: BLESerial, in world: BLESerialWorld) async throws -> ClientLink {
        for _ in 0..<20_000 {
            switch await serial.link {
            case .disconnected, .searching, .connecting: try await world.sleep(.milliseconds(10))
            case let link: return link
            }
        }
        return await serial.link
    }

    @Test func aPeerWithoutSerialServiceIsSaidSo() async throws {
        try await BLESerialWorld.run(connects: false) { world in
            let battery = ServiceDefinition(BLEUUID(0x180F), [CharacteristicDefinition(BLEUUID(0x2A19), .read)])
            let peer = try await Self.addPeer([battery], named: "HMSoft", to: world)
            let serial = Self.client(world)
            await serial.connect()
            #expect(
                try await Self.link(of: serial, in: world)
                    == .failed(
                        """
                        expected the service FFE0 (HM-10) or 6E400001-B5A3-F393-E0A9-E50E24DCCA9E (Nordic UART), the \
                        peripheral has 1800, 1801, 180F
                        """))
            await peer.stop()
        }
    }

    /// A SensorTag's keys have the HM-10's UUIDs.
    @Test func aServiceThatTakesNoWritesIsSaidSo() async throws {
        try await BLESerialWorld.run(connects: false) { world in
            let keys = ServiceDefinition(BLEUUID(0xFFE0), [CharacteristicDefinition(BLEUUID(0xFFE1), .notify)])
            let peer = try await Self.addPeer([keys], named: "SensorTag", to: world)
            let serial = Self.client(world)
            await serial.connect()
            #expect(
                try await Self.link(of: serial, in: world)
                    == .failed("HM-10: expected FFE1 to take writes, it does not"))
            await peer.stop()
        }
    }

    @Test func theOtherServiceIsTakenIfOneCannotBeUsed() async throws {
        try await BLESerialWorld.run(connects: false) { world in
            let nus = BLESerialService.nordicUART
            let peer = try await Self.addPeer(
                [
                    ServiceDefinition(BLEUUID(0xFFE0), [CharacteristicDefinition(BLEUUID(0xFFE1), .notify)]),
                    ServiceDefinition(
                        nus.uuid,
                        [
                            CharacteristicDefinition(nus.input, .writeWithoutResponse),
                            CharacteristicDefinition(nus.output, .notify),
                        ]),
                ], named: "Both", to: world)
            let serial = Self.client(world)
            await serial.connect()
            #expect(try await Self.link(of: serial, in: world) == .connected)
            try await serial.send([1])
            try await serial.waitUntilSent()
            await serial.disconnect()
            await peer.stop()
        }
    }

    @Test func theFirstOfTwoOfOneNameIsKept() async throws {
        var settings = SerialBoard.Settings()
        settings.echoes = true
        try await BLESerialWorld.run(settings) { [settings] world in
            let other = SerialBoard(settings, world.executor)
            let port = await world.radio.attach(address: DeviceAddress(0x240A_C4C0_0002, .public))
            let twin = try other.peripheral(on: port)
            try await twin.start()
            await world.cutLink()
            try await world.wait { $0 != .connected }
            try await world.sleep(.seconds(2))
            try await world.serial.send([1, 2, 3])
            await world.restoreLink()
            try await world.serial.waitUntilSent()
            // Not the other one, although that was there all the time.
            #expect(world.board.state.withLock { $0.passedOn } == [1, 2, 3])
            #expect(other.state.withLock { $0.passedOn.isEmpty })
            await twin.stop()
        }
    }

    /// Whoever ends it does not wait for a board that is silent while it is set up.
    @Test(arguments: [ATTOpcode.readByGroupTypeResponse, .exchangeMTUResponse, .writeResponse])
    func aSilentSetUpEndsWithTheConnection(dropped: ATTOpcode) async throws {
        try await BLESerialWorld.run(connects: false) { world in
            _ = await world.radio.add(PDUFault(.drop, .attribute(dropped), count: nil), at: world.peripheralPort.id)
            let connecting = Task(executorPreference: world.executor) { await world.serial.connect() }
            try await world.sleep(.seconds(5))
            let start = world.executor.now
            await world.serial.disconnect()
            await connecting.value
            #expect(start.duration(to: world.executor.now) < .seconds(2))
            #expect(await world.serial.link == .disconnected)
        }
    }

    /// A board whose software hangs: the connection lives, and nothing is answered.
    @Test func aPeerThatDoesNotAnswerIsGivenUp() async throws {
        try await BLESerialWorld.run { world in
            let fault = await world.radio.add(
                PDUFault(.drop, .attribute(.writeResponse), count: nil), at: world.peripheralPort.id)
            try await world.serial.send([1])
            await #expect(throws: CentralError.self) { try await world.serial.waitUntilSent() }
            guard case .failed(let why) = await world.serial.link else {
                Issue.record("\(await world.serial.link)")
                return
            }
            #expect(why.contains("30"), "\(why)")
            #expect(world.events.losses == [.unconfirmed(1)])
            await world.radio.remove(fault)
            // It can be tried again.
            try await world.connect()
            try await world.serial.send([2])
            try await world.serial.waitUntilSent()
        }
    }

    @Test func aCentralThatIsNotPoweredOnYetIsPoweredOn() async throws {
        var settings = SerialBoard.Settings()
        settings.echoes = true
        try await BLESerialWorld.run(settings, powersOn: false) { world in
            try await world.serial.send(line: "AT", ending: .cr)
            let echo = try await world.receive(3)
            #expect(echo == Array("AT\r".utf8))
        }
    }

    @Test func nobodyIsSaidSo() async throws {
        try await BLESerialWorld.run(connects: false) { world in
            await world.peripheral.stop()
            await world.serial.connect()
            try await world.wait { $0 == .notFound }
            await #expect(throws: CentralError.self) { try await world.serial.send([1]) }
            await #expect(throws: CentralError.self) { try await world.serial.read() }
        }
    }

    /// A board whose count goes backwards, or ahead of what was sent, or whose status is too short: nobody waits for ever.
    @Test(arguments: [[0xF0, 0xFF, 0xFF, 0xFF], [0xE8, 3, 0, 0], nil] as [[UInt8]?])
    func aBoardThatCannotCountIsGivenUp(count: [UInt8]?) async throws {
        try await BLESerialWorld.run(connects: false) { world in
            let hm10 = BLESerialService.hm10
            let line = CharacteristicDefinition(hm10.input, [.writeWithoutResponse, .notify])
            var status = CharacteristicDefinition(BLEUUID(0xFFE2), .read, maximumLength: 20)
            let reads = Mutex(0)
            status.onRead = { _, _ in
                let isFirst = reads.withLock { reads in
                    reads += 1
                    return reads == 1
                }
                if !isFirst, count == nil { return [1] }
                return (isFirst ? [0, 0, 0, 0] : count ?? []) + [100, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
            }
            let peer = try await Self.addPeer([ServiceDefinition(hm10.uuid, [line, status])], named: "Lies", to: world)
            let serial = Self.client(world)
            await serial.connect()
            #expect(try await Self.link(of: serial, in: world) == .connected)
            try await serial.send([1, 2])
            await #expect(throws: CentralError.self) { try await serial.waitUntilSent() }
            guard case .failed(let why) = await serial.link else {
                Issue.record("\(await serial.link)")
                return
            }
            let start = "status of the board (FFE2): expected at most 2 bytes more than before, 3 times"
            #expect(why.hasPrefix(start), "\(why)")
            #expect(reads.withLock { $0 } == 4)
            await peer.stop()
        }
    }

    /// A board that refuses writes, as one that wants a paired link.
    @Test func aRefusedWriteIsSaidSo() async throws {
        try await BLESerialWorld.run(connects: false) { world in
            let hm10 = BLESerialService.hm10
            let line = CharacteristicDefinition(hm10.input, [.write, .notify]) { _, _, _ in
                throw ATTErrorCode.insufficientAuthentication
            }
            let peer = try await Self.addPeer([ServiceDefinition(hm10.uuid, [line])], named: "Refuses", to: world)
            let serial = Self.client(world)
            await serial.connect()
            #expect(try await Self.link(of: serial, in: world) == .connected)
            try await serial.send([1, 2])
            try await world.sleep(.seconds(5))
            guard case .failed = await serial.link else {
                Issue.record("\(await serial.link)")
                return
            }
            await peer.stop()
        }
    }
}
