import BLECentral
import BLECentralHCI
import BLECore
import BLEDescriptions
import BLEPeripheral
import BLERadio
import BLESimulation
import BenchExecutor
import MonotonicTime

/// A simulated SensorTag whose eight services all notify every 10 ms, and a client that decodes every value.
enum DescribedTag {
    private static let address = DeviceAddress(0x240A_C400_0120, .public)

    /// Every service that has notifications, with an interval of 10 ms.
    private static func description() throws -> PeripheralDescription {
        let text = (PeripheralDescription.cataloguedText("sensortag") ?? "")
            .replacing("notifies: period", with: "notifies: every 10 ms")
            .replacing("notifies: change", with: "notifies: every 10 ms")
            .replacing(
                "{uuid: 2A29, properties: read,",
                with: "{uuid: 2A29, properties: [read, notify], notifies: every 10 ms,")
        return try PeripheralDescription(yaml: text, file: "sensortag")
    }

    /// The factor by which `duration` passes faster than real time.
    static func measured(_ duration: Duration = .seconds(60)) throws -> Double {
        let executor = BenchExecutor()
        defer { executor.discardEvents() }
        return try executor.run {
            let radio = Radio(executor, seed: 1)
            let described = try description()
            let stack = HCIPeripheral(on: await radio.attach(address: address), executor: executor)
            let simulated = try SimulatedPeripheral(described, on: stack, executor: executor)
            try await simulated.start()
            let port = await radio.attach(address: DeviceAddress(0x0200_0000_0002, .public))
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            try await central.powerOn()
            let peripheral = central.peripheral(PeerID(address))
            try await peripheral.connect()
            let tag = try await DescribedPeripheral(peripheral, described)
            try await tag.barometer.calibrate()
            let expected = Int(duration / .milliseconds(10)) - 20
            var streams: [DescribedReadings] = []
            for service in described.services {
                guard let data = service.characteristics.first(where: { $0.properties.contains(.notify) }) else {
                    continue
                }
                if service.configuration != nil { try await tag.service(service.name).turnOn() }
                streams.append(try await tag.service(service.name).item(data.name).readings())
            }
            let start = ContinuousClock.now
            let begin = executor.now
            let listeners = streams.map { stream in
                Task(executorPreference: executor) {
                    var sum = 0.0
                    var count = 0
                    for try await reading in stream {
                        sum += reading.values.compactMap(\.number).reduce(0, +)
                        count += 1
                        if count == expected { break }
                    }
                    return count
                }
            }
            for listener in listeners {
                guard try await listener.value == expected, streams.count == 8 else {
                    throw CentralError(.invalidState, "expected \(expected) values of each of 8 services")
                }
            }
            let factor = begin.duration(to: executor.now) / (ContinuousClock.now - start)
            await central.close()
            await simulated.stop()
            return factor
        }
    }
}
