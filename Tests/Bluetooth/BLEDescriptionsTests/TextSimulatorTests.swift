import BLECentral
import BLECore
import BLEDescriptions
import BLESimulation
import BenchExecutor
import MonotonicTime
import Testing

/// The peripheral simulator of the central and log viewer.
@Suite("Text simulator") struct TextSimulatorTests {
    /// "Grüße 𝄞" in UTF-16; the clef is a surrogate pair.
    private static let greeting: [UInt8] = [
        0x47, 0, 0x72, 0, 0xFC, 0, 0xDF, 0, 0x65, 0, 0x20, 0, 0x34, 0xD8, 0x1E, 0xDD,
    ]

    @Test func itHasTheUUIDsAndPropertiesOfTheOriginal() async throws {
        let service = BLEUUID(literal: "00001901-0000-1000-8000-00805F9B34FB")
        let characteristics = [
            BLEUUID(literal: "2AC6A7BF-2C60-42D0-8013-AECEF2A124C0"),
            BLEUUID(literal: "9B89E762-226A-4BBB-A381-A4B8CC6E1105"),
        ]
        let properties: [CharacteristicProperties] = [[.read, .notify], [.write, .notify]]
        let described = PeripheralDescription.textSimulator.services
        #expect(described.map(\.uuid) == [service])
        #expect(described.flatMap(\.characteristics).map(\.uuid) == characteristics)
        #expect(described.flatMap(\.characteristics).map(\.properties) == properties)
        // And on the air.
        try await Simulated.run(.textSimulator) { world in
            let simulator = try await world.connected()
            let found = try await simulator.peripheral.service(service)
            #expect(found.characteristics.map(\.uuid) == characteristics)
            #expect(found.characteristics.map(\.properties) == properties)
        }
    }

    @Test func whatIsWrittenIsNotified() async throws {
        try await Simulated.run(.textSimulator) { world in
            let simulator = try await world.connected()
            var messages = try await simulator.text.message.readings().makeAsyncIterator()
            try await simulator.text.message.characteristic.write(Self.greeting)
            #expect(try await messages.next()?["message"] == .text("Grüße 𝄞"))
            try await simulator.text.message.write("")
            try await simulator.text.message.write("42 €")
            // There is nothing to notify of an empty text.
            #expect(try await messages.next()?["message"] == .text("42 €"))
        }
    }

    /// The original unwrapped the text of what it received by force.
    @Test func textsThatAreCutAreRefusedAndNotNotified() async throws {
        try await Simulated.run(.textSimulator) { world in
            let simulator = try await world.connected()
            var messages = try await simulator.text.message.readings().makeAsyncIterator()
            let message = try simulator.text.message.characteristic
            let cut: [[UInt8]] = [
                [0x48], [0x48, 0, 0xAC], [0x3D, 0xD8], [0x48, 0, 0x3D, 0xD8], [0x1E, 0xDD, 0x48, 0],
                Array(Self.greeting.dropLast()), Array(Self.greeting.dropLast(2)),
            ]
            for bytes in cut {
                let error = await #expect(throws: CentralError.self) { try await message.write(bytes, .withResponse) }
                #expect(error?.code == .attError(0x13), "\(bytes)")
            }
            try await message.write(Self.greeting)
            // The first that is notified.
            #expect(try await messages.next()?["message"] == .text("Grüße 𝄞"))
        }
    }

    @Test func textsInUTF8ThatAreCutAreRefused() async throws {
        let description = Sample.description(Sample.yaml("type: utf8"))
        try await Simulated.run(description) { world in
            let sample = try await world.connected()
            let data = try sample.sample.data.characteristic
            let text = Array("Grüße 𝄞".utf8)
            try await data.write(text, .withResponse)
            for bytes in [[0x47, 0xC3], [0xFF], [0x80, 0x47], Array(text.dropLast())] as [[UInt8]] {
                let error = await #expect(throws: CentralError.self) { try await data.write(bytes, .withResponse) }
                #expect(error?.code == .attError(0x13), "\(bytes)")
                #expect(try await data.read() == text)
            }
            try await data.write([0x48], .withResponse)
            #expect(try await data.read() == [0x48])
        }
    }

    @Test func theCounterComesEveryTenSeconds() async throws {
        try await Simulated.run(.textSimulator) { world in
            let simulator = try await world.connected()
            let begin = world.executor.now
            var times: [Duration] = []
            for try await _ in try await simulator.text.counter.readings() {
                times.append(begin.duration(to: world.executor.now))
                if times.count == 4 { break }
            }
            // Subscribing and a notification take a few connection events.
            for (index, time) in times.enumerated() {
                let due = Duration.seconds(10 * (index + 1))
                #expect(time >= due && time < due + .milliseconds(300), "\(times)")
            }
            for (time, next) in zip(times, times.dropFirst()) {
                #expect(next - time > .milliseconds(9900) && next - time < .milliseconds(10_100), "\(times)")
            }
        }
    }
}
