import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Synchronization
import Testing

/// Our own host as a backend of published peripherals.
@Suite struct BackendTests {
    private static let measurement = AttributePath(service: 0, characteristic: 0)
    private static let control = AttributePath(service: 0, characteristic: 1)
    private static let secret = AttributePath(service: 0, characteristic: 2)
    private static let alarm = AttributePath(service: 0, characteristic: 3)
    private static let description = AttributePath(service: 0, characteristic: 3, descriptor: 0)
    /// Of the same UUID as the measurement.
    private static let twin = AttributePath(service: 1, characteristic: 0)

    private static var definition: PeripheralDefinition {
        var definition = PeripheralDefinition(
            name: "Heart",
            services: [
                ServiceDefinition(
                    BLEUUID(0x180D),
                    [
                        CharacteristicDefinition(BLEUUID(0x2A37), [.read, .notify], value: [0, 60]),
                        CharacteristicDefinition(BLEUUID(0x2A39), [.read, .write], value: [9], maximumLength: 2),
                        CharacteristicDefinition(BLEUUID(0xAA03), .read, value: [42], readNeeds: .encrypted),
                        CharacteristicDefinition(
                            BLEUUID(0xAA04), .indicate,
                            descriptors: [DescriptorDefinition(BLEUUID(0x2901), [.read, .write], value: [1])]),
                    ]),
                ServiceDefinition(
                    BLEUUID(0xAA10), [CharacteristicDefinition(BLEUUID(0x2A37), [.read, .notify], value: [7])]),
            ])
        definition.security = SecurityConfiguration(ioCapability: .noInputNoOutput, bonding: true)
        return definition
    }

    /// Handlers that note what they are called with.
    private static func handlers(_ notes: Notes) -> PeripheralHandlers {
        PeripheralHandlers(
            onRead: { path, _ in
                notes.add("read \(path.service).\(path.characteristic)")
                return path == measurement ? [0, 61] : nil
            },
            onWrite: { value, path, central in
                guard value != [0xFF] else { throw ATTErrorCode.valueNotAllowed }
                notes.add("write \(value) by \(central)")
            },
            onSubscribe: { subscription, path, central in
                notes.add("subscription \(subscription) of \(path.characteristic) by \(central?.description ?? "?")")
            },
            onEvent: { event in
                switch event {
                case .connected, .disconnected, .roomAvailable: notes.add("\(event)")
                default: notes.add("unexpected \(event)")
                }
            })
    }

    /// The attributes of the definition on a connection, by their places.
    private static func attributes(
        _ central: HCICentral, _ connection: ConnectionID
    ) async throws -> [AttributePath: AttributeID] {
        var attributes: [AttributePath: AttributeID] = [:]
        // GAP and GATT come first.
        let services = try await central.discoverServices(on: connection).dropFirst(2)
        for (serviceIndex, service) in services.enumerated() {
            for (index, characteristic) in service.characteristics.enumerated() {
                var path = AttributePath(service: serviceIndex, characteristic: index)
                attributes[path] = characteristic.value
                path.descriptor = 0
                let descriptors = characteristic.descriptors.filter { $0.uuid != BLEUUID(0x2902) }
                attributes[path] = descriptors.first?.attribute
            }
        }
        return attributes
    }

    private func publish(_ world: PeripheralWorld, _ notes: Notes) async throws -> HCIPeripheral {
        let port = await world.radio.attach(address: PeripheralWorld.address)
        let backend = HCIPeripheral(on: port, executor: world.executor)
        try await backend.publish(Self.definition, Self.handlers(notes))
        return backend
    }

