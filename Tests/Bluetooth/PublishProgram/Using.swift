import BLECentral
import BLECentralBackends
import BLECore
import BLEPackets
import BenchExecutor
import Foundation
import MonotonicTime

/// The sensor did something else than it should.
struct Difference: Error, CustomStringConvertible {
    let description: String
}

/// Compares; says what was found.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) throws {
    guard found == wanted else { throw Difference(description: "\(what): expected \(wanted), got \(found)") }
    say("ok: \(what)")
}

/// Uses the sensor from another stack.
func use(_ address: CentralAddress, _ log: String, isHolding: Bool, on executor: BenchExecutor) async throws {
    let backend = try await CentralBackends.open(address, on: executor, systemBus: systemBus)
    let central = Central(backend, on: executor)
    do {
        try await central.powerOn()
        try await backend.setSecurity(CentralSecurity(ioCapability: .keyboardOnly))
        let peripheral = try await find(central)
        if isHolding {
            say("holding")
            for await _ in await central.disconnections() { break }
            say("disconnected")
        } else {
            try await SensorUser(peripheral, log, executor).useAll()
        }
        await central.close()
    } catch {
        await central.close()
        throw error
    }
}

private func find(_ central: Central) async throws -> Peripheral {
    let sighting = try await central.firstSighting(ScanFilter(name: Sensor.name), within: .seconds(60))
    let peripheral = try await central.connect(to: sighting.peer, within: .seconds(60))
    // The scan response with the name may come alone.
    let data = await central.knownPeers[sighting.peer]?.advertisement.data ?? sighting.data
    try expect("it advertises its service", data.serviceUUIDs, [Sensor.service])
    let manufacturer = data.structures.first { $0.type == .manufacturerSpecificData }?.data
    try expect("it advertises its manufacturer data", manufacturer, [0xE5, 0x02, 1, 2, 3])
    return peripheral
}

/// A connected central that uses everything.
struct SensorUser: Sendable {
    let peripheral: Peripheral
    let log: String
    let executor: BenchExecutor

    init(_ peripheral: Peripheral, _ log: String, _ executor: BenchExecutor) {
        self.peripheral = peripheral
        self.log = log
        self.executor = executor
    }

    func useAll() async throws {
        let sensor = try await peripheral.service(Sensor.service)
        let other = try await peripheral.service(Sensor.other)
        let measurement = try sensor.characteristic(Sensor.measurement)
        let control = try sensor.characteristic(Sensor.control)
        try expect("the properties are those defined", measurement.properties, [.read, .notify])
        try expect("a value is read", try await measurement.read(), [0, 60])
        try await useDescriptor(measurement)
        try await useCounter(other)
        try await useCommand(other)
        try await useLong(other)
        try await notifications(measurement, control)
        try await indications(try other.characteristic(Sensor.alarm), control)
        try await refusals(control)
        try await security(other)
        try await control.write(Sensor.Trigger.end, within: .seconds(30))
        for await state in await peripheral.connectionStates() where state == .disconnected { break }
        say("ok: it ends the connection when it is withdrawn")
    }

    private func useDescriptor(_ measurement: Characteristic) async throws {
        let descriptor = measurement.discovered.descriptors.first { $0.uuid == Sensor.description }
        guard let descriptor else { throw Difference(description: "expected a description, got none") }
        let connection = try await peripheral.central.connection(peripheral.id, "use a descriptor")
        let backend = peripheral.central.backend
        let value = try await backend.read(descriptor.attribute, on: connection)
        try expect("a descriptor is read", value, Array("rate".utf8))
        try await backend.write([88], to: descriptor.attribute, kind: .withResponse, on: connection)
        try expect("a descriptor is written", try await backend.read(descriptor.attribute, on: connection), [88])
    }

    private func useCounter(_ other: Service) async throws {
        let counter = try other.characteristic(Sensor.counter)
        let values = [try await counter.read(), try await counter.read()]
        try expect("each read is asked for", values, [[1], [2]])
    }

    private func useCommand(_ other: Service) async throws {
        let command = try other.characteristic(Sensor.command)
        for number: UInt8 in 1...5 { try await command.write([number], .withoutResponse) }
        try expect("commands come in order", try await command.read(), [5])
    }

