import BLECentral
import BLECore
import BenchExecutor
import CentralConformance
import Glibc
import MonotonicTime

/// Measures operations of a central; one line `KIND RATE CPU`: per second, and milliseconds of CPU time each.
func measure(_ central: any CentralBackend, on executor: BenchExecutor, count: Int) async throws {
    let suite = Conformance(central, on: executor, patience: .seconds(60))
    let link = try await suite.connect()
    let value = try link.attribute(ConformancePeer.value)
    let output = try link.attribute(ConformancePeer.output)
    try await central.setSubscription(.notifications, of: output, on: link.connection)
    try await time("reads", count, executor) {
        for _ in 0..<count { _ = try await central.read(value, on: link.connection) }
    }
    try await time("writes", count, executor) {
        for _ in 0..<count {
            try await central.write([1], to: value, kind: .withResponse, on: link.connection)
        }
    }
    try await time("notifications", count, executor) {
        for _ in 0..<(count / 8) { try await suite.write(ConformancePeer.Trigger.notify(8), link) }
    }
    try await central.disconnect(link.connection)
}

private func time(
    _ kind: String, _ count: Int, _ executor: BenchExecutor, _ body: () async throws -> Void
) async throws {
    let (start, cpu) = (executor.now, cpuTime())
    try await body()
    let seconds = Double(executor.now.nanoseconds - start.nanoseconds) / 1e9
    say("\(kind) \(Double(count) / seconds) \((cpuTime() - cpu) * 1000 / Double(count))")
}

/// The CPU time of this process, in seconds.
private func cpuTime() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}
