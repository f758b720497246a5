import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// A backend with real threads and unusual timing: each case ends with an error or a delivered event.
@Suite("A backend with unusual timing", .timeLimit(.minutes(10))) struct UnrulyCentralTests {
    /// A bench in real time, and the events that its handler received.
    private struct Bench: Sendable {
        let executor = BenchExecutor(pace: .real)
        let central: UnrulyCentral
        let log = EventLog()

        init(_ misbehaviour: UnrulyCentral.Misbehaviour) {
            let (executor, log) = (executor, log)
            central = UnrulyCentral(misbehaviour)
            central.events.setHandler(
                { event in
                    if executor.isIsolatingCurrentContext() != true {
                        Issue.record("heard on another thread: \(event)")
                    }
                    log.append(event)
                }, isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
        }

        func run(_ body: @escaping @Sendable (UnrulyCentral, EventLog) async throws -> Void) async throws {
            let (central, log) = (central, log)
            try await executor.runOnThread {
                try await central.powerOn()
                try await body(central, log)
            }
        }

        /// Waits until everything posted so far has been handled.
        func settle() async throws {
            try await BenchClock(executor).sleep(for: .milliseconds(20))
        }
    }

    private func value(_ event: CentralEvent) -> [UInt8]? {
        if case .notification(_, _, let value, _) = event { value } else { nil }
    }

    @Test("A time limit begins again while it is paused, and ends an operation after that")
    func pausedLimit() async throws {
        let executor = BenchExecutor(pace: .virtual)
        let central = Central(UnrulyCentral(.notifiesEarly), on: executor)
        let (start, pause) = (executor.now, Duration.seconds(35))
        let isPaused: @Sendable () -> Bool = { start.duration(to: executor.now) < pause }
        try executor.run {
            let slow = try await central.timed(.seconds(10), "", pausing: isPaused) { () async throws(CentralError) in
                try? await BenchClock(executor).sleep(for: .seconds(30))
                return 7
            }
            #expect(slow == 7 && start.duration(to: executor.now) == .seconds(30))
            let error = await #expect(throws: CentralError.self) {
                try await central.timed(.seconds(10), "late", pausing: isPaused) { () async throws(CentralError) in
                    try? await BenchClock(executor).sleep(for: .seconds(100))
                }
            }
            // Begun at 30 s, its limit begins again at 40 s at the latest.
            #expect(error?.code == .timedOut && start.duration(to: executor.now) == .seconds(40))
        }
    }

    @Test("Notifications before connect returns are delivered in order when the connection is accepted")
    func notifiesEarly() async throws {
        let bench = Bench(.notifiesEarly)
        try await bench.run { central, log in
            let connection = try await central.connect(to: UnrulyCentral.peer, within: .seconds(1))
            try await bench.settle()
            #expect(log.all == [])
            central.events.accept(connection)
            #expect(log.all.map(value) == [[0], [1], [2]])
            try await central.disconnect(connection)
            try await bench.settle()
            #expect(log.all.last == .disconnected(connection, reason: 0x16) && log.all.count == 4)
        }
    }

    @Test("The disconnection of a connection that ended before connect returns is delivered")
    func disconnectsEarly() async throws {
        let bench = Bench([.notifiesEarly, .disconnectsEarly])
        try await bench.run { central, log in
            let connection = try await central.connectAndAccept(to: UnrulyCentral.peer, within: .seconds(1))
            #expect(log.all.count == 4 && log.all.last == .disconnected(connection, reason: 0x3E))
            let error = await #expect(throws: CentralError.self) {
                try await central.read(UnrulyCentral.value, on: connection)
            }
            #expect(error?.code == .notConnected)
        }
    }

    @Test("A disconnection is delivered once, and no event after it", arguments: [true, false])
    func disconnectsTwice(isAccepted: Bool) async throws {
        let bench = Bench([.disconnectsTwice, .notifiesLate])
        try await bench.run { central, log in
            let connection = try await central.connect(to: UnrulyCentral.peer, within: .seconds(1))
            if isAccepted { central.events.accept(connection) }
            try await central.disconnect(connection)
            try await bench.settle()
            if !isAccepted {
                #expect(log.all == [])
                central.events.accept(connection)
            }
            #expect(log.all == [.disconnected(connection, reason: 0x16)])
            #expect(central.events.droppedEvents == 2)
        }
    }

    @Test("Events of three threads are all delivered, in each thread's order, before the disconnection")
    func threeThreads() async throws {
        let bench = Bench(.usesThreeThreads)
        try await bench.run { central, log in
            let connection = try await central.connectAndAccept(to: UnrulyCentral.peer, within: .seconds(1))
            try await central.write([1], to: UnrulyCentral.value, kind: .withResponse, on: connection)
            try await central.disconnect(connection)
            try await bench.settle()
            let events = log.all
            #expect(events.count == 3 * UnrulyCentral.notificationsPerThread + 1)
            #expect(events.last == .disconnected(connection, reason: 0x16))
            for thread in 0..<UInt8(3) {
                let numbers = events.compactMap(value).filter { $0[0] == thread }.map { Int($0[1]) << 8 | Int($0[2]) }
                #expect(numbers == Array(0..<UnrulyCentral.notificationsPerThread))
            }
        }
    }

    @Test("An adapter unplugged during a write fails it and all later operations")
    func vanishes() async throws {
        let bench = Bench(.vanishes)
        try await bench.run { central, log in
            let connection = try await central.connectAndAccept(to: UnrulyCentral.peer, within: .seconds(1))
            let write = await #expect(throws: CentralError.self) {
                try await central.write([1], to: UnrulyCentral.value, kind: .withResponse, on: connection)
            }
            let scan = await #expect(throws: CentralError.self) { try await central.startScanning(ScanFilter()) }
            #expect(write?.code == .unavailable && scan?.code == .unavailable)
            try await bench.settle()
            #expect(log.all == [.disconnected(connection, reason: nil)])
        }
    }

    @Test("An advertisement is delivered at once, before any connection is accepted")
    func advertisement() async throws {
        let bench = Bench([])
        try await bench.run { central, log in
            try await central.startScanning(ScanFilter())
            try await bench.settle()
            guard case .advertisement(let heard)? = log.all.first else {
                Issue.record("heard \(log.all)")
                return
            }
            #expect(heard.peer == UnrulyCentral.peer && heard.address == nil && heard.identity == nil)
        }
    }

    @Test("An unsupported operation names the missing ability")
    func unsupported() async throws {
        let bench = Bench([])
        try await bench.run { central, _ in
            // As an existential, like the bench's.
            let central: any CentralBackend = central
            let connection = try await central.connect(to: UnrulyCentral.peer, within: .seconds(1))
            func ability(_ body: () async throws -> Void) async -> CentralAbility? {
                do {
                    try await body()
                } catch {
                    if case .unsupported(let ability)? = (error as? CentralError)?.code { return ability }
                }
                return nil
            }
            let found = [
                await ability { _ = try await central.exchangeMTU(100, on: connection) },
                await ability { _ = try await central.exchangeATT([0x0A], on: connection, within: .zero) },
                await ability { try await central.setSecurity(CentralSecurity()) },
                await ability { _ = try await central.pair(connection) },
                await ability { _ = try await central.encrypt(connection) },
                await ability { try await central.answerPairing(.cancel, on: connection) },
                await ability { _ = try await central.bonds() },
                await ability { try await central.forget(DeviceAddress(1, .public)) },
                await ability { _ = try await central.readRSSI(on: connection) },
                await ability { _ = try await central.linkParameters(of: connection) },
            ]
            #expect(
                found == [
                    .mtuExchange, .rawATT, .pairingControl, .pairing, .encryption, .pairingControl, .bondList,
                    .bondList, .connectionRSSI, .linkParameters,
                ])
            let error = CentralError(unsupported: .rawATT, "exchange an ATT PDU")
            #expect("\(error)" == "exchange an ATT PDU: this central's stack lacks raw ATT")
            #expect(Set(CentralAbility.allCases.map(\.description)).count == CentralAbility.allCases.count)
        }
    }
}

/// Events in the order of their delivery.
final class EventLog: Sendable {
    private let events = Mutex<[CentralEvent]>([])

    var all: [CentralEvent] { events.withLock { $0 } }

    func append(_ event: CentralEvent) {
        events.withLock { $0.append(event) }
    }
}
