import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import MonotonicTime

extension ClientConformance {
    static let reconnectingCases = [
        Case("a lost link is made again, with its subscription") { suite in
            let heard = AsyncStream.makeStream(of: [UInt8].self)
            let kept = try await Kept(suite, ReconnectionPolicy(tries: nil, timeout: .seconds(10))) {
                let values = try await suite.characteristic(ConformancePeer.output, of: $0).values()
                Task(executorPreference: suite.executor) {
                    for try await value in values { heard.continuation.yield(value) }
                }
            }
            try await suite.characteristic(ConformancePeer.trigger, of: suite.peripheral())
                .write(ConformancePeer.Trigger.vanish, .withoutResponse)
            let loss = try await kept.next("the loss") { if case .lost = $0 { true } else { false } }
            if suite.central.abilities.contains(.disconnectReason) {
                try suite.expect(loss == .lost(reason: 0x08), "the reason 0x08, got \(loss)")
            }
            _ = try await kept.next("the next connection") { $0 == .connected }
            try await suite.trigger(ConformancePeer.Trigger.notify(1), suite.peripheral())
            _ = try await suite.first("the notification", of: heard.stream) { $0 == [0] }
            try await kept.reconnector.disconnect()
        },
        Case("the peer's own end of a connection is a loss, too") { suite in
            let kept = try await Kept(suite, ReconnectionPolicy(timeout: .seconds(10)))
            try? await suite.trigger(ConformancePeer.Trigger.disconnect, suite.peripheral())
            let loss = try await kept.next("the loss") { if case .lost = $0 { true } else { false } }
            if suite.central.abilities.contains(.disconnectReason) {
                try suite.expect(loss == .lost(reason: 0x13), "the reason 0x13, got \(loss)")
            }
            _ = try await kept.next("the next connection") { $0 == .connected }
            try await kept.reconnector.disconnect()
        },
        Case("nothing is connected again after a purposeful end") { suite in
            let kept = try await Kept(suite, ReconnectionPolicy(pause: .milliseconds(100)))
            try await suite.peripheral().disconnect()
            _ = try await kept.next("the end") { $0 == .ended }
            try await suite.sleep(.seconds(2))
            let state = await suite.peripheral().connectionState
            try suite.expect(state == .disconnected, "no connection, it is \(state)")
        },
        Case("tries are counted, and given up; connecting to nobody ends in time") { suite in
            let policy = ReconnectionPolicy(tries: 2, pause: .milliseconds(200), timeout: .seconds(1))
            let reconnector = Reconnector(suite.nobody, policy: policy)
            let events = await reconnector.events()
            let start = suite.executor.now
            let error = try await suite.failure("the connection") { try await reconnector.connect() }
            let passed = start.duration(to: suite.executor.now)
            try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
            // Three attempts of a second each, and the pauses between them.
            try suite.expect(
                passed >= .milliseconds(3400) && passed < .seconds(15), "the end after 3.4 s, it came after \(passed)")
            for number in 1...3 {
                let begin = try await suite.first("attempt \(number)", of: events) { _ in true }
                try suite.expect(
                    begin == .connecting(failures: number - 1), "attempt \(number) to begin, got \(begin)")
                let end = try await suite.first("the end of attempt \(number)", of: events) { _ in true }
                let pause: Duration? = number < 3 ? .milliseconds(200) : nil
                guard case .failed(let failure, let count, let next) = end, failure.code == .timedOut,
                    count == number, next == pause
                else {
                    throw ConformanceFailure("expected failure \(number), a time-out, got \(end)")
                }
            }
        },
        Case("disconnecting ends tries that would go on for ever") { suite in
            let reconnector = Reconnector(suite.nobody, policy: ReconnectionPolicy(tries: nil, timeout: .seconds(60)))
            let connecting = Task(executorPreference: suite.executor) { try await reconnector.connect() }
            try await suite.sleep(.milliseconds(500))
            try await reconnector.disconnect()
            let error = try await suite.failure("the connection") { try await connecting.value }
            try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
        },
        Case("an operation ends at its time limit while the peer is silent") { suite in
            try await suite.peripheral(2).connect(within: suite.patience)
            let value = try await suite.characteristic(ConformancePeer.value, of: suite.peripheral(2))
            try await suite.characteristic(ConformancePeer.trigger, of: suite.peripheral(2))
                .write(ConformancePeer.Trigger.hang, .withoutResponse)
            let start = suite.executor.now
            let error = try await suite.failure("the read") { try await value.read(within: .seconds(1)) }
            let passed = start.duration(to: suite.executor.now)
            try suite.expect(error.code == .timedOut, "timedOut, got \(error.code): \(error)")
            // Not at the 30 s of a transaction (Core 5.4, Vol 3 Part F 3.3.3).
            try suite.expect(
                passed >= .seconds(1) && passed < .seconds(10), "the end after 1 s, it came after \(passed)")
        },
    ]
}

/// A reconnector that has connected, and what it tells from then on.
private struct Kept: Sendable {
    let suite: ClientConformance
    let reconnector: Reconnector
    private let events: AsyncStream<Reconnector.Event>

    init(
        _ suite: ClientConformance, _ policy: ReconnectionPolicy, setUp: @escaping Reconnector.SetUp = { _ in }
    ) async throws {
        self.suite = suite
        reconnector = Reconnector(suite.peripheral(), policy: policy, setUp: setUp)
        events = await reconnector.events()
        try await reconnector.connect()
        _ = try await next("the connection") { $0 == .connected }
    }

    /// The next event that is wanted.
    func next(
        _ what: String, where isWanted: @escaping @Sendable (Reconnector.Event) -> Bool
    ) async throws -> Reconnector.Event {
        try await suite.first(what, of: events, where: isWanted)
    }
}
