import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Testing

/// The order in which NimBLE's one host task handles what comes while the application is in a callback.
@Suite struct HostTaskQueueTests {
    private static func event(_ number: UInt8) -> HCIPacket { HCIPacket(.event, [0x13, number]) }
    private static func data(_ number: UInt8) -> HCIPacket { HCIPacket(.acl, [number]) }

    private static func drain(_ queue: inout HostTaskQueue) -> [UInt8] {
        var numbers: [UInt8] = []
        while let packet = queue.nextPacket() { numbers.append(packet.bytes.last ?? 0) }
        return numbers
    }

    @Test func packetsKeepTheirOrder() {
        var queue = HostTaskQueue()
        for packet in [Self.event(1), Self.event(2), Self.data(3)] { queue.append(packet) }
        #expect(!queue.hasMoreData)
        #expect(Self.drain(&queue) == [1, 2, 3])
    }

    @Test func dataOvertakesEventsWhileTheTaskReceivesData() {
        var queue = HostTaskQueue()
        for packet in [Self.data(1), Self.event(2), Self.data(3), Self.event(4), Self.data(5)] { queue.append(packet) }
        #expect(!queue.hasMoreData)
        #expect(queue.nextPacket() == Self.data(1))
        #expect(queue.hasMoreData)
        #expect(Self.drain(&queue) == [3, 5, 2, 4])
        #expect(!queue.hasMoreData)
    }

    @Test func dataOvertakesNothingAfterADeadline() {
        var queue = HostTaskQueue()
        queue.append(Self.data(1))
        #expect(queue.nextPacket() == Self.data(1))
        queue.endReceiving()
        for packet in [Self.event(2), Self.data(3)] { queue.append(packet) }
        #expect(!queue.hasMoreData)
        #expect(Self.drain(&queue) == [2, 3])
    }

    @Test func aResetDropsPacketsAndKeepsEvents() {
        var queue = HostTaskQueue()
        queue.append(Self.data(1))
        queue.append(.advertisingEnded)
        queue.removePackets()
        #expect(queue.nextPacket() == nil)
        guard case .advertisingEnded? = queue.nextEvent(isInCallback: false) else {
            Issue.record("the event is lost")
            return
        }
    }

    @Test func whatACallWaitsForOvertakesTheEventsOfACallback() {
        var queue = HostTaskQueue()
        queue.append(.linkEnding(1))
        queue.append(.acceptListAnswered(.success))
        guard case .acceptListAnswered? = queue.nextEvent(isInCallback: true) else {
            Issue.record("the answer waits")
            return
        }
        #expect(queue.nextEvent(isInCallback: true) == nil)
        guard case .linkEnding(1)? = queue.nextEvent(isInCallback: false) else {
            Issue.record("the event is lost")
            return
        }
    }
}

/// A host with a GATT server whose application stays in its callbacks until the test returns from them.
@Suite struct PeripheralHostTests {
    /// On a controller of the air; with NimBLE's behaviour.
    private actor Held {
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private let executor: BenchExecutor
        private let port: RadioPort
        private let peripheral = PeripheralHost(.nimble)
        private var tokens: [GATTCallbackToken] = []
        /// What the application has been told, a word each.
        private(set) var told: [String] = []

        init(_ world: PeripheralWorld) async throws {
            executor = world.executor
            port = await world.radio.attach(address: PeripheralWorld.address)
            var builder = GATTDatabaseBuilder(deviceName: "Held")
            let service = builder.addService(.uuid16(0xAA00))
            let characteristic = builder.addCharacteristic(
                .uuid16(0xAA01), to: service, properties: [.read, .write, .writeWithoutResponse, .notify])
            let database = try builder.register()
            peripheral.setDatabase(database, preferredMTU: 255, now: executor.now) { server in
                server.setHasCallbacks(true, of: database.valueHandle(of: characteristic))
            }
            port.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
            peripheral.start(now: executor.now)
            pump()
        }

        private func receive(_ packet: HCIPacket) {
            peripheral.receive(packet, now: executor.now)
            pump()
        }

        private func pump() {
            while let event = peripheral.nextEvent(now: executor.now) {
                switch event {
                case .host(.synchronized):
                    told.append("synchronized")
                    try? peripheral.host.startAdvertising(now: executor.now)
                case .host(.acceptListAnswered(let status)): told.append("accept list: \(status.rawValue)")
                case .host(.disconnected): told.append("disconnected")
                case .host: break
                case .server(.written(let token?, _, _, let value)): call("written \(value)", token)
                case .server(.readRequested(let token, _, _)): call("read", token)
                case .server(.subscribed(let token?, _, _, let value)): call("subscribed \(value)", token)
                case .server: break
                }
            }
            while let packet = peripheral.nextOutput() { port.send(packet) }
        }

        private func call(_ word: String, _ token: GATTCallbackToken) {
            told.append(word)
            tokens.append(token)
        }

        /// Returns from the callback, of which there is only one.
        func comeBack() throws {
            try #require(tokens.count == 1)
            peripheral.server?.resume(tokens.removeFirst(), now: executor.now)
            pump()
        }

        /// Sets the accept list: its commands are answered during a callback, too.
        func setAcceptList() throws {
            try peripheral.host.setAcceptList([PeripheralWorld.address], now: executor.now)
            pump()
        }

        /// Notifies of a value when the host's task comes to it.
        func notify(of handle: UInt16) {
            peripheral.server?.setValue([0xEE], of: handle)
            peripheral.server?.notifySubscribers(of: handle, now: executor.now)
            pump()
        }
    }

