import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import MonotonicTime
import Testing
import VirtualBoard

/// NimBLE's host task and its buffers: what a callback that blocks holds up, and what is lost when they run out.
@Suite struct HostTaskTests {
    @Test func aCallbackThatBlocksHoldsUpTheHostAndKeepsTheLink() async throws {
        try await BoardBench.run("BlocksInCallback") { bench, board, log in
            let (central, events) = try await bench.central()
            let (connection, characteristic) = try await connect(central, board)
            try await central.write([10], to: characteristic.value, kind: .withoutResponse, on: connection)
            let before = bench.executor.now
            // The read waits until the callback has returned.
            _ = try await central.read(characteristic.value, on: connection)
            let waited = before.duration(to: bench.executor.now)
            #expect(waited > .seconds(9.9) && waited < .seconds(10.5), "\(waited)")
            #expect(!events.events.contains { if case .disconnected = $0 { true } else { false } })
            #expect(log.console.hasSuffix("connected\r\nbegin\r\nend\r\n"), "\(log.console)")
        }
    }

    @Test func aClientsRequestTimesOutWhileACallbackBlocks() async throws {
        try await BoardBench.run("BlocksInCallback") { bench, board, log in
            let (central, _) = try await bench.central()
            let (connection, characteristic) = try await connect(central, board)
            try await central.write([60], to: characteristic.value, kind: .withoutResponse, on: connection)
            let before = bench.executor.now
            await #expect(throws: CentralError.self) { try await central.read(characteristic.value, on: connection) }
            // The transaction time-out of ATT (Core 5.4, Vol 3 Part F 3.3.3).
            let waited = before.duration(to: bench.executor.now)
            #expect(waited > .seconds(29) && waited < .seconds(31), "\(waited)")
            try? await central.disconnect(connection)
            try await bench.wait(for: "the end of the callback") { log.console.contains("end\r\n") }
            // Then all goes on: the sketch learns of the disconnection, and serves the next client.
            try await bench.wait(for: "the disconnection") { log.console.contains("end\r\ndisconnected ") }
            let (other, _) = try await bench.central(2)
            _ = try await other.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
        }
    }

    @Test func aClientThatConnectsMeanwhileIsServedLater() async throws {
        try await BoardBench.run("BlocksInCallback") { bench, board, log in
            let (central, _) = try await bench.central()
            let (connection, characteristic) = try await connect(central, board)
            try await central.write([5], to: characteristic.value, kind: .withoutResponse, on: connection)
            try await central.disconnect(connection)
            try await bench.sleep(.seconds(3))
            #expect(log.console.hasSuffix("connected\r\nbegin\r\n"), "\(log.console)")
            try await bench.sleep(.seconds(3))
            #expect(log.console.hasSuffix("begin\r\nend\r\ndisconnected 531\r\n"), "\(log.console)")
        }
    }

    @Test func notificationsAreRefusedWhenTheBuffersAreUsedUp() async throws {
        try await BoardBench.run("Floods") { bench, board, log in
            let (central, events) = try await bench.central()
            let (connection, characteristic) = try await connect(central, board)
            _ = try await central.exchangeMTU(255, on: connection)
            try await central.setSubscription(.notifications, of: characteristic.value, on: connection)
            try await central.write([1], to: characteristic.value, kind: .withoutResponse, on: connection)
            try await bench.wait(for: "the sketch's count") { log.console.contains("accepted") }
            // 12 buffers of the controller, and 12 of the host, of which each takes two. As the library (`QueueTests`),
            // the host does not tell of those for which it had no buffers at all.
            #expect(log.console.hasSuffix("accepted 18, sent 18, refused 0\r\n"), "\(log.console)")
            let values = events.events.compactMap { event in
                if case .notification(_, _, let value, _) = event { value.first } else { nil }
            }
            #expect(values == Array(0..<18))
            let refused = log.events.count { if case .notificationRefused = $0 { true } else { false } }
            #expect(refused == 282)
            // The buffers are free again.
            try await central.write([1], to: characteristic.value, kind: .withoutResponse, on: connection)
            try await bench.wait(for: "the second count") {
                log.console.hasSuffix("accepted 18, sent 36, refused 0\r\n")
            }
        }
    }

    // MARK: Helpers

    /// Connects, and discovers the sketch's only characteristic.
    private func connect(_ central: HCICentral, _ board: VirtualBoard) async throws -> (
        ConnectionID, DiscoveredCharacteristic
    ) {
        let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
        let services = try await central.discoverServices(on: connection)
        let service = try #require(services.first { $0.uuid == BLEUUID(0xA000) })
        return (connection, try #require(service.characteristics.first))
    }
}
