public import BLECentral
public import BLECore
public import BenchExecutor
import MonotonicTime
import Synchronization

/// A behaviour that a backend lacks, or has and should not.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what came, one line.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The behaviour that every `CentralBackend` has, whatever stack is under it: one suite of cases, each of which begins
/// without connections and bonds. The peers are those of ``ConformancePeer``.
public struct Conformance: Sendable {
    /// A behaviour.
    public struct Case: Sendable {
        /// Its name: a sentence.
        public let name: String
        /// What the backend must have for it.
        public let needs: Set<CentralAbility>
        /// Whether it may run on a connection that an earlier case has left: connecting takes seconds on real stacks.
        let sharesLink: Bool
        let body: @Sendable (Conformance) async throws -> Void

        init(
            _ name: String, needs: Set<CentralAbility> = [], sharesLink: Bool = false,
            _ body: @escaping @Sendable (Conformance) async throws -> Void
        ) {
            self.name = name
            self.needs = needs
            self.sharesLink = sharesLink
            self.body = body
        }
    }

    /// What became of a case.
    public enum Outcome: Sendable {
        case passed
        case failed(String)
        case skipped(String)
    }

    /// All cases, in order.
    public static let cases =
        scanningCases + connectingCases + attributeCases + notificationCases + securityCases + severalCases

    let central: any CentralBackend
    let executor: BenchExecutor
    let recorder: EventRecorder
    /// How long what must come may take.
    let patience: Duration
    private let shared = SharedLink()

    /// The suite for a central that is powered on.
    public init(_ central: any CentralBackend, on executor: BenchExecutor, patience: Duration) {
        self.central = central
        self.executor = executor
        self.patience = patience
        recorder = EventRecorder(central, on: executor)
    }

    /// Runs a case, after what remains of others was removed; ``endSharing()`` follows the last one.
    public func run(_ test: Case) async -> Outcome {
        if let lacking = test.needs.subtracting(central.abilities).first {
            return .skipped("the stack lacks \(lacking)")
        }
        do {
            if !test.sharesLink { try await endSharing() }
            recorder.setPasskey(nil)
            recorder.clear()
            shared.opened.withLock { $0 = [] }
            if central.abilities.contains(.bondList) {
                for bond in try await central.bonds() { try await central.forget(bond.identity) }
            }
            if test.sharesLink {
                try await runSharing(test)
            } else {
                try await test.body(self)
            }
            return .passed
        } catch {
            for connection in shared.opened.withLock({ $0 }) { try? await central.disconnect(connection) }
            return .failed("\(error)")
        }
    }

    // MARK: The shared connection

    /// Ends the connection that cases share.
    public func endSharing() async throws {
        if let link = shared.link.withLock({ $0.take() }) { try await central.disconnect(link.connection) }
    }

    private func runSharing(_ test: Case) async throws {
        if shared.link.withLock({ $0 }) == nil {
            let link = try await connect()
            shared.link.withLock { $0 = link }
        }
        do {
            try await test.body(self)
            guard let link = shared.link.withLock({ $0 }) else { return }
            for uuid in [ConformancePeer.output, ConformancePeer.indicated] {
                try await central.setSubscription(.none, of: link.attribute(uuid), on: link.connection)
            }
        } catch {
            try? await endSharing()
            throw error
        }
    }

    // MARK: Steps

    /// A connection to a peer, its events accepted, and its services.
    public struct Link: Sendable {
        /// The connection.
        public let connection: ConnectionID
        /// What was discovered.
        public let services: [DiscoveredService]

        /// The value of the characteristic with this UUID.
        public func attribute(_ uuid: BLEUUID) throws -> AttributeID {
            for service in services {
                for characteristic in service.characteristics where characteristic.uuid == uuid {
                    return characteristic.value
                }
            }
            throw ConformanceFailure("expected a characteristic \(uuid), got \(services.map(\.uuid))")
        }
    }

    /// Connects to a peer, counted from 0, and discovers its services; disconnects after `body`, whatever happens.
    func connected(
        _ index: Int = 0, _ body: @Sendable (Link) async throws -> Void
    ) async throws {
        if index == 0, let link = shared.link.withLock({ $0 }) { return try await body(link) }
        let link = try await connect(index)
        do {
            try await body(link)
        } catch {
            try? await central.disconnect(link.connection)
            throw error
        }
        do throws(CentralError) {
            try await central.disconnect(link.connection)
        } catch {
            // The case itself has ended it.
            switch error.code {
            case .notConnected, .disconnected: break
            default: throw error
            }
        }
    }

    /// Connects to a peer, counted from 0, accepts its events and discovers its services.
    public func connect(_ index: Int = 0) async throws -> Link {
        let connection = try await central.connectAndAccept(
            to: PeerID(ConformancePeer.addresses[index]), within: patience)
        shared.opened.withLock { $0.append(connection) }
        do {
            if central.abilities.contains(.mtuExchange) { _ = try await central.exchangeMTU(517, on: connection) }
            return Link(connection: connection, services: try await central.discoverServices(on: connection))
        } catch {
            try? await central.disconnect(connection)
            throw error
        }
    }

    /// Writes a ``ConformancePeer/Trigger``.
    public func write(_ trigger: [UInt8], _ link: Link, kind: WriteKind = .withResponse) async throws {
        try await central.write(
            trigger, to: link.attribute(ConformancePeer.trigger), kind: kind, on: link.connection)
    }

    func sleep(_ duration: Duration) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }

    /// Waits for an event.
    func expect(
        _ what: String, _ isWanted: @escaping @Sendable (CentralEvent) -> Bool
    ) async throws {
        guard await recorder.event(within: patience, isWanted) != nil else {
            throw ConformanceFailure(
                "expected \(what) within \(patience), got \(recorder.all.suffix(4).map { "\($0)" })")
        }
    }

    /// Waits for the disconnection.
    public func expectDisconnection(of link: Link) async throws {
        try await expect("the disconnection") { event in
            if case .disconnected(link.connection, _, _) = event { true } else { false }
        }
    }

    /// Checks the reason of a disconnection that was reported, if the stack knows it.
    func expect(reason: UInt8, of link: Link) throws {
        guard central.abilities.contains(.disconnectReason) else { return }
        let ends = recorder.all.filter { event in
            if case .disconnected(link.connection, _, _) = event { true } else { false }
        }
        try expect(
            ends == [.disconnected(link.connection, reason: reason)], "one disconnection, reason \(reason), got \(ends)"
        )
    }

    func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else { throw ConformanceFailure("expected \(what())") }
    }

    /// The error of an operation that must fail.
    func failure(_ what: String, _ body: () async throws -> some Sendable) async throws -> CentralError {
        let value: any Sendable
        do {
            value = try await body()
        } catch let error as CentralError {
            return error
        }
        throw ConformanceFailure("expected \(what) to fail, got \(value)")
    }
}

/// The connection that cases share.
private final class SharedLink: Sendable {
    let link = Mutex<Conformance.Link?>(nil)
    /// The connections of the case that runs; a case that fails may leave some.
    let opened = Mutex<[ConnectionID]>([])
}
