import BLECentral
import BLECore
import BLEDescriptions
import BLESimulation
import BenchExecutor
import MonotonicTime
import Testing

/// The registers of all sensors of a SensorTag.
@Suite("Switches and periods of a SensorTag") struct SensorSwitchTests {
    /// A sensor, its switch and what that holds while the sensor is on: the gyroscope has a bit for each axis.
    static let switches: [(String, String, UInt8)] = [
        ("temperature", "configuration", 1), ("acceleration", "range", 1), ("humidity", "configuration", 1),
        ("magnetism", "configuration", 1), ("barometer", "configuration", 1), ("rotation", "configuration", 7),
    ]

    @Test(arguments: switches)
    func eachSensorIsSwitchedOnAndOff(_ service: String, _ register: String, _ on: UInt8) async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            let sensor = try tag.service(service)
            let data = try sensor.item("data").characteristic
            let configuration = try sensor.item(register).characteristic
            let off = try await data.read()
            #expect(off == [UInt8](repeating: 0, count: off.count) && !off.isEmpty)
            #expect(try await configuration.read() == [0])
            try await sensor.turnOn()
            #expect(try await configuration.read() == [on])
            // Some waves begin at 0.
            try await BenchClock(world.executor).sleep(for: .seconds(1))
            let value = try await data.read()
            #expect(value.count == off.count && value != off)
            try await sensor.turnOff()
            #expect(try await configuration.read() == [0])
            #expect(try await data.read() == off)
            #expect(
                world.writes.all == ["\(service).\(register) [\(on)]", "\(service).\(register) [0]"])
        }
    }

    @Test(
        arguments: [
            ("temperature", 1000, 300), ("acceleration", 1000, 100), ("humidity", 1000, 100), ("magnetism", 2000, 100),
            ("barometer", 1000, 100), ("rotation", 1000, 100),
        ] as [(String, Int, Int)])
    func eachPeriodIsReadAndSet(_ service: String, _ initial: Int, _ shortest: Int) async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            let sensor = try tag.service(service)
            let register = try sensor.item("period").characteristic
            #expect(try await sensor.period() == .milliseconds(initial))
            #expect(try await register.read() == [UInt8(initial / 10)])
            for time in [shortest, 500, 2550] {
                try await sensor.setPeriod(.milliseconds(time))
                #expect(try await register.read() == [UInt8(time / 10)])
                #expect(try await sensor.period() == .milliseconds(time))
            }
            for time in [shortest - 10, 2560, 0] {
                let error = await #expect(throws: DescriptionError.self) {
                    try await sensor.setPeriod(.milliseconds(time))
                }
                #expect(error?.code == .notEncodable, "\(time) ms")
            }
            #expect(try await sensor.period() == .milliseconds(2550))
        }
    }

    /// The barometer's coefficients are read between two writes of its switch.
    @Test func calibratingAsksForTheCoefficientsAndSwitchesTheSensorOn() async throws {
        try await Simulated.run(.sensorTag) { world in
            let tag = try await world.connected()
            let coefficients = try tag.barometer.calibration.characteristic
            let hidden = try await coefficients.read()
            #expect(hidden == [UInt8](repeating: 0, count: 16))
            try await tag.barometer.calibrate()
            #expect(world.writes.all == ["barometer.configuration [2]", "barometer.configuration [1]"])
            #expect(try await tag.barometer.configuration.characteristic.read() == [1])
            // c1 and c8, least significant byte first.
            let shown = try await coefficients.read()
            #expect(shown.prefix(2) == [0x81, 0xB2] && shown.suffix(2) == [0x60, 0xF5] && shown.count == 16)
            await #expect(throws: DescriptionError.self) { try await tag.humidity.calibrate() }
        }
    }
}
