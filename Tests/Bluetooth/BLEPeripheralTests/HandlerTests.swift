import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// Every handler is called with its event.
@Suite struct HandlerTests {
    private static let value = BLEUUID(0xAA01)
    private static let alarm = BLEUUID(0xAA02)
    private static let secret = BLEUUID(0xAA03)
    private static let description = BLEUUID(0x2901)

    private static func definition(_ notes: Notes) -> PeripheralDefinition {
        let count = Mutex(UInt8(0))
        return PeripheralDefinition(
            name: "Handlers",
            services: [
                ServiceDefinition(
                    BLEUUID(0xAA00),
                    [
                        CharacteristicDefinition(
                            value, .read,
                            descriptors: [
                                DescriptorDefinition(description, [.read, .write], value: [1]) { value, _, _ in
                                    notes.add("described \(value)")
                                }
                            ],
                            onRead: { connection, _ in
                                notes.add("read by \(connection)")
                                return count.withLock { count in
                                    count += 1
                                    return [count]
                                }
                            }),
                        CharacteristicDefinition(
                            alarm, .indicate,
                            onSubscribe: { configuration, _, _ in notes.add("subscribed \(configuration.rawValue)") },
                            onSent: { status, _, _ in notes.add("sent \(status.rawValue)") }),
                        CharacteristicDefinition(secret, [.read, .notify], value: [42], readNeeds: .authenticated),
                    ])
            ])
    }

    private static func attribute(_ uuid: BLEUUID, _ peripheral: BLEPeripheral) throws -> AttributeID {
        AttributeID(rawValue: try #require(peripheral.handles(of: uuid).first))
    }

    @Test func handlersAreCalledForAttributesAndConnections() throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            var definition = Self.definition(notes)
            definition.onConnect = { info, peripheral in
                notes.add("connected \(info.handle), \(peripheral.connections.count) in all")
            }
            definition.onDisconnect = { info, reason, _ in notes.add("disconnected \(info.handle) \(reason.rawValue)") }
            let peripheral = try await world.peripheral(definition)
            let (central, events) = try await world.central()
            let connection = try await world.connect(central)
            try await world.sleep()
            let value = try Self.attribute(Self.value, peripheral)
            #expect(try await central.read(value, on: connection) == [1])
            #expect(try await central.read(value, on: connection) == [2])
            let description = try Self.attribute(Self.description, peripheral)
            try await central.write([7, 8], to: description, kind: .withResponse, on: connection)
            #expect(try await central.read(description, on: connection) == [7, 8])
            let alarm = try Self.attribute(Self.alarm, peripheral)
            try await central.setSubscription(.indications, of: alarm, on: connection)
            #expect(try await peripheral.indicate([5], of: Self.alarm))
            try await world.sleep()
            #expect(events.notifications == [[5]])
            try await central.disconnect(connection)
            try await world.sleep()
            #expect(
                notes.all == [
                    "connected 0, 1 in all", "read by 0", "read by 0", "described [7, 8]", "subscribed 2", "sent 14",
                    "subscribed 0", "disconnected 0 19",
                ])
        }
    }

    /// Pairing by passkey, displayed or entered here, and by numeric comparison.
    @Test(
        arguments: [
            (IOCapability.displayOnly, IOCapability.keyboardOnly, "displayPasskey"),
            (.keyboardOnly, .displayOnly, "enterPasskey"),
            (.displayYesNo, .displayYesNo, "compareNumbers"),
        ])
    func thePairingHandlerAnswersAllMethods(here: IOCapability, there: IOCapability, asked: String) throws {
        try PeripheralWorld().run { world in
            let notes = Notes()
            var definition = Self.definition(notes)
            definition.security = SecurityConfiguration(
                ioCapability: here, bonding: true, mitm: true, secureConnections: true)
            definition.onPairingInput = { input, connection, peripheral in
                switch input {
                case .displayPasskey:
                    notes.add("displayPasskey")
                    return .passkey(314_159)
                case .enterPasskey:
                    notes.add("enterPasskey")
                    // The user answers after a delay.
                    let executor = world.executor
                    executor.schedule(at: executor.now.advanced(by: .seconds(3))) {
                        peripheral.assumeIsolated { try? $0.answerPairing(.passkey(314_159), on: connection) }
                    }
                    return nil
                case .compareNumbers:
                    notes.add("compareNumbers")
                    return .confirm(true)
                case .outOfBand: return .cancel
                }
            }
            let peripheral = try await world.peripheral(definition)
            let (central, events) = try await world.central(passkey: 314_159)
            try await central.setSecurity(CentralSecurity(ioCapability: there))
            let connection = try await world.connect(central)
            let secret = try Self.attribute(Self.secret, peripheral)
            #expect(await failure { try await central.read(secret, on: connection) } == .attError(0x05))
            #expect(
                await failure { try await central.setSubscription(.notifications, of: secret, on: connection) }
                    == .attError(0x05))
            #expect(try await central.pair(connection).isAuthenticated)
            #expect(try await central.read(secret, on: connection) == [42])
            try await central.setSubscription(.notifications, of: secret, on: connection)
            try await peripheral.update([43], of: Self.secret)
            try await world.sleep()
            #expect(events.notifications == [[43]])
            #expect(notes.all == [asked])
            #expect(await peripheral.bonds.count == 1)
        }
    }

    /// Without a handler a pairing with a passkey fails, and the peripheral continues.
    @Test func aPairingWithoutAHandlerFails() throws {
        try PeripheralWorld().run { world in
            var definition = Self.definition(Notes())
            definition.security = SecurityConfiguration(ioCapability: .displayOnly, mitm: true, secureConnections: true)
            let peripheral = try await world.peripheral(definition)
            let (central, _) = try await world.central(passkey: 1)
            try await central.setSecurity(CentralSecurity(ioCapability: .keyboardOnly))
            let connection = try await world.connect(central)
            #expect(await failure { try await central.pair(connection) } == .pairingFailed(reason: 0x01))
            let value = try Self.attribute(Self.value, peripheral)
            #expect(try await central.read(value, on: connection) == [1])
        }
    }
}
