import BLECore
import BLERadioServing
import MonotonicTime
import Synchronization
import TCP
import Testing

/// Hosts of an H4 server, correct and faulty ones; each is logged.
@Suite(.timeLimit(.minutes(10))) struct H4ServerTests {
    private static let reset: UInt16 = 0x0C03
    private static let readAddress: UInt16 = 0x1009

    /// What a server says of a host before it is cut off, and of why it is.
    private func cutOff(
        _ limits: H4Limits = H4Limits(), _ misbehave: @escaping @Sendable (H4Client) async throws -> Void
    ) async throws -> [String] {
        let log = LogLines()
        try await withH4Server(limits, log: log) { server, _ in
            let good = try H4Client(port: server.port)
            #expect(try await good.command(Self.reset) == [0])
            let bad = try H4Client(port: server.port)
            try? await misbehave(bad)
            await bad.waitForEnd()
            // The others continue.
            #expect(try await good.command(Self.reset) == [0])
            let next = try H4Client(port: server.port)
            #expect(try await next.command(Self.reset) == [0])
        }
        let lines = log.all.filter { $0.contains("cut off") }
        #expect(lines.count == 1, "\(log.all)")
        return lines
    }

    @Test func eachConnectionHasItsOwnController() async throws {
        let log = LogLines()
        // Connected until the server has stopped.
        let clients = Mutex<[H4Client]>([])
        try await withH4Server(log: log) { server, _ in
            let first = try H4Client(port: server.port)
            #expect(try await first.command(Self.readAddress) == [0, 1, 0, 0, 0, 0xEC, 2])
            let second = try H4Client(port: server.port)
            #expect(try await second.command(Self.readAddress) == [0, 2, 0, 0, 0, 0xEC, 2])
            first.close()
            while !log.all.contains(where: { $0.contains("disconnected") }) {
                _ = try await second.command(Self.reset)
            }
            let third = try H4Client(port: server.port)
            #expect(try await third.command(Self.readAddress) == [0, 1, 0, 0, 0, 0xEC, 2])
            clients.withLock { $0 = [second, third] }
        }
        let lines = log.all.map { $0.replacing(#/127\.0\.0\.1:\d+/#, with: "PEER") }
        #expect(
            lines == [
                "h4: PEER connected: controller 02:EC:00:00:00:01", "h4: PEER connected: controller 02:EC:00:00:00:02",
                "h4: PEER disconnected: the other end closed the connection",
                "h4: PEER connected: controller 02:EC:00:00:00:01", "h4: PEER disconnected: the server stopped",
                "h4: PEER disconnected: the server stopped",
            ])
    }

    @Test func aPortWithAnAddressServesOneHostAtATime() async throws {
        let log = LogLines()
        let address = DeviceAddress(0x02EC_0000_00AA, .public)
        let limits = H4Limits(formerHost: .seconds(2))
        try await withH4Server(limits, address: address, log: log) { server, _ in
            let first = try H4Client(port: server.port)
            #expect(try await first.command(Self.readAddress) == [0, 0xAA, 0, 0, 0, 0xEC, 2])
            let second = try H4Client(port: server.port)
            await second.waitForEnd()
            #expect(try await first.command(Self.reset) == [0])
            first.close()
            let third = try H4Client(port: server.port)
            #expect(try await third.command(Self.readAddress) == [0, 0xAA, 0, 0, 0, 0xEC, 2])
            third.close()
        }
        let lines = log.all.map { $0.replacing(#/127\.0\.0\.1:\d+/#, with: "PEER") }
        #expect(
            lines.prefix(4) == [
                "h4: PEER connected: controller 02:EC:00:00:00:AA",
                "h4: PEER refused: controller 02:EC:00:00:00:AA is in use, and this port has only one",
                "h4: PEER disconnected: the other end closed the connection",
                "h4: PEER connected: controller 02:EC:00:00:00:AA",
            ])
    }

    /// A host that reconnects waits for the end of its former connection, and so do those that the server's end finds.
    @Test func aHostWaitsForTheFormerOne() async throws {
        let log = LogLines()
        let address = DeviceAddress(0x02EC_0000_00AA, .public)
        // Kept until the server has stopped.
        let clients = Mutex<[H4Client]>([])
        try await withH4Server(H4Limits(formerHost: .seconds(600)), address: address, log: log) { server, _ in
            let first = try H4Client(port: server.port)
            #expect(try await first.command(Self.reset) == [0])
            let second = try H4Client(port: server.port)
            try await second.send([1, 0x09, 0x10, 0])
            first.close()
            #expect(try await second.event(0x0E).suffix(6) == [0xAA, 0, 0, 0, 0xEC, 2])
            let third = try H4Client(port: server.port)
            clients.withLock { $0 = [second, third] }
        }
        #expect(log.all.count { $0.contains("refused") } <= 1)
        #expect(log.all.count { $0.contains("disconnected: the server stopped") } == 1)
    }

    @Test func aControllerIsRemovedWithItsHost() async throws {
        try await withH4Server { server, _ in
            let central = try H4Client(port: server.port)
            _ = try await central.command(0x0C01, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F])
            let peripheral = try H4Client(port: server.port)
            #expect(try await peripheral.command(0x200A, [1]) == [0])
            // Every 7.5 ms, and lost after 100 ms.
            let parameters: [UInt8] = [6, 0, 6, 0, 0, 0, 10, 0, 0, 0, 0, 0]
            let create = [0x10, 0, 0x10, 0, 0, 0, 2, 0, 0, 0, 0xEC, 2, 0] + parameters
            try await central.send([1, 0x0D, 0x20, UInt8(create.count)] + create)
            let connected = try await central.event(0x3E)
            #expect(Array(connected.prefix(12)) == [1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0xEC, 2])
            peripheral.close()
            #expect(try await central.event(0x05) == [0, 0, 0, 0x08])
        }
    }

    @Test func isochronousDataAreLoggedOncePerConnection() async throws {
        let log = LogLines()
        try await withH4Server(log: log) { server, _ in
            for _ in 0..<2 {
                let host = try H4Client(port: server.port)
                for _ in 0..<3 {
                    try await host.send([0x05, 0x60, 0x20, 0x04, 0x00, 1, 2, 3, 4])
                    #expect(try await host.command(Self.reset) == [0])
                }
            }
        }
        let lines = log.all.map { $0.replacing(#/127\.0\.0\.1:\d+/#, with: "PEER") }.filter { $0.contains("dropped") }
        let line = "h4: PEER sent isochronous data (H4 packet type 05), which no controller here carries: dropped"
        #expect(lines == [line, line])
    }

    @Test func garbageDisconnectsOneHostOnly() async throws {
        var random = SeededRandom(seed: 5)
        let bytes = [0x99] + random.bytes(1 << 20)
        let lines = try await cutOff { client in
            for _ in 0..<1024 { try await client.send(bytes) }
        }
        #expect(
            lines.first?.hasSuffix(
                "disconnected: cut off: expected an H4 packet type 01 to 05, got 99 at byte 0 of the stream") == true)
    }

    @Test func anIncompletePacketTimesOut() async throws {
        let lines = try await cutOff(H4Limits(unfinishedPacket: .milliseconds(50))) { client in
            try await client.send([0x02, 0x00, 0x20, 0xFF, 0xFF, 0x00])
        }
        #expect(
            lines.first?.hasSuffix("cut off: expected a whole HCI packet within 0.05 seconds, got the beginning of one")
                == true)
    }

    @Test func aFloodDisconnectsOneHostOnly() async throws {
        let lines = try await cutOff(H4Limits(bytesPerSecond: 200_000)) { client in
            // Data for an unknown connection: legal, and never answered.
            let packet: [UInt8] = [0x02, 0x00, 0x20, 0x00, 0x08] + [UInt8](repeating: 0, count: 2048)
            while true { try await client.send(packet) }
        }
        #expect(lines.first?.contains("cut off: expected at most 200000 bytes in a second, got ") == true)
    }

    @Test func aHostThatNeverReads() async throws {
        let lines = try await cutOff(H4Limits(bytesPerSecond: .max, unreadBytes: 10_000)) { client in
            // Each is answered with 252 bytes of commands supported.
            let commands = [[UInt8]](repeating: [0x01, 0x02, 0x10, 0x00], count: 1000).flatMap { $0 }
            while true { try await client.send(commands) }
        }
        #expect(lines.first?.contains("cut off: expected the client to read its data, got ") == true)
    }
}
