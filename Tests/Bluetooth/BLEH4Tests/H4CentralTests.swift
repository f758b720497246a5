import BLECentral
import BLECentralBackends
import BLECentralHCI
import BLECore
import BLEPeripheral
import BLERadio
import BLERadioServing
import BenchExecutor
import Foundation
import Inbox
import Synchronization
import TCP
import Testing

/// espbench's own host on controllers behind TCP and ttys, in real time.
@Suite("A central on an H4 controller", .timeLimit(.minutes(10))) struct H4CentralTests {
    private static let input = BLEUUID(0xAA01)
    private static let output = BLEUUID(0xAA02)

    /// Runs `body` with a served air on which a peripheral doubles the bytes that it gets.
    private func withServer(
        _ body: @escaping @Sendable (BenchExecutor, H4Server) async throws -> Void
    ) async throws {
        let executor = BenchExecutor(pace: .real)
        try await executor.runOnThread(timeLimit: .seconds(60)) {
            let radio = Radio(executor, seed: 1)
            let port = await radio.attach(address: DeviceAddress(0x02EB_0000_0001, .public), personality: .esp32)
            let input = CharacteristicDefinition(Self.input, [.write]) { value, _, peripheral in
                try peripheral.update(value.map { $0 &* 2 }, of: Self.output)
            }
            let peripheral = try BLEPeripheral(
                PeripheralDefinition(
                    name: "Doubler",
                    services: [
                        ServiceDefinition(
                            BLEUUID(0x180F),
                            [input, CharacteristicDefinition(Self.output, [.read, .notify], value: [0])])
                    ]), behaviour: .nimble, on: port, executor: executor)
            try await peripheral.start()
            let server = try H4Server(
                radio, executor, personality: .esp32, addresses: ControllerAddresses(), port: 0, log: { _ in })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                defer { server.stop() }
                try await body(executor, server)
            }
        }
    }

    /// Opens `address`, and connects to the peripheral.
    private func connect(
        _ address: String, _ executor: BenchExecutor, _ handler: @escaping CentralEventQueue.Handler
    ) async throws -> (central: any CentralBackend, connection: ConnectionID, services: [DiscoveredService]) {
        let central = try await CentralBackends.open(try CentralAddress(address), on: executor)
        central.events.setHandler(on: executor, handler)
        try await central.powerOn()
        try await central.startScanning(ScanFilter())
        try await central.stopScanning()
        let peer = PeerID(DeviceAddress(0x02EB_0000_0001, .public))
        let connection = try await central.connectAndAccept(to: peer, within: .seconds(20))
        return (central, connection, try await central.discoverServices(on: connection))
    }

    private func attribute(_ uuid: BLEUUID, _ services: [DiscoveredService]) throws -> AttributeID {
        try #require(services.flatMap(\.characteristics).first { $0.uuid == uuid }).value
    }

    @Test("reads, writes and is notified over TCP")
    func exchange() async throws {
        try await withServer { executor, server in
            let (values, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            let (central, connection, services) = try await connect("h4:127.0.0.1:\(server.port)", executor) { event in
                if case .notification(_, _, let value, _) = event { continuation.yield(value) }
            }
            let (input, output) = (try attribute(Self.input, services), try attribute(Self.output, services))
            #expect(try await central.read(output, on: connection) == [0])
            try await central.setSubscription(.notifications, of: output, on: connection)
            try await central.write([21], to: input, kind: .withResponse, on: connection)
            var iterator = values.makeAsyncIterator()
            #expect(await iterator.next() == [42])
            try await central.disconnect(connection)
        }
    }

    @Test("loses its connections with the controller, and is unavailable from then on")
    func loss() async throws {
        try await withServer { executor, server in
            let (ends, continuation) = AsyncStream.makeStream(of: ConnectionID.self)
            let (central, connection, services) = try await connect("h4:127.0.0.1:\(server.port)", executor) { event in
                if case .disconnected(let id, _, _) = event { continuation.yield(id) }
            }
            let output = try attribute(Self.output, services)
            // Never answered: nobody advertises there.
            let attempt = Task(executorPreference: executor) {
                try await central.connect(to: PeerID(DeviceAddress(9, .public)), within: .seconds(50))
            }
            server.stop()
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() == connection)
            let pending = await attempt.result
            #expect(throws: CentralError.self) { try pending.get() }
            for operation in ["read", "connect", "scan", "power on"] {
                let error = await #expect(throws: CentralError.self) {
                    switch operation {
                    case "read": _ = try await central.read(output, on: connection)
                    case "connect": _ = try await central.connect(to: PeerID(opaque: "x"), within: .seconds(1))
                    case "scan": try await central.startScanning(ScanFilter())
                    default: try await central.powerOn()
                    }
                }
                if operation == "connect" { continue }
                #expect(error?.code == .unavailable, "\(operation): \(error?.detail ?? "")")
                #expect(error?.detail.hasPrefix("h4:127.0.0.1:\(server.port): ") == true)
            }
        }
    }

    @Test("stops an attempt to connect when its task is cancelled")
    func cancellation() async throws {
        try await withServer { executor, server in
            let (central, connection, _) = try await connect("h4:127.0.0.1:\(server.port)", executor) { _ in }
            let attempt = Task(executorPreference: executor) {
                try await central.connect(to: PeerID(DeviceAddress(9, .public)), within: .seconds(50))
            }
            let second = Task(executorPreference: executor) {
                try await central.connect(to: PeerID(DeviceAddress(10, .public)), within: .seconds(50))
            }
            second.cancel()
            attempt.cancel()
            for task in [attempt, second] {
                let result = await task.result
                let error = #expect(throws: CentralError.self) { try result.get() }
                #expect(error?.code == .timedOut)
            }
            // The controller is free for the next one.
            try await central.disconnect(connection)
            let peer = PeerID(DeviceAddress(0x02EB_0000_0001, .public))
            _ = try await central.connectAndAccept(to: peer, within: .seconds(20))
        }
    }

    @Test("is unavailable when the other end speaks something else")
    func garbage() async throws {
        let executor = BenchExecutor(pace: .real)
        // The server runs on the executor, too: the host waits 2 s for an answer, and other tests may fill the shared
        // threads for longer.
        try await executor.runOnThread(timeLimit: .seconds(60)) {
            let listener = try TCPListener(host: "127.0.0.1", port: 0, name: "web server", log: { _ in })
            defer { listener.close() }
            let server = Task(executorPreference: executor) {
                for await client in listener.clients {
                    let inbox = TCPInbox(name: client.peer)
                    let connection = TCPConnection(client.descriptor, name: client.peer, receiver: inbox)
                    _ = try? await inbox.read(upTo: 1, within: nil)
                    try? await connection.send(Array("HTTP/1.1 400 Bad Request\r\n".utf8))
                    while (try? await inbox.read(upTo: 4096, within: nil)) != nil {}
                    connection.close()
                }
            }
            defer { server.cancel() }
            let address = "h4:127.0.0.1:\(listener.port)"
            let central = try await CentralBackends.open(try CentralAddress(address), on: executor)
            let error = await #expect(throws: CentralError.self) { try await central.powerOn() }
            #expect(error?.code == .unavailable)
            #expect(error?.detail == "\(address): expected an H4 packet type 01 to 05, got 48 at byte 0 of the stream")
        }
    }

    @Test("cannot be opened where nobody listens, and on what is no tty")
    func openFaults() async throws {
        // A port that was listened on and closed may be another test's by now; nobody listens on port 1.
        let faults: [(String, CentralOpenError.Code)] = [
            ("h4:127.0.0.1:1", .notFound), ("h4:/dev/nowhere", .notFound), ("h4:/dev/null", .unsupported),
        ]
        let executor = BenchExecutor(pace: .real)
        try await executor.runOnThread(timeLimit: .seconds(60)) {
            for (text, code) in faults {
                let address = try CentralAddress(text)
                let error = await #expect(throws: CentralOpenError.self) {
                    _ = try await CentralBackends.open(address, on: executor)
                }
                #expect(error?.code == code && error?.address == address, "\(error?.description ?? "")")
            }
        }
    }

    @Test("works over a tty")
    func tty() async throws {
        try await withServer { executor, server in
            // socat is the cable: a pseudo-terminal, and the served controller.
            let link = FileManager.default.temporaryDirectory.appending(path: "espbench-h4-\(UUID())").path
            let socat = Process()
            socat.executableURL = URL(filePath: "/usr/bin/socat")
            socat.arguments = [
                "-d", "-d", "PTY,link=\(link),raw,echo=0", "TCP:127.0.0.1:\(server.port),nodelay",
            ]
            let notes = Pipe()
            socat.standardError = notes
            try socat.run()
            defer { socat.terminate() }
            try await Self.waitForStart(notes)
            let (central, connection, services) = try await connect("h4:\(link),1000000", executor) { _ in }
            #expect(try await central.read(try attribute(Self.output, services), on: connection) == [0])
            try await central.disconnect(connection)
        }
    }

    /// Reads what socat says until it transfers data.
    private static func waitForStart(_ notes: Pipe) async throws {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var text = ""
                while !text.contains("starting data transfer loop") {
                    let data = notes.fileHandleForReading.availableData
                    if data.isEmpty { break }
                    text += String(decoding: data, as: UTF8.self)
                }
                continuation.resume()
            }
            thread.start()
        }
    }
}
