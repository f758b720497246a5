import BLECentralBackends
import BLEClients
import Foundation
import LogFiles
import Testing

/// The programs of the page about the client library.
@Suite struct ClientTests {
    /// The level of the nearest battery, in percent.
    private func batteryLevel(_ address: String) async throws -> UInt8? {
        try await withCentral(address) { central in
            let battery = BLEUUID(0x180F)
            let sighting = try await central.firstSighting(ScanFilter(services: [battery]), within: .seconds(10))
            let peripheral = try await central.connect(to: sighting.peer)
            let level = try await peripheral.service(battery).characteristic(BLEUUID(0x2A19))
            return try await level.read(within: .seconds(5)).first
        }
    }

    /// Prints a heart rate until the task is cancelled, over lost connections.
    private func followHeartRate(_ address: String, of peer: PeerID) async throws {
        try await withCentral(address) { central in
            let reconnector = Reconnector(central.peripheral(peer), policy: ReconnectionPolicy(tries: nil)) {
                let rate = try await $0.service(BLEUUID(0x180D)).characteristic(BLEUUID(0x2A37))
                let values = try await rate.values()
                Task { for try await value in values where value.count > 1 { print("\(value[1]) bpm") } }
            }
            try await reconnector.connect()
            for await event in await reconnector.events() { print(event) }
        }
    }

    /// Takes up what the last program had, or begins.
    private func log(
        _ address: String, in folder: String, beginning begin: @escaping @Sendable (Central) async throws -> Void
    ) async throws {
        try await withCentral(address, bonds: BondFile(path: folder + ".keys")) { central in
            let log = try TimedLog(
                folder + ".log", of: "logger", wallTime: { Int64(Date.now.timeIntervalSince1970 * 1e6) })
            let restoring = try await RestoringCentral(central, identifier: "logger", folder: folder, log: log)
            for await result in await restoring.restore() {
                switch result {
                case .failed(let record, let error): print("\(record.name ?? "\(record.peer)"): \(error)")
                case .connected(let restored):
                    for operation in restored.record.unfinished {
                        print("not finished: \(operation.kind) of \(operation.path)")
                    }
                    for subscription in restored.subscriptions {
                        Task { for try await value in subscription.values { print("\(subscription.path): \(value)") } }
                    }
                }
            }
            if restoring.restored.isEmpty { try await begin(central) }
            for await end in await central.disconnections() { print(end) }
        }
    }

    @Test func aStackThatIsNotThereIsAnError() async {
        await #expect(throws: CentralOpenError.self) { _ = try await batteryLevel("h4:127.0.0.1:1") }
        await #expect(throws: CentralAddressError.self) { _ = try await batteryLevel("nowhere") }
        let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
        await #expect(throws: CentralOpenError.self) { try await followHeartRate("h4:127.0.0.1:1", of: peer) }
        await #expect(throws: CentralOpenError.self) { try await log("h4:127.0.0.1:1", in: "logger") { _ in } }
    }
}
