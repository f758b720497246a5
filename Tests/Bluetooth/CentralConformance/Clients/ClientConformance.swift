public import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import MonotonicTime

/// What `BLEClients` do on a stack, whatever it is: connections that are kept, searches, the clients of the calculator and
/// the lock, and each fault of the systems that they stand in for. The peers are those of a ``ConformanceWorld`` with
/// client peers.
public struct ClientConformance: Sendable {
    /// A behaviour.
    public struct Case: Sendable {
        /// Its name: a sentence.
        public let name: String
        let body: @Sendable (ClientConformance) async throws -> Void
        /// Whom it connects to.
        private(set) var peers = ConformancePeer.addresses

        init(_ name: String, _ body: @escaping @Sendable (ClientConformance) async throws -> Void) {
            self.name = name
            self.body = body
        }

        fileprivate func meeting(_ peer: DeviceAddress) -> Case {
            var copy = self
            copy.peers = [peer]
            return copy
        }
    }

    /// Those that need the central for themselves.
    private static let aloneCases = searchCases + limitCases
    /// Those that follow each other, since they have the same peers; the groups may run at the same time.
    private static let groups = [
        connectionCases + reconnectingCases, calculatorCases.map { $0.meeting(ClientPeers.calculator) },
        lockCases.map { $0.meeting(ClientPeers.lock) },
    ]

    /// All cases.
    public static var cases: [Case] { aloneCases + groups.joined() }

    let central: Central
    let executor: BenchExecutor
    /// How long what must come may take.
    let patience: Duration

    /// The suite for a central that is powered on.
    public init(_ central: Central, patience: Duration) {
        self.central = central
        executor = central.executor
        self.patience = patience
    }

    /// Runs the cases that are wanted, several at a time, as a program with several peripherals does.
    ///
    /// - Parameter report: is told of each that has ended, and how long it took.
    public func run(
        where isWanted: @escaping @Sendable (Case) -> Bool,
        report: @escaping @Sendable (Case, Conformance.Outcome, Duration) -> Void
    ) async {
        @Sendable func run(_ cases: [Case]) async {
            for test in cases where isWanted(test) {
                let start = executor.now
                let outcome = await self.run(test)
                report(test, outcome, start.duration(to: executor.now))
            }
        }
        await run(Self.aloneCases)
        await withTaskGroup { tasks in
            for group in Self.groups { tasks.addTask(executorPreference: executor) { await run(group) } }
        }
    }

    /// Runs a case, whose peers have no connections and bonds at its beginning and end.
    public func run(_ test: Case) async -> Conformance.Outcome {
        let outcome: Conformance.Outcome
        do {
            try await test.body(self)
            outcome = .passed
        } catch {
            outcome = .failed("\(error)")
        }
        do {
            for peer in test.peers { try await central.peripheral(PeerID(peer)).disconnect() }
            for bond in try await central.backend.bonds() where test.peers.contains(bond.identity) {
                try await central.backend.forget(bond.identity)
            }
        } catch {
            // What is left may fail the next case.
            guard case .failed(let why) = outcome else { return .failed("cleaning up: \(error)") }
            return .failed("\(why); cleaning up: \(error)")
        }
        return outcome
    }

    // MARK: Steps

    /// A peer of ``ConformancePeer``, counted from 0.
    func peripheral(_ index: Int = 0) -> Peripheral {
        central.peripheral(PeerID(ConformancePeer.addresses[index]))
    }

    /// Connects to one; a stack that sets up several connections may lose some at once, which are tried again.
    func connect(_ index: Int = 0) async throws {
        try await Reconnector(peripheral(index), policy: ReconnectionPolicy(timeout: patience)).connect()
    }

    /// Somebody who is not there.
    var nobody: Peripheral { central.peripheral(PeerID(ConformancePeer.absentAddress)) }

    func characteristic(_ uuid: BLEUUID, of peripheral: Peripheral) async throws(CentralError) -> Characteristic {
        try await peripheral.service(ConformancePeer.service).characteristic(uuid)
    }

    /// Writes a ``ConformancePeer/Trigger`` that leaves the connection.
    func trigger(_ trigger: [UInt8], _ peripheral: Peripheral) async throws {
        try await characteristic(ConformancePeer.trigger, of: peripheral).write(trigger)
    }

    /// Chooses what a peer of ``ClientPeers`` does from now on.
    func conduct(_ conduct: ClientPeers.Conduct, _ address: DeviceAddress) async throws {
        try await trigger([conduct.rawValue], central.peripheral(PeerID(address)))
    }

    func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

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

    /// The first element of a stream that is wanted, within ``patience``.
    func first<Element: Sendable>(
        _ what: String, of stream: AsyncStream<Element>, where isWanted: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let executor = executor
        let waiting = Task(executorPreference: executor) { () -> (found: Element?, last: Element?) in
            var last: Element?
            for await element in stream {
                if isWanted(element) { return (element, last) }
                last = element
            }
            return (nil, last)
        }
        let alarm = executor.schedule(at: executor.now.advanced(by: patience)) { waiting.cancel() }
        defer { executor.cancel(alarm) }
        let (found, last) = await waiting.value
        guard let found else {
            throw ConformanceFailure(
                "expected \(what) within \(patience), the last was \(last.map { "\($0)" } ?? "nothing")")
        }
        return found
    }
}
