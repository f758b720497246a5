import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Testing

/// The calculator's client on the virtual air, with a calculator in Swift; `CalculatorCommandTests` has it with the sketch.
@Suite struct CalculatorClientTests {
    /// A client on a stack that can be switched off, and a calculator that can be switched off and told to keep its answers.
    private struct World: Sendable {
        let executor: BenchExecutor
        let radio: Radio
        let port: RadioPort
        let peripheral: BLEPeripheral
        let stack: SwitchableCentral
        let client: CalculatorClient
        let states: States

        func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

        func press(_ keys: [CalculatorModel.Key]) async {
            for key in keys { await client.press(key) }
        }

        /// Waits for a state.
        func wait(for status: String) async throws {
            for _ in 0..<10_000 where await client.state.status != status { try await sleep(.milliseconds(10)) }
            #expect(await client.state.status == status)
        }

        /// Waits for an error, and returns its text.
        func waitForFailure() async throws -> String {
            for _ in 0..<10_000 {
                if case .failed(let why) = await client.state.link { return why }
                try await sleep(.milliseconds(10))
            }
            return "none: \(await client.state)"
        }
    }

    /// What the user saw, without repetitions.
    private actor States {
        private(set) var texts: [String] = []
        func add(_ text: String) { if texts.last != text { texts.append(text) } }
    }

    private static let nineTimesSix: [CalculatorModel.Key] = [.digit(9), .operation(.multiply), .digit(6), .equals]