    private func connected(_ world: PeripheralWorld) async throws -> (
        Held, HCICentral, ConnectionID, AttributeID, Events
    ) {
        let held = try await Held(world)
        let (central, events) = try await world.central()
        let connection = try await world.connect(central)
        let services = try await central.discoverServices(on: connection)
        let service = try #require(services.first { $0.uuid == BLEUUID(0xAA00) })
        return (held, central, connection, try #require(service.characteristics.first).value, events)
    }

    @Test func theServerCountsTheBuffersOfTheHostsPool() {
        let peripheral = PeripheralHost(.nimble)
        peripheral.setDatabase(GATTDatabase(), preferredMTU: 255, now: .zero) { _ in }
        #expect(peripheral.server?.freeBuffers == 12)
        peripheral.host.pool = NimBLEBuffers(count: 5, size: 64)
        #expect(peripheral.server?.freeBuffers == 5)
    }

    @Test func whatComesDuringACallbackIsHandledInOrder() throws {
        try PeripheralWorld().run { world in
            let (held, central, connection, value, _) = try await connected(world)
            for number: UInt8 in 1...4 {
                try await central.write([number], to: value, kind: .withoutResponse, on: connection)
            }
            async let read = central.read(value, on: connection)
            try await world.sleep()
            #expect(await held.told == ["synchronized", "written [1]"])
            for _ in 1...4 { try await held.comeBack() }
            // The controller had no more buffers of the host for the read.
            try await world.sleep()
            #expect(
                await held.told
                    == ["synchronized", "written [1]", "written [2]", "written [3]", "written [4]", "read"])
            try await held.comeBack()
            #expect(try await read == [4])
        }
    }

    @Test func aLinkThatEndsDuringACallbackIsReportedAfterIt() throws {
        try PeripheralWorld().run { world in
            let (held, central, connection, value, _) = try await connected(world)
            async let subscription: Void = central.setSubscription(.notifications, of: value, on: connection)
            try await world.sleep()
            try await held.comeBack()
            try await subscription
            try await central.write([1], to: value, kind: .withoutResponse, on: connection)
            try await world.sleep()
            try await central.disconnect(connection)
            try await world.sleep()
            #expect(await held.told == ["synchronized", "subscribed 1", "written [1]"])
            try await held.comeBack()
            #expect(await held.told.dropFirst(3) == ["subscribed 0"])
            try await held.comeBack()
            #expect(await held.told.dropFirst(4) == ["disconnected"])
        }
    }

    @Test func answersToCommandsDoNotWaitForACallback() throws {
        try PeripheralWorld().run { world in
            let (held, central, connection, value, _) = try await connected(world)
            try await central.write([1], to: value, kind: .withoutResponse, on: connection)
            try await world.sleep()
            try await held.setAcceptList()
            try await world.sleep()
            #expect(await held.told.last == "accept list: 0")
        }
    }

    @Test func deferredNotificationsComeAfterAllReceivedData() throws {
        try PeripheralWorld().run { world in
            let (held, central, connection, value, events) = try await connected(world)
            async let subscription: Void = central.setSubscription(.notifications, of: value, on: connection)
            try await world.sleep()
            try await held.comeBack()
            try await subscription
            for number: UInt8 in 1...2 {
                try await central.write([number], to: value, kind: .withoutResponse, on: connection)
            }
            try await world.sleep()
            await held.notify(of: value.rawValue)
            try await held.comeBack()
            try await world.sleep()
            // The second write has come before it, and its callback has not returned.
            #expect(events.notifications == [])
            try await held.comeBack()
            try await world.sleep()
            #expect(events.notifications == [[2]])
        }
    }
}