    @Test func centralsReadAndWrite() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            let backend = try await publish(world, notes)
            let (central, _) = try await world.central()
            let connection = try await world.connect(central)
            let attributes = try await Self.attributes(central, connection)
            let control = try #require(attributes[Self.control])
            #expect(try await central.read(#require(attributes[Self.measurement]), on: connection) == [0, 61])
            #expect(try await central.read(control, on: connection) == [9])
            try await central.write([1, 2], to: control, kind: .withResponse, on: connection)
            #expect(try await central.read(control, on: connection) == [1, 2])
            let refusal = await failure {
                try await central.write([0xFF], to: control, kind: .withResponse, on: connection)
            }
            #expect(refusal == .attError(ATTErrorCode.valueNotAllowed.rawValue))
            #expect(try await central.read(control, on: connection) == [1, 2])
            try backend.setValue([5], of: Self.control)
            #expect(try await central.read(control, on: connection) == [5])
            let description = try #require(attributes[Self.description])
            try await central.write([8], to: description, kind: .withResponse, on: connection)
            #expect(try await central.read(description, on: connection) == [8])
            #expect(
                notes.all == [
                    "connected(02:00:00:00:00:01)", "read 0.0", "read 0.1",
                    "write [1, 2] by 02:00:00:00:00:01", "read 0.1", "read 0.1", "read 0.1",
                    "write [8] by 02:00:00:00:00:01", "read 0.3",
                ])
        }
    }

    @Test func subscribedCentralsAreNotified() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            let backend = try await publish(world, notes)
            let (central, events) = try await world.central()
            let connection = try await world.connect(central)
            let attributes = try await Self.attributes(central, connection)
            // To nobody.
            #expect(try backend.notify([1], of: Self.measurement))
            try await central.setSubscription(
                .notifications, of: #require(attributes[Self.measurement]), on: connection)
            #expect(try backend.notify([2], of: Self.measurement))
            #expect(try backend.notify([3], of: Self.twin))
            #expect(try backend.notify([4], of: Self.measurement, to: RemoteCentral("02:00:00:00:00:02")))
            #expect(try backend.notify([5], of: Self.measurement, to: RemoteCentral("02:00:00:00:00:01")))
            try await world.sleep()
            #expect(events.notifications == [[2], [5]])
            try await central.disconnect(connection)
            try await world.sleep()
            #expect(
                notes.all == [
                    "connected(02:00:00:00:00:01)", "subscription notifications of 0 by 02:00:00:00:00:01",
                    "subscription none of 0 by 02:00:00:00:00:01", "disconnected(02:00:00:00:00:01)",
                ])
        }
    }

    @Test func aFullQueueAndAnOpenIndicationAreReported() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            let backend = try await publish(world, notes)
            let (central, events) = try await world.central()
            let connection = try await world.connect(central)
            let attributes = try await Self.attributes(central, connection)
            try await central.setSubscription(
                .notifications, of: #require(attributes[Self.measurement]), on: connection)
            try await central.setSubscription(.indications, of: #require(attributes[Self.alarm]), on: connection)
            var count: UInt8 = 0
            while count < 100, try backend.notify([count], of: Self.measurement) { count += 1 }
            #expect(count > 4 && count < 100)
            try await world.sleep()
            #expect(events.notifications == (0..<count).map { [$0] })
            #expect(notes.all.last == "roomAvailable")
            #expect(try backend.notify([101], of: Self.alarm))
            #expect(try !backend.notify([102], of: Self.alarm))
            try await world.sleep()
            #expect(try backend.notify([103], of: Self.alarm))
            try await world.sleep()
            #expect(events.notifications.suffix(2) == [[101], [103]])
            #expect(notes.all.filter { $0 == "roomAvailable" }.count == 2)
        }
    }

    @Test func anEncryptedValueNeedsAPairing() throws {
        try PeripheralWorld().run { world in
            _ = try await publish(world, Notes())
            let (central, _) = try await world.central()
            let connection = try await world.connect(central)
            let secret = try #require(try await Self.attributes(central, connection)[Self.secret])
            let refusal = await failure { try await central.read(secret, on: connection) }
            #expect(refusal == .attError(ATTErrorCode.insufficientAuthentication.rawValue))
            _ = try await central.pair(connection)
            #expect(try await central.read(secret, on: connection) == [42])
        }
    }

    @Test func closingEndsConnectionsAndPublishingAgainReplaces() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            let backend = try await publish(world, notes)
            let (central, events) = try await world.central()
            let connection = try await world.connect(central)
            try await world.sleep()
            await backend.close()
            #expect(events.all.contains(.disconnected(connection, reason: 0x13)))
            #expect(notes.all.last == "disconnected(02:00:00:00:00:01)")
            let error = #expect(throws: PeripheralError.self) { try backend.notify([1], of: Self.measurement) }
            #expect(error?.code == .stopped)
            #expect(await failure { try await central.discoverServices(on: connection) } == .notConnected)
            let next = PeripheralDefinition(
                name: "Next", services: [ServiceDefinition(BLEUUID(0xAA20), [])])
            try await backend.publish(next, PeripheralHandlers())
            try await backend.publish(Self.definition, Self.handlers(notes))
            let again = try await world.connect(central)
            #expect(try await Self.attributes(central, again).count == 6)
        }
    }

    @Test func aControllerThatIsGoneFailsOnceAndForGood() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            let port = LossyTransport(await world.radio.attach(address: PeripheralWorld.address))
            let backend = HCIPeripheral(on: port, executor: world.executor, name: "h4:desk")
            try await backend.publish(
                Self.definition, PeripheralHandlers(onEvent: { event in notes.add("\(event)") }))
            port.lose("unplugged")
            #expect(notes.all == ["failed(h4:desk: unplugged)"])
            let stopped = #expect(throws: PeripheralError.self) { try backend.notify([1], of: Self.measurement) }
            #expect(stopped?.code == .stopped)
            let error = await #expect(throws: PeripheralError.self) {
                try await backend.publish(Self.definition, PeripheralHandlers())
            }
            #expect(error?.code == .unavailable)
        }
    }

    @Test func whatCanNotBePublishedOrSentIsRefused() throws {
        try PeripheralWorld().run { world in
            let backend = try await publish(world, Notes())
            func code(_ value: [UInt8], _ path: AttributePath) -> PeripheralError.Code? {
                #expect(throws: PeripheralError.self) { try backend.notify(value, of: path) }?.code
            }
            #expect(code([1], Self.control) == .unsupported)
            #expect(code([1], Self.description) == .unsupported)
            #expect(code([], Self.measurement) == .valueTooLong)
            #expect(code([1], AttributePath(service: 9, characteristic: 0)) == .noSuchAttribute)
            #expect(code([1], AttributePath(service: 0, characteristic: -1)) == .noSuchAttribute)
            let tooLong = #expect(throws: PeripheralError.self) { try backend.setValue([1, 2, 3], of: Self.control) }
            #expect(tooLong?.code == .valueTooLong)
            var definition = Self.definition
            definition.onConnect = { _, _ in }
            let error = await #expect(throws: PeripheralError.self) {
                try await backend.publish(definition, PeripheralHandlers())
            }
            #expect(error?.code == .invalidDefinition)
        }
    }
}

/// A transport that ends when it is told to.
private final class LossyTransport: HCITransport {
    private let transport: any HCITransport
    private let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

    init(_ transport: any HCITransport) { self.transport = transport }

    func send(_ packet: HCIPacket) { transport.send(packet) }

    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) { transport.setReceiver(receiver) }

    func setLossHandler(_ handler: @escaping @Sendable (String) -> Void) { self.handler.withLock { $0 = handler } }

    func lose(_ reason: String) { handler.withLock { $0 }?(reason) }
}
