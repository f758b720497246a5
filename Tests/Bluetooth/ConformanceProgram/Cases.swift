import BLECentral
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import Dispatch
import Glibc
import MonotonicTime

/// Cases have failed.
struct CasesFailed: Error, CustomStringConvertible {
    let description: String
}

/// Writes a line at once: scripts wait for some.
func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
}

/// Runs the cases of the backend whose names contain `text`, or, if it begins with a hyphen, those whose names do not; one
/// line each.
func runCases(_ central: any CentralBackend, on executor: BenchExecutor, containing text: String) async throws {
    let suite = Conformance(central, on: executor, patience: .seconds(40))
    let cases = Conformance.cases.map { test in NamedCase(name: test.name) { await suite.run(test) } }
    try await run(cases, on: executor, containing: text)
    try await suite.endSharing()
}

/// Runs those of the clients.
func runClientCases(_ backend: any CentralBackend, on executor: BenchExecutor, containing text: String) async throws {
    let central = Central(backend, on: executor)
    try await central.powerOn()
    let suite = ClientConformance(central, patience: .seconds(40))
    let cases = ClientConformance.cases.map { test in NamedCase(name: test.name) { await suite.run(test) } }
    try await run(cases, on: executor, containing: text)
}

private struct NamedCase {
    let name: String
    let body: () async -> Conformance.Outcome
}

private func run(_ cases: [NamedCase], on executor: BenchExecutor, containing text: String) async throws {
    var failures = 0
    let isExcluding = text.hasPrefix("-")
    let part = isExcluding ? String(text.dropFirst()) : text
    for test in cases where part.isEmpty || test.name.contains(part) != isExcluding {
        let start = executor.now
        let outcome = await test.body()
        let seconds = Double(executor.now.nanoseconds - start.nanoseconds) / 1e9
        let time = "\((seconds * 10).rounded() / 10) s"
        switch outcome {
        case .passed: say("ok: \(test.name) (\(time))")
        case .skipped(let reason): say("skipped: \(test.name): \(reason)")
        case .failed(let why):
            failures += 1
            say("FAILED: \(test.name): \(why) (\(time))")
        }
    }
    if failures > 0 { throw CasesFailed(description: "\(failures) cases failed") }
}

/// Serves the peers until the input ends.
func serve(on executor: BenchExecutor, hasClientPeers: Bool) throws -> Int32 {
    try executor.run {
        let world = try await ConformanceWorld.start(on: executor, hasClientPeers: hasClientPeers)
        let server = try H4Server(
            world.radio, executor, personality: .esp32, addresses: ControllerAddresses(), port: 0
        ) { line in
            say(line, to: STDERR_FILENO)
        }
        say("h4://127.0.0.1:\(server.port)  4.2")
        DispatchQueue(label: "input").async {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            server.stop()
        }
        await server.run()
        return 0
    }
}

/// Connects to the first peer and reads its value until that fails, then connects again: with the errors, which a script
/// compares.
func hold(_ central: any CentralBackend, on executor: BenchExecutor) async throws {
    let suite = Conformance(central, on: executor, patience: .seconds(40))
    let link = try await suite.connect()
    let value = try link.attribute(ConformancePeer.value)
    say("connected")
    do {
        while true { _ = try await central.read(value, on: link.connection) }
    } catch {
        say("failed: \(error.code): \(error)")
    }
    try await suite.expectDisconnection(of: link)
    say("disconnected")
    do throws(CentralError) {
        _ = try await central.connect(to: PeerID(ConformancePeer.addresses[0]), within: .seconds(20))
        say("then: connected")
    } catch {
        say("then: \(error.code): \(error)")
    }
}
