import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import CentralConformance
import Glibc
import LogFiles

/// A central that keeps what it has, and is killed. The first one with a name begins: it subscribes to the first peer, and
/// begins to read from the second one, which has hung. Those that follow take up what it had. All of them stay.
func restore(
    _ backend: any CentralBackend, _ folder: String, _ name: String, on executor: BenchExecutor
) async throws {
    let central = Central(backend, on: executor)
    try await central.powerOn()
    // A second one with the name finds the log in use, and then the name.
    let log = try? TimedLog("\(folder)-\(name).log", of: "a restoring central", wallTime: wallTime)
    let restoring = try await RestoringCentral(central, identifier: name, folder: folder, log: log)
    // Their subscriptions last as long as somebody has them.
    var taken: [RestoredPeripheral] = []
    if restoring.restored.isEmpty {
        try await begin(restoring, executor)
    } else {
        for record in restoring.restored {
            let parts =
                record.subscriptions.map { "subscribed \($0.path)" } + record.unfinished.map { "unfinished \($0.path)" }
            say("had \(record.peer): \(parts.joined(separator: ", "))")
        }
        for await result in await restoring.restore(within: .seconds(10)) {
            switch result {
            case .failed(let record, let error): say("failed \(record.peer): \(error.code)")
            case .connected(let restored):
                taken.append(restored)
                say("connected \(restored.peripheral.id)")
                for subscription in restored.subscriptions { try await hear(subscription.values, restored.peripheral) }
            }
        }
    }
    say("ready")
    while !Task.isCancelled { try await BenchClock(executor).sleep(for: .seconds(3600)) }
    withExtendedLifetime(taken) {}
}

/// Microseconds since the Unix epoch.
@Sendable private func wallTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}

private func path(_ characteristic: BLEUUID) -> CharacteristicPath {
    CharacteristicPath(service: ConformancePeer.service, characteristic: characteristic)
}

private func begin(_ restoring: RestoringCentral, _ executor: BenchExecutor) async throws {
    let central = restoring.central
    let first = try await central.connect(to: PeerID(ConformancePeer.addresses[0]), within: .seconds(20))
    let values = try await first.characteristic(path(ConformancePeer.output)).values()
    _ = Task(executorPreference: executor) { for try await value in values { say("value \(value)") } }
    try await first.characteristic(path(ConformancePeer.trigger)).write(ConformancePeer.Trigger.notify(1))
    let second = try await central.connect(to: PeerID(ConformancePeer.addresses[1]), within: .seconds(20))
    let value = try await second.characteristic(path(ConformancePeer.value))
    try await second.characteristic(path(ConformancePeer.trigger)).write(ConformancePeer.Trigger.hang, .withoutResponse)
    // The peer has hung when this is answered no more.
    while true {
        let read = Task(executorPreference: executor) { try await value.read(within: .seconds(1)) }
        if (try? await read.value) == nil { break }
    }
    _ = Task(executorPreference: executor) { try await value.read() }
    while await restoring.kept.last?.unfinished.isEmpty != false {
        try await BenchClock(executor).sleep(for: .milliseconds(1))
    }
}

private func hear(_ values: AsyncThrowingStream<[UInt8], any Error>, _ peripheral: Peripheral) async throws {
    try await peripheral.characteristic(path(ConformancePeer.trigger)).write(ConformancePeer.Trigger.notify(1))
    for try await value in values {
        say("value \(value)")
        return
    }
}
