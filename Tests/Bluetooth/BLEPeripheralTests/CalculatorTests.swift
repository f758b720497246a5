import BLECentral
import BLECentralHCI
import BLECore
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Testing

/// A peripheral written in Swift, and our central.
@Suite struct CalculatorTests {
    @Test(arguments: HostBehaviour.allCases) func theCalculatorAnswersWrites(behaviour: HostBehaviour) throws {
        try PeripheralWorld().run { world in
            let calculator = try await world.peripheral(Calculator.definition, behaviour)
            let (central, events) = try await world.central()
            try await central.startScanning(ScanFilter(services: [Calculator.service], name: "Calculator"))
            try await world.sleep()
            try await central.stopScanning()
            #expect(events.all.count == 1)

            let connection = try await world.connect(central)
            let services = try await central.discoverServices(on: connection)
            let characteristics = try #require(services.last).characteristics
            #expect(characteristics.map(\.uuid) == [Calculator.output, Calculator.input])
            let (output, input) = (characteristics[0].value, characteristics[1].value)
            #expect(characteristics[0].properties == [.read, .notify])
            try await central.setSubscription(.notifications, of: output, on: connection)
            for (number, kind) in [WriteKind.withResponse, .withoutResponse, .withResponse].enumerated() {
                try await central.write([9, 6, UInt8(number)], to: input, kind: kind, on: connection)
                try await world.sleep()
            }
            #expect(events.notifications == [[15], [3], [54]])
            #expect(try await central.read(output, on: connection) == [54])
            #expect(try await calculator.value(of: Calculator.output) == [54])
        }
    }

    /// An error thrown by a handler is sent to the client, and the write has no effect.
    @Test func anErrorOfAHandlerRefusesTheWrite() throws {
        try PeripheralWorld().run { world in
            let calculator = try await world.peripheral(Calculator.definition)
            let (central, events) = try await world.central()
            let connection = try await world.connect(central)
            let input = AttributeID(rawValue: try #require(calculator.handles(of: Calculator.input).first))
            let output = AttributeID(rawValue: try #require(calculator.handles(of: Calculator.output).first))
            try await central.setSubscription(.notifications, of: output, on: connection)
            try await central.write([1, 2, 0], to: input, kind: .withResponse, on: connection)
            for (value, code) in [([UInt8]([1, 2]), UInt8(0x0D)), ([1, 2, 9], 0x13)] {
                #expect(
                    await failure { try await central.write(value, to: input, kind: .withResponse, on: connection) }
                        == .attError(code))
            }
            try await world.sleep()
            #expect(events.notifications == [[3]])
            #expect(try await calculator.value(of: Calculator.input) == [1, 2, 0])
        }
    }

    /// It advertises until a central connects, and again after the disconnection; not after a stop.
    @Test func advertisingFollowsConnections() throws {
        try PeripheralWorld().run { world in
            let calculator = try await world.peripheral(Calculator.definition)
            let (central, _) = try await world.central()
            #expect(await calculator.isAdvertising)
            #expect(await calculator.address == PeripheralWorld.address)
            for _ in 0..<2 {
                let connection = try await world.connect(central)
                try await world.sleep()
                #expect(await !calculator.isAdvertising)
                try await central.disconnect(connection)
                try await world.sleep()
                #expect(await calculator.isAdvertising)
            }
            try await calculator.stopAdvertising()
            #expect(await failure { try await world.connect(central) } == .timedOut)
            try await calculator.startAdvertising()
            _ = try await world.connect(central)
            await calculator.stop()
            try await world.sleep(.seconds(5))
            #expect(await failure { try await world.connect(central) } == .timedOut)
        }
    }

    @Test func invalidDefinitionsAreErrors() async throws {
        let world = PeripheralWorld()
        let radio = world.radio
        var definition = Calculator.definition
        definition.services[0].characteristics[0].maximumLength = 0
        let port = try world.executor.run { await radio.attach(address: PeripheralWorld.address) }
        let error = #expect(throws: PeripheralError.self) {
            try BLEPeripheral(definition, on: port, executor: world.executor)
        }
        #expect(
            error?.description == """
                attribute 643954A4-A6CC-455C-825C-499190CE7DB0: expected a value of at most 0 bytes and a limit of \
                0...512, got 1 bytes
                """)
        try world.run { world in
            let peripheral = try await world.peripheral(Calculator.definition)
            await #expect(throws: PeripheralError.self) { try await peripheral.update([1], of: BLEUUID(0x2A00)) }
            await #expect(throws: PeripheralError.self) {
                try await peripheral.setValue([1, 2, 3, 4], of: Calculator.input)
            }
        }
    }
}
