import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Random requests to a server, and random responses to a client.
@Suite struct GATTFuzzTests {
    @Test(arguments: Fuzz.seeds) func randomRequestsNeverTrapTheServer(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "server")
        let recorded = try Recordings.attributePDUs().requests
        let server = GATTServer(database: try Self.database())
        for connection: UInt16 in 0..<3 { server.connect(connection) }
        var now = MonotonicInstant.zero
        for _ in 0..<100_000 {
            let connection = UInt16(fuzz.below(3))
            let pdu = fuzz.input(near: recorded, longest: 300)
            server.handle(pdu[...], on: connection, now: now)
            var actions = 0
            while let action = server.nextAction() {
                actions += 1
                if case .send(let connection, let answer) = action, answer.count > server.mtu(of: connection) ?? 0 {
                    Issue.record("an answer of \(answer.count) bytes: \(fuzz.place(pdu))")
                }
            }
            guard actions <= 16 else {
                Issue.record("\(actions) actions: \(fuzz.place(pdu))")
                return
            }
            if fuzz.once(in: 40) {
                server.setSecurity(
                    GATTSecurity(
                        isEncrypted: fuzz.once(in: 2), isAuthenticated: fuzz.once(in: 2), hasStoredKey: fuzz.once(in: 2)
                    ),
                    of: connection)
            }
            if fuzz.once(in: 400) {
                server.disconnect(connection, now: now)
                server.connect(connection)
            }
            if fuzz.once(in: 100) {
                now = now.advanced(by: .seconds(fuzz.below(40)))
                server.advance(to: now)
            }
        }
        // The number of prepared writes of all clients stays limited, and the server still answers.
        server.disconnect(0, now: now)
        server.connect(0)
        server.handle([0x0A, 3, 0], on: 0, now: now)
        var answers: [[UInt8]] = []
        while let action = server.nextAction() {
            if case .send(0, let answer) = action { answers.append(answer) }
        }
        #expect(answers == [[0x0B] + Array("Fuzz".utf8)])
    }

    private static func database() throws -> GATTDatabase {
        var builder = GATTDatabaseBuilder(deviceName: "Fuzz")
        let service = builder.addService(.uuid16(0xAA00))
        builder.addCharacteristic(
            .uuid16(0xAA01), to: service, properties: [.write, .writeWithoutResponse], maximumLength: 512)
        builder.addCharacteristic(.uuid16(0xAA02), to: service, properties: [.read, .notify], value: [0])
        builder.addCharacteristic(
            .uuid16(0xAA03), to: service,
            properties: [.read, .write, .readEncrypted, .writeEncrypted, .readAuthenticated, .writeAuthenticated])
        builder.addCharacteristic(
            .uuid16(0xAA04), to: service, properties: [.read, .indicate], value: [UInt8](0..<200))
        return try builder.register()
    }

    @Test(arguments: Fuzz.seeds) func randomResponsesNeverTrapTheClient(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "client")
        let recorded = try Recordings.attributePDUs().answers
        for _ in 0..<20_000 {
            var client = GATTClient()
            var pdus: [[UInt8]] = []
            for _ in 0...fuzz.below(2) { start(&client, &fuzz) }
            for _ in 0..<5 {
                let request = client.nextOutput()
                var pdu = fuzz.input(near: recorded)
                if let opcode = request?.first, !pdu.isEmpty, !fuzz.once(in: 4) { pdu[0] = opcode &+ 1 }
                pdus.append(pdu)
                client.receive(pdu[...], now: .zero)
                if fuzz.once(in: 8) { start(&client, &fuzz) }
            }
            client.advance(to: MonotonicInstant.zero.advanced(by: .seconds(60)))
            guard client.isIdle, client.nextDeadline == nil else {
                Issue.record("the client waits for ever: \(pdus.map { fuzz.place($0) })")
                return
            }
            var events = 0
            while client.nextEvent() != nil { events += 1 }
            #expect(events <= 16, "\(pdus.map { fuzz.place($0) })")
        }
    }

    private func start(_ client: inout GATTClient, _ fuzz: inout Fuzz) {
        switch fuzz.below(4) {
        case 0: _ = client.discoverServices(now: .zero)
        case 1: _ = client.read(0x12, now: .zero)
        case 2: _ = client.write([UInt8](0..<40)[...], to: 0x10, now: .zero)
        default: _ = client.exchangeMTU(UInt16(23 + fuzz.below(500)), now: .zero)
        }
    }
}
