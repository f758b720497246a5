import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import Synchronization
import Testing

/// The order in which a client receives what a sketch (`Orders`) sends in `onWrite`, when more writes come meanwhile:
/// NimBLE sends the deferred notifications of `notify()` when it has handled all packets that have come.
@Suite struct NotificationOrderTests {
    @Test func theBuiltInHostSendsInTheLibrarysOrder() async throws {
        try await compare(.builtIn)
    }

    @Test(.needsNimBLELibrary) func theTableIsWhatTheLibrarySends() async throws {
        try await compare(.library)
    }

    private func compare(_ nimble: NimBLEChoice) async throws {
        let table = try RecordedTable(of: "Orders")
        let results = Mutex<[(name: String, result: String)]>([])
        try await BoardBench.run("Orders", nimble, after: "ready") { bench, board, log in
            let (central, events) = try await bench.central()
            let connection = try await bench.connect(central, to: board)
            let services = try await central.discoverServices(on: connection)
            let value = try #require(services.first { $0.uuid == BLEUUID(0xA000) }?.characteristics.first).value
            try await central.setSubscription(.notifications, of: value, on: connection)
            for writes in table.names {
                let before = events.events.count
                for write in writes.split(separator: " ") {
                    try await central.write(Array(write.utf8), to: value, kind: .withoutResponse, on: connection)
                }
                try await bench.sleep(.seconds(1))
                let received = events.events.dropFirst(before).compactMap { event -> String? in
                    guard case .notification(_, _, let value, let isIndication) = event else { return nil }
                    return (isIndication ? "indicated " : "notified ") + String(decoding: value, as: UTF8.self)
                }
                results.withLock { $0.append((writes, received.joined(separator: ", "))) }
            }
        }
        let found = results.withLock { $0 }
        try RecordedTable.write(found, column: "\(nimble)")
        for (writes, received) in found { #expect(received == table[writes, "received"], "\(writes)") }
        #expect(found.count == 8)
    }
}
