import BLECentral
import BLECore
import BLERadio
import BLERadioServing
import BenchExecutor
import CentralConformance
import Dispatch
import Glibc
import MonotonicTime
import Synchronization

/// Cases have failed.
struct CasesFailed: Error, CustomStringConvertible {
    let description: String
}

/// Writes a line at once: scripts wait for some.
func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
}

/// Runs the cases of the backend that are wanted; one line each.
func runCases(_ central: any CentralBackend, on executor: BenchExecutor, containing text: String) async throws {
    let suite = Conformance(central, on: executor, patience: .seconds(40))
    let report = Report()
    for test in Conformance.cases where isWanted(test.name, text) {
        let start = executor.now
        report.add(test.name, await suite.run(test), start.duration(to: executor.now))
    }
    try await suite.endSharing()
    try report.check()
}

/// Runs those of the clients.
func runClientCases(_ backend: any CentralBackend, on executor: BenchExecutor, containing text: String) async throws {
    let central = Central(backend, on: executor)
    try await central.powerOn()
    let report = Report()
    await ClientConformance(central, patience: .seconds(40)).run {
        isWanted($0.name, text)
    } report: {
        report.add($0.name, $1, $2)
    }
    try report.check()
}

/// Whether a name contains the text, or, if that begins with a hyphen, does not contain the rest of it.
private func isWanted(_ name: String, _ text: String) -> Bool {
    let isExcluding = text.hasPrefix("-")
    let part = isExcluding ? String(text.dropFirst()) : text
    return part.isEmpty || name.contains(part) != isExcluding
}

/// What became of cases: a line each.
private final class Report: Sendable {
    private let failures = Atomic(0)

    func add(_ name: String, _ outcome: Conformance.Outcome, _ duration: Duration) {
        let time = "\((duration / .seconds(1) * 10).rounded() / 10) s"
        switch outcome {
        case .passed: say("ok: \(name) (\(time))")
        case .skipped(let reason): say("skipped: \(name): \(reason)")
        case .failed(let why):
            failures.add(1, ordering: .relaxed)
            say("FAILED: \(name): \(why) (\(time))")
        }
    }

    func check() throws {
        let count = failures.load(ordering: .relaxed)
        if count > 0 { throw CasesFailed(description: "\(count) cases failed") }
    }
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
