import BenchExecutor
public import BLECentral
internal import MonotonicTime

/// Keeps a connection to a peripheral: connects, sets the connection up, and repeats this after a lost connection or a
/// failed attempt, according to its policy. It does not reconnect after ``disconnect()``.
public actor Reconnector {
    /// An event of the connection.
    public enum Event: Sendable, Hashable {
        /// Connecting; the number of failures since the last connection.
        case connecting(failures: Int)
        /// Connected and set up.
        case connected
        /// The connection was lost, with the HCI reason, if known.
        case lost(reason: UInt8?)
        /// Connecting or setting up failed: the error, the number of failures in a row, and the pause before the next
        /// attempt; `nil`: no further attempt.
        case failed(CentralError, failures: Int, pause: Duration?)
        /// The connection was ended by ``disconnect()``.
        case ended
    }

    /// Prepares a connection: discovers, subscribes. A thrown error ends the connection and counts as a failure.
    public typealias SetUp = @Sendable (Peripheral) async throws -> Void

    /// Limit of unread events per listener; beyond it, the oldest are dropped.
    public static let eventBufferSize = 64

    /// The peripheral to connect to.
    public nonisolated let peripheral: Peripheral
    /// The rules for further attempts.
    public nonisolated let policy: ReconnectionPolicy

    private let setUp: SetUp
    private var listeners = Broadcast<Event>()
    /// The connection that was set up.
    private var connection: ConnectionID?
    /// The task that keeps the connection, if any.
    private var keeper: Task<Void, Never>?
    private var firstResult: CheckedContinuation<Result<Void, CentralError>, Never>?

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        peripheral.central.executor.asUnownedSerialExecutor()
    }

    /// Creates the reconnector; ``connect()`` starts it.
    public init(
        _ peripheral: Peripheral, policy: ReconnectionPolicy = ReconnectionPolicy(),
        setUp: @escaping SetUp = { _ in }
    ) {
        self.peripheral = peripheral
        self.policy = policy
        self.setUp = setUp
    }

    /// True while connected and set up.
    public var isConnected: Bool { connection != nil }

    /// The events from now on. Keeps the newest ``eventBufferSize``; never ends.
    public func events() -> AsyncStream<Event> { listeners.stream(keeping: Self.eventBufferSize) }

    /// Connects and then keeps the connection; returns once the first connection is set up.
    ///
    /// - Throws: the last error after the last attempt; `timedOut` when the calling task is cancelled, which ends the
    ///   attempts; `invalidState` if the connection is already kept.
    public func connect() async throws(CentralError) {
        guard keeper == nil else {
            throw CentralError(.invalidState, "connect to \(peripheral.id): it is being connected to already")
        }
        let disconnections = await peripheral.central.disconnections()
        guard keeper == nil else {
            throw CentralError(.invalidState, "connect to \(peripheral.id): it is being connected to already")
        }
        let keeper = Task(executorPreference: peripheral.central.executor) { await self.keep(disconnections) }
        self.keeper = keeper
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { firstResult = $0 }
        } onCancel: {
            keeper.cancel()
        }
        try result.get()
    }

    /// Ends the connection, or the attempts to connect; no new attempt until ``connect()``.
    public func disconnect() async throws(CentralError) {
        guard let keeper else { return try await peripheral.disconnect() }
        keeper.cancel()
        await keeper.value
    }

    // MARK: Keeping

    private func keep(_ disconnections: AsyncStream<Disconnection>) async {
        defer {
            connection = nil
            keeper = nil
        }
        guard await establish() else { return await release() }
        for await disconnection in disconnections where disconnection.connection == connection {
            connection = nil
            guard !disconnection.isPurposeful, !Task.isCancelled else { return tell(.ended) }
            tell(.lost(reason: disconnection.reason))
            guard policy.isEnabled else { return }
            guard await establish() else { return await release() }
        }
        // ``disconnect()`` was called, or the central is closed.
        await release()
        tell(.ended)
    }

    /// Ends an unwanted connection, and lets the central release the peripheral, even without a connection.
    private func release() async {
        if Task.isCancelled { try? await peripheral.disconnect() }
    }

    /// Tries to connect as often as the policy allows; returns whether it succeeded.
    private func establish() async -> Bool {
        var failures = 0
        while true {
            guard !Task.isCancelled else {
                report(.failure(CentralError(.timedOut, "connect to \(peripheral.id): it was given up")))
                tell(.ended)
                return false
            }
            tell(.connecting(failures: failures))
            do throws(CentralError) {
                connection = try await attempt()
                report(.success(()))
                tell(.connected)
                return true
            } catch {
                failures += 1
                // A closed central, or a stack that has to be powered on again, cannot connect.
                let isOver =
                    await peripheral.central.state == .unknown || error.code == .unavailable || Task.isCancelled
                let pause = isOver ? nil : policy.pause(after: failures)
                if !Task.isCancelled { tell(.failed(error, failures: failures, pause: pause)) }
                guard let pause else {
                    report(.failure(error))
                    if Task.isCancelled { tell(.ended) }
                    return false
                }
                try? await BenchClock(peripheral.central.executor).sleep(for: pause)
            }
        }
    }

    private func attempt() async throws(CentralError) -> ConnectionID {
        try await peripheral.connect(within: policy.timeout)
        let connection = await peripheral.connection
        do {
            // Operations that wait for a silent peer end with the connection.
            try await withTaskCancellationHandler {
                try await setUp(peripheral)
            } onCancel: { [peripheral] in
                Task(executorPreference: peripheral.central.executor) {
                    if await peripheral.connection == connection { try? await peripheral.disconnect() }
                }
            }
        } catch {
            // Use the reason of the ended connection, not that of the failed operation on it.
            let end = await peripheral.central.lastEnd(of: peripheral.id)
            try? await peripheral.central.abandon(peripheral.id)
            guard let error = error as? CentralError else {
                throw CentralError(.invalidState, "set up the connection to \(peripheral.id): \(error)")
            }
            throw error.code == .notConnected ? end ?? error : error
        }
        // The connection may have been lost unnoticed during the set-up.
        guard let connection, await peripheral.connection == connection else {
            throw await peripheral.central.lastEnd(of: peripheral.id)
                ?? CentralError(
                    .disconnected(reason: nil), "connect to \(peripheral.id): the connection ended while it was set up")
        }
        return connection
    }

    private func report(_ result: Result<Void, CentralError>) {
        firstResult?.resume(returning: result)
        firstResult = nil
    }

    private func tell(_ event: Event) { listeners.send(event) }
}