    /// - Parameters:
    ///   - isSilent: whether the calculator answers nothing.
    ///   - isGuarded: whether its output needs a pairing.
    ///   - powersOn: whether the central is powered on before the client uses it.
    private func run(
        isSilent: Bool = false, isGuarded: Bool = false, powersOn: Bool = true,
        policy: ReconnectionPolicy = ReconnectionPolicy(),
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            let port = await radio.attach(address: DeviceAddress(0x240A_C4C0_0001, .public))
            let peripheral = try BLEPeripheral(
                Self.definition(isSilent, isGuarded), on: port, executor: executor)
            try await peripheral.start()
            let transport = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let stack = SwitchableCentral(HCICentral(executor: executor, transport: transport), on: executor)
            let central = Central(stack, on: executor)
            if powersOn { try await central.powerOn() }
            let client = CalculatorClient(central, policy: policy)
            let states = States()
            let listening = Task(executorPreference: executor) {
                for await state in await client.states() { await states.add(state.status) }
            }
            try await body(
                World(
                    executor: executor, radio: radio, port: port, peripheral: peripheral, stack: stack, client: client,
                    states: states))
            await client.disconnect()
            listening.cancel()
            await central.close()
        }
        executor.discardEvents()
    }

    private static func definition(_ isSilent: Bool, _ isGuarded: Bool) -> PeripheralDefinition {
        let output = CharacteristicDefinition(
            CalculatorClient.output, [.read, .notify], value: [0], readNeeds: isGuarded ? .authenticated : .none)
        let input = CharacteristicDefinition(CalculatorClient.input, [.write, .writeWithoutResponse]) {
            value, connection, peripheral in
            guard !isSilent, value.count == 3, let operation = CalculatorOperation(rawValue: value[2]) else { return }
            let result = UInt8(truncatingIfNeeded: operation.result(value[0], value[1]))
            try peripheral.notify([result], of: CalculatorClient.output, to: connection)
        }
        var definition = PeripheralDefinition(
            name: "Test Peripheral", services: [ServiceDefinition(CalculatorClient.service, [input, output])])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x06]),
            AdvertisingData.Structure(
                type: .complete128BitServiceUUIDs, data: CalculatorClient.service.attBytes),
        ])
        return definition
    }

    @Test func itFindsConnectsAndCalculates() async throws {
        try await run { world in
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press(Self.nineTimesSix)
            #expect(await world.client.state.status == "Calculating...")
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.display == "9 × 6 = 54")
            await world.press([.digit(2), .operation(.subtract), .digit(9), .equals])
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.display == "2 - 9 = -7 (249 in the calculator's 8 bits)")
            await world.client.disconnect()
            // The listener's turn.
            try await world.sleep(.milliseconds(1))
            #expect(
                await world.states.texts == [
                    "Disconnected", "Searching...", "Connecting...", "Connected.", "Calculating...", "Connected.",
                    "Calculating...", "Connected.", "Disconnected",
                ])
        }
    }

    @Test func aSearchThatFindsNobodyEnds() async throws {
        try await run { world in
            await world.peripheral.stop()
            await world.client.connect()
            try await world.wait(for: "No calculator found")
            // It may be tried again.
            try await world.peripheral.start()
            await world.client.connect()
            try await world.wait(for: "Connected.")
        }
    }

    @Test func aCalculatorThatIsSwitchedOffInTheMiddleIsTriedAgain() async throws {
        try await run { world in
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press([.digit(9), .operation(.multiply)])
            await world.peripheral.stop()
            await world.press([.digit(6), .equals])
            #expect(await world.client.state.status == "Calculating...")
            try await world.wait(for: "Connecting...")
            #expect(await world.client.state.display == "9 × 6 = ? the connection ended")
            #expect(await !world.client.state.isKeypadShown)
            try await world.peripheral.start()
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.display == "")
            // And again, for good.
            await world.peripheral.stop()
            try await world.wait(for: "Connecting... (try 4)")
            try await world.sleep(.seconds(6))
            #expect(await world.client.state.status.hasPrefix("Connection error: connect to 24:0A:C4:C0:00:01"))
        }
    }

    @Test func anAnswerThatDoesNotComeEndsTheCalculation() async throws {
        try await run(isSilent: true) { world in
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press(Self.nineTimesSix)
            try await world.sleep(.seconds(4))
            #expect(await world.client.state.status == "Calculating...")
            try await world.sleep(.seconds(2))
            #expect(await world.client.state.display == "9 × 6 = ? no answer within 5.0 seconds")
            #expect(await world.client.state.status == "Connected.")
        }
    }

    @Test func disconnectingEndsASearch() async throws {
        try await run { world in
            await world.peripheral.stop()
            await world.client.connect()
            try await world.wait(for: "Searching...")
            await world.client.disconnect()
            #expect(await world.client.state.status == "Disconnected")
            try await world.sleep(.seconds(60))
            #expect(await world.client.state.status == "Disconnected")
        }
    }

    /// Whoever connects while a connection is being ended, gets one.
    @Test func connectingAndDisconnectingInAnyOrderEndsAsTheLastCallWants() async throws {
        try await run { world in
            for _ in 0..<20 {
                await world.client.connect()
                let ending = Task(executorPreference: world.executor) { await world.client.disconnect() }
                await world.client.connect()
                await ending.value
                await world.client.connect()
                try await world.wait(for: "Connected.")
                await world.client.disconnect()
                await world.client.disconnect()
                #expect(await world.client.state.status == "Disconnected")
            }
        }
    }

    @Test func aCentralThatIsNotPoweredOnYetIsPoweredOn() async throws {
        try await run(powersOn: false) { world in
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press(Self.nineTimesSix)
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.display == "9 × 6 = 54")
        }
    }

    @Test func bluetoothThatIsSwitchedOffInTheMiddleIsTold() async throws {
        try await run(isSilent: true) { world in
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press(Self.nineTimesSix)
            try await world.sleep(.seconds(1))
            #expect(await world.client.state.isCalculating)
            await world.stack.takeAway(.power, "the adapter is switched off")
            try await world.sleep(.seconds(5))
            let off = await world.client.state
            #expect(off.status.hasPrefix("Bluetooth is not available: ") && off.status.hasSuffix("is switched off"))
            #expect(off.display == "9 × 6 = ? the connection ended")
            #expect(!off.isKeypadShown)
            #expect(await world.states.texts.contains("Bluetooth is not available: it is switched off"))
            // It is not searched, and says so again.
            await world.client.connect()
            try await world.wait(for: "Bluetooth is not available: the adapter is switched off")
            try await world.sleep(.seconds(60))
            #expect(await world.client.state.status == "Bluetooth is not available: the adapter is switched off")
            await world.stack.giveBack()
            await world.client.connect()
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.isKeypadShown)
            #expect(await world.client.state.display == "")
        }
    }

    /// The original showed "Connected" as soon as there was a link, and lost the answer.
    @Test func itIsNotConnectedBeforeItsSubscriptionIsConfirmed() async throws {
        try await run(policy: ReconnectionPolicy(tries: 0)) { world in
            let fault = await world.radio.add(
                PDUFault(.drop, .attribute(.writeResponse), count: nil), at: world.port.id)
            await world.client.connect()
            let why = try await world.waitForFailure()
            #expect(why.contains("30"), "\(why)")
            #expect(await world.radio.hits(of: fault) > 0)
            try await world.sleep(.milliseconds(1))
            #expect(
                await world.states.texts == [
                    "Disconnected", "Searching...", "Connecting...", "Connection error: \(why)",
                ])
            await world.radio.remove(fault)
            await world.client.connect()
            try await world.wait(for: "Connected.")
            await world.press(Self.nineTimesSix)
            try await world.wait(for: "Connected.")
            #expect(await world.client.state.display == "9 × 6 = 54")
        }
    }

    @Test func aCalculatorThatRefusesTheSubscriptionIsNotConnected() async throws {
        try await run(isGuarded: true, policy: ReconnectionPolicy(tries: 1)) { world in
            await world.client.connect()
            let why = try await world.waitForFailure()
            #expect(why.contains("0x05"), "\(why)")
            #expect(await !world.client.state.isKeypadShown)
            try await world.sleep(.milliseconds(1))
            #expect(
                await world.states.texts == [
                    "Disconnected", "Searching...", "Connecting...", "Connecting... (try 2)",
                    "Connection error: \(why)",
                ])
        }
    }
}