    private func useLong(_ other: Service) async throws {
        let long = try other.characteristic(Sensor.long)
        try expect("a long value is read", try await long.read(), Sensor.longValue)
        // In several Prepare Write Requests, of which own hosts hold as many as NimBLE does.
        let changed = Array(Sensor.longValue.prefix(60).reversed())
        try await long.write(changed)
        try expect("a long value is written", try await long.read(), changed)
        try await long.write([5])
        try expect("a shorter value replaces it", try await long.read(), [5])
    }

    private func notifications(_ measurement: Characteristic, _ control: Characteristic) async throws {
        let values = try await measurement.values()
        let count: UInt8 = 100
        try await control.write(Sensor.Trigger.notify(count))
        var received: [[UInt8]] = []
        for try await value in values {
            received.append(value)
            if received.count == Int(count) { break }
        }
        try expect("100 notifications come in order", received, (0..<count).map { [$0, 0] })
    }

    private func indications(_ alarm: Characteristic, _ control: Characteristic) async throws {
        let values = try await alarm.values()
        for number: UInt8 in 1...3 { try await control.write(Sensor.Trigger.indicate(number)) }
        var received: [[UInt8]] = []
        for try await value in values {
            received.append(value)
            if received.count == 3 { break }
        }
        try expect("indications come one after the other", received, [[1], [2], [3]])
    }

    private func refusals(_ control: Characteristic) async throws {
        let error = await code { try await control.write([1, 2, 3]) }
        try expect("a value that is too long is refused", error, .attError(0x0D))
        for refusal: UInt8 in [0x08, 0x0D, 0x85] {
            let error = await code { try await control.write(Sensor.Trigger.refuse(refusal)) }
            try expect("a write is refused with \(ATTErrorCode(rawValue: refusal))", error, .attError(refusal))
        }
    }

    // MARK: Security

    private func security(_ other: Service) async throws {
        let encrypted = try other.characteristic(Sensor.encrypted)
        let authenticated = try other.characteristic(Sensor.authenticated)
        let accesses: [(String, @Sendable () async throws -> Void)] = [
            ("reading an encrypted value", { _ = try await encrypted.read() }),
            ("writing an encrypted value", { try await encrypted.write([1]) }),
            ("subscribing to an encrypted value", { _ = try await encrypted.values() }),
            ("reading an authenticated value", { _ = try await authenticated.read() }),
        ]
        for (what, access) in accesses {
            let error = await code(access)
            guard let error, [.attError(0x05), .attError(0x0F)].contains(error) else {
                throw Difference(
                    description: "\(what) without pairing: expected a refusal, got \(error.debugDescription)")
            }
            say("ok: \(what) needs a pairing")
        }
        try await pair()
        try expect("an encrypted value is read", try await encrypted.read(), [7])
        try expect("an authenticated value is read", try await authenticated.read(), [42])
        try await encrypted.write([8])
        try expect("an encrypted value is written", try await encrypted.read(), [8])
    }

    private func pair() async throws {
        let events = try await peripheral.events()
        let answering = Task(executorPreference: executor) {
            for await event in events {
                guard case .pairingInput = event else { continue }
                try await peripheral.answerPairing(.passkey(try await displayedPasskey()))
            }
        }
        let security = try await peripheral.pair()
        answering.cancel()
        try expect("the pairing has authenticated the key", security.isAuthenticated && security.isBonded, true)
    }

    /// What the sensor's side shows.
    private func displayedPasskey() async throws -> UInt32 {
        for _ in 0..<200 {
            let lines = ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
            let passkey = lines.last { $0.hasPrefix("passkey ") }.flatMap { UInt32($0.dropFirst(8)) }
            if let passkey { return passkey }
            try await BenchClock(executor).sleep(for: .milliseconds(100))
        }
        throw Difference(description: "expected a passkey in \(log) within 20 s, got none")
    }

    /// The code of the error that `body` throws.
    private func code(_ body: () async throws -> Void) async -> CentralError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CentralError)?.code
        }
    }
}