/// The rules for attempts to connect again after a lost or failed connection.
public struct ReconnectionPolicy: Hashable, Sendable {
    /// True if any further attempt is made.
    public var isEnabled: Bool
    /// Number of further attempts after a failure; a successful connection resets the count. `nil`: no limit.
    public var tries: Int?
    /// The pause before the first further attempt.
    public var pause: Duration
    /// The factor by which the pause grows after each further failure; 1 or more.
    public var growth: Double
    /// The longest pause.
    public var maximumPause: Duration
    /// Time limit of each attempt.
    public var timeout: Duration

    /// A policy; the default: 3 attempts, 1.0 s apart, 5.0 s at most for each.
    public init(
        isEnabled: Bool = true, tries: Int? = 3, pause: Duration = .seconds(1), growth: Double = 1,
        maximumPause: Duration = .seconds(60), timeout: Duration = .seconds(5)
    ) {
        self.isEnabled = isEnabled
        self.tries = tries
        self.pause = pause
        self.growth = growth
        self.maximumPause = maximumPause
        self.timeout = timeout
    }

    /// No further attempts.
    public static let never = ReconnectionPolicy(isEnabled: false)

    /// The pause after this many failures in a row, 1 or more; `nil`: no further attempt.
    public func pause(after failures: Int) -> Duration? {
        guard isEnabled, failures <= tries ?? .max else { return nil }
        var pause = min(pause, maximumPause)
        for _ in 1..<max(1, failures) where pause < maximumPause { pause = min(pause * max(1, growth), maximumPause) }
        return pause
    }
}
