import MonotonicTime
import SerialNetwork
import SerialPort
import Testing

/// Clients that send garbage: each is disconnected with a line in the log, and the next one is served.
@Suite(.timeLimit(.minutes(10))) struct HostileClientTests {
    private func cutOff(
        by bytes: [UInt8], on transport: SerialServer.Transport = .rfc2217,
        limits: SerialServer.Limits = .init(unfinishedCommand: .milliseconds(50)), repeating: Bool = false
    ) async throws -> [String] {
        let log = LogLines()
        try await withServer(transport, limits: limits, log: log, open: { FakePort(echoes: true) }) { server in
            let hostile = try await NetworkPort.open(try server.address.asSocket)
            await #expect(throws: SerialPortError.self) {
                try await hostile.write(bytes)
                while true {
                    _ = try await hostile.read(upTo: 65_536, within: .milliseconds(1))
                    if repeating { try await hostile.write(bytes) }
                }
            }
            await hostile.close()
            let next = try await NetworkPort.open(server.address)
            try await next.write([7])
            #expect(try await read(1, from: next) == [7])
            await next.close()
        }
        return log.all.filter { $0.contains("cut off") }
    }

    @Test func anIncompleteTelnetCommandDisconnects() async throws {
        let lines = try await cutOff(by: [255, 250, 44, 5])
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix("a telnet command was left unfinished for 0.05 seconds") == true)
    }

    @Test func anEndlessSubnegotiationDisconnects() async throws {
        let lines = try await cutOff(by: [255, 250, 44] + [UInt8](repeating: 1, count: 100_000))
        #expect(lines.first?.contains("expected a telnet subnegotiation of at most 256 bytes") == true)
    }

    @Test(arguments: [SerialServer.Transport.socket, .rfc2217])
    func aFloodDisconnects(transport: SerialServer.Transport) async throws {
        let lines = try await cutOff(
            by: [UInt8](repeating: 0x55, count: 65_536), on: transport, limits: .init(bytesPerSecond: 200_000),
            repeating: true)
        #expect(lines.first?.contains("expected at most 200000 bytes in a second") == true)
    }

    @Test(arguments: 0..<10) func garbageNeverStopsTheServer(seed: UInt64) async throws {
        try await withServer(.rfc2217, open: { FakePort(echoes: false) }) { server in
            var random = SeededRandom(seed: seed)
            for _ in 0..<3 {
                let client = try await NetworkPort.open(try server.address.asSocket)
                // The server may have ended the connection already.
                try? await client.write(Self.telnetLike(&random))
                await client.close()
            }
            let next = try await NetworkPort.open(server.address)
            try await next.setModemLines(ModemLines(dtr: true, rts: true))
            await next.close()
        }
    }

    /// Random bytes that are often telnet's own.
    private static func telnetLike(_ random: inout SeededRandom) -> [UInt8] {
        let known: [UInt8] = [255, 255, 250, 240, 44, 253, 251, 1, 5, 12, 0, 8, 11]
        return random.bytes(3_000).map { $0 & 3 == 0 ? $0 : known[Int($0 >> 2) % known.count] }
    }
}
