import BLECentral
import BLECore
import BenchExecutor
import CentralConformance
import Glibc
import MonotonicTime

/// How many notifications one write asks for.
private let burst = 25
/// How many operations of each kind come first, unmeasured: an emulated processor translates what runs for the first time.
private let warmUp = 50

/// Measures the client library on a stack; one line `KIND RATE CPU`: per second, and milliseconds of CPU time each.
///
/// Commands end with a read, which comes back when the peer has had them all.
func measure(_ backend: any CentralBackend, on executor: BenchExecutor, count: Int) async throws {
    let central = Central(backend, on: executor)
    try await central.powerOn()
    let peripheral = try await central.connect(to: PeerID(ConformancePeer.addresses[0]), within: .seconds(60))
    let service = try await peripheral.service(ConformancePeer.service)
    let value = try service.characteristic(ConformancePeer.value)
    let trigger = try service.characteristic(ConformancePeer.trigger)
    let values = try await service.characteristic(ConformancePeer.output).values()
    let figures = Figures(value: value, trigger: trigger, values: values)
    for _ in 0..<warmUp {
        _ = try await value.read()
        try await value.write([1], .withResponse)
    }
    try await figures.sendCommands(warmUp)
    try await figures.receiveNotifications(warmUp)
    try await time("reads", count, executor) {
        for _ in 0..<count { _ = try await value.read() }
    }
    try await time("writes", count, executor) {
        for _ in 0..<count { try await value.write([1], .withResponse) }
    }
    try await time("commands", count, executor) { try await figures.sendCommands(count) }
    let notifications = count / burst * burst
    try await time("notifications", notifications, executor) { try await figures.receiveNotifications(notifications) }
    try await peripheral.disconnect()
}

private struct Figures {
    let value: Characteristic
    let trigger: Characteristic
    let values: AsyncThrowingStream<[UInt8], any Error>

    func sendCommands(_ count: Int) async throws {
        for number in 0..<count { try await value.write([UInt8(truncatingIfNeeded: number)], .withoutResponse) }
        let last = try await value.read()
        guard last == [UInt8(truncatingIfNeeded: count - 1)] else { throw WrongValue(description: "\(last)") }
    }

    /// - Parameter count: a multiple of ``burst``.
    func receiveNotifications(_ count: Int) async throws {
        var number = 0
        try await trigger.write(ConformancePeer.Trigger.notify(UInt8(burst)))
        for try await value in values {
            guard value == [UInt8(number % burst)] else {
                throw WrongValue(description: "notification \(number): \(value)")
            }
            number += 1
            guard number < count else { break }
            if number % burst == 0 { try await trigger.write(ConformancePeer.Trigger.notify(UInt8(burst))) }
        }
    }
}

/// A value that the peer did not send, or not then.
private struct WrongValue: Error, CustomStringConvertible {
    let description: String
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
