import BLECentral
import BLECentralHCI
import BLECore
import BLEDescriptions
import BLESimulation
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Testing

@Suite("Simulated peripherals") struct SimulationTests {
    @Test func typedAccessToASensorTag() async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            // Off, it reads zeros, as the original does.
            #expect(try await tag.humidity.data.characteristic.read() == [0, 0, 0, 0])
            try await tag.humidity.turnOn()
            try await world.peripheral.set("humidity.relative", to: 40.2)
            #expect(abs(try await tag.humidity.relative.number() - 40.2) < 0.01)
            #expect(try await tag.humidity.relative.read().text == "40.20 %")
            try await tag.humidity.turnOff()
            #expect(try await tag.humidity.data.characteristic.read() == [0, 0, 0, 0])
        }
    }

    @Test func periodOfNotifications() async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            #expect(try await tag.humidity.period() == .seconds(1))
            try await tag.humidity.setPeriod(.milliseconds(200))
            #expect(try await tag.humidity.period() == .milliseconds(200))
            await #expect(throws: DescriptionError.self) { try await tag.humidity.setPeriod(.milliseconds(20)) }
            try await tag.humidity.turnOn()
            let begin = world.executor.now
            var count = 0
            for try await reading in try await tag.humidity.data.readings() {
                let relative = try #require(reading["relative"]?.number)
                #expect((34.9...45.1).contains(relative))
                count += 1
                if count == 10 { break }
            }
            // Ten periods, the first after the subscription.
            let passed = begin.duration(to: world.executor.now)
            #expect(passed > .milliseconds(1990) && passed < .milliseconds(2200))
        }
    }

    @Test func barometerNeedsItsCalibration() async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            try await tag.barometer.turnOn()
            try await world.peripheral.set("barometer.temperature", to: 21.5)
            try await world.peripheral.set("barometer.pressure", to: 1013.25)
            let missing = await #expect(throws: DescriptionError.self) { try await tag.barometer.pressure.number() }
            #expect(missing?.code == .missingContext)
            try await tag.barometer.calibrate()
            #expect(abs(try await tag.barometer.pressure.number() - 1013.25) < 0.05)
            #expect(abs(try await tag.barometer.temperature.number() - 21.5) < 0.02)
        }
    }

    @Test func valuesThatAreSetAreNotified() async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected(services: ["keys", "temperature"])
            var readings = try await tag.keys.state.readings().makeAsyncIterator()
            try await world.peripheral.set("keys.left", to: 1)
            #expect(try await readings.next()?.text == "state 2, right 0, left 1")
            try await world.peripheral.set("keys.right", to: 1)
            #expect(try await readings.next()?["state"] == .integer(3))
            // The polynomial is inverted, with the ambient temperature that was set before.
            try await tag.temperature.turnOn()
            try await world.peripheral.set("temperature.ambient", to: 22)
            try await world.peripheral.set("temperature.object", to: 36.6)
            #expect(abs(try await tag.temperature.object.number() - 36.6) < 0.02)
            let unwanted = #expect(throws: DescriptionError.self) { try tag.humidity }
            #expect(unwanted?.code == .notThere)
            let mistyped = #expect(throws: DescriptionError.self) { try tag.temprature }
            #expect(mistyped?.description.contains("did you mean 'temperature'?") == true)
        }
    }

    @Test func calculatorComputes() async throws {
        try await Simulated.run(.calculator) { world in
            let calculator = try await world.connected()
            var outputs = try await calculator.calculator.output.readings().makeAsyncIterator()
            for (a, b, operation, result) in [(9, 6, "multiply", 0x36), (5, 3, "add", 8), (2, 9, "subtract", 249)] {
                try await calculator.calculator.input.write([
                    "a": .integer(Int128(a)), "b": .integer(Int128(b)), "operation": .text(operation),
                ])
                #expect(try await outputs.next()?["output"] == .integer(Int128(result)))
            }
            let input = try calculator.calculator.input.characteristic
            let short = await #expect(throws: CentralError.self) { try await input.write([1, 2], .withResponse) }
            #expect("\(String(describing: short))".contains("0x0D") || short?.description.contains("length") == true)
            await #expect(throws: CentralError.self) { try await input.write([1, 2, 3], .withResponse) }
            #expect(try await calculator.calculator.output.number() == 249)
        }
    }

    @Test func counterTextEveryTenSeconds() async throws {
        try await Simulated.run(.textSimulator) { world in
            let simulator = try await world.connected()
            var texts: [DescribedContent?] = []
            let begin = world.executor.now
            for try await reading in try await simulator.text.counter.readings() {
                texts.append(reading["counter"])
                if texts.count == 3 { break }
            }
            #expect(texts == [.text("Counter 2"), .text("Counter 3"), .text("Counter 4")])
            #expect(begin.duration(to: world.executor.now) > .seconds(29))
        }
    }

    @Test func valuesThatAreNotAsDescribedGoByWithAnError() async throws {
        // Sends values of 1 to 5 bytes where 4 are described.
        let data = BLEUUID(literal: "F000AA21-0451-4000-B000-000000000000")
        let definition = PeripheralDefinition(PeripheralDescription.sensorTag)
        try await Simulated.run(definition) { world, peripheral in
            let tag = try await DescribedPeripheral(world, .sensorTag)
            var readings = try await tag.humidity.data.readings().makeAsyncIterator()
            for count in 1...5 { try await peripheral.notify([UInt8](repeating: 1, count: count), of: data) }
            for count in 1...5 {
                if count == 4 {
                    #expect(try await readings.next()?.values.count == 2)
                    continue
                }
                do {
                    _ = try await readings.next()
                    Issue.record("expected an error for \(count) bytes")
                } catch let error as DescriptionError {
                    #expect(error.description.contains("got \(count)"))
                }
            }
        }
    }

    @Test func sameSeedSameValues() async throws {
        let yaml = Sample.yaml(
            "type: u16\nscale: 0.1\nsimulated: {noise: [10, 20], every: 10 ms}\nnotifies: every 10 ms")
        let description = try PeripheralDescription(yaml: yaml, file: "noise")
        var runs: [[DescribedContent?]] = []
        for seed in [1, 1, 2] as [UInt64] {
            let values = try await Simulated.run(description, seed: seed) { world in
                let sample = try await world.connected()
                var values: [DescribedContent?] = []
                for try await reading in try await sample.sample.data.readings() {
                    values.append(reading["data"])
                    if values.count == 20 { break }
                }
                return values
            }
            #expect(values.allSatisfy { (10...20).contains($0?.number ?? 0) })
            runs.append(values)
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
        #expect(Set(runs[0]).count > 10)
    }

    @Test func lockNeedsAPairing() async throws {
        try await Simulated.run(.lock, seed: 7) { world in
            let lock = try await world.connected()
            let command = try lock.lock.command.characteristic
            await #expect(throws: CentralError.self) { try await command.write(Array("1".utf8)) }
            await #expect(throws: CentralError.self) { _ = try await lock.lock.status.read() }
            var states = try await lock.lock.state.readings().makeAsyncIterator()
            let events = try await lock.peripheral.events()
            let answering = Task(executorPreference: world.executor) {
                for await event in events {
                    if case .pairingInput = event {
                        try await lock.peripheral.answerPairing(.passkey(world.passkey.shown))
                    }
                }
            }
            let security = try await lock.peripheral.pair()
            answering.cancel()
            #expect(security.isAuthenticated)
            try await lock.lock.command.write("1")
            #expect(try await states.next()?["state"] == .text("1"))
            #expect(try await lock.lock.status.read().content == .text("locked"))
        }
    }
}
