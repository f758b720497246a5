import BenchExecutor
public import BLECentral
internal import MonotonicTime

/// Keeps a connection to a peripheral: connects, sets it up, and does so again when the connection is lost or could not be
/// made, as its policy says. A connection that this side ends on purpose is not made again.
public actor Reconnector {
    /// An event of the connection.
    public enum Event: Sendable, Hashable {
        /// It connects; the number of failures since the last connection.
        case connecting(failures: Int)
        /// It is connected, and set up.
        case connected
        /// The connection was lost, with the HCI reason, if it is known.
        case lost(reason: UInt8?)
        /// Connecting or setting up failed: the error, the number of failures in a row, and the pause until the next
        /// attempt; `nil`: there is none.
        case failed(CentralError, failures: Int, pause: Duration?)
        /// It was ended on purpose.
        case ended
    }

    /// Prepares a connection: discovers, subscribes. An error that it throws ends the connection, and counts as a
    /// failure.
    public typealias SetUp = @Sendable (Peripheral) async throws -> Void

    /// The most events that wait for a listener; of more, the oldest are dropped.
    public static let eventBufferSize = 64

    /// Which.
    public nonisolated let peripheral: Peripheral
    /// When it is tried again.
    public nonisolated let policy: ReconnectionPolicy

    private let setUp: SetUp
    private var listeners = Broadcast<Event>()
    /// The connection that was set up.
    private var connection: ConnectionID?
    /// The task that keeps the connection; `nil`: none.
    private var keeper: Task<Void, Never>?
    private var firstResult: CheckedContinuation<Result<Void, CentralError>, Never>?

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        peripheral.central.executor.asUnownedSerialExecutor()
    }

    /// A keeper of connections to `peripheral`, which does nothing yet.
    public init(
        _ peripheral: Peripheral, policy: ReconnectionPolicy = ReconnectionPolicy(),
        setUp: @escaping SetUp = { _ in }
    ) {
        self.peripheral = peripheral
        self.policy = policy
        self.setUp = setUp
    }

    /// True if there is a connection that has been set up.
    public var isConnected: Bool { connection != nil }

    /// The events from now on. Keeps the newest ``eventBufferSize``; never ends.
    public func events() -> AsyncStream<Event> { listeners.stream(keeping: Self.eventBufferSize) }

    /// Connects, and from then on keeps the connection; returns when it is set up for the first time.
    ///
    /// - Throws: the last error, when it was given up; `timedOut` when the calling task is cancelled, which ends the tries;
    ///   `invalidState` when it is kept already.
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

    /// Ends the connection, or the tries to get one; it is not made again until ``connect()``.
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
        // It was ended, or the central is closed.
        await release()
        tell(.ended)
    }

    /// Ends a connection that is not wanted any more; the central keeps the peripheral no longer, even without one.
    private func release() async {
        if Task.isCancelled { try? await peripheral.disconnect() }
    }

    /// Tries to connect as often as the policy says; whether it succeeded.
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
                // A central that was closed, or a stack that has to be powered on again, cannot connect.
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
            // The reason is that of the ended connection, not that of the operation on it.
            let end = await peripheral.central.lastEnd(of: peripheral.id)
            try? await peripheral.central.abandon(peripheral.id)
            guard let error = error as? CentralError else {
                throw CentralError(.invalidState, "set up the connection to \(peripheral.id): \(error)")
            }
            throw error.code == .notConnected ? end ?? error : error
        }
        // It may have been lost while it was set up, unnoticed.
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

/// When a lost or failed connection is tried again.
public struct ReconnectionPolicy: Hashable, Sendable {
    /// True if it is tried again at all.
    public var isEnabled: Bool
    /// How often after a failure; each successful connection resets the count. `nil`: for ever.
    public var tries: Int?
    /// The pause before the first of these tries.
    public var pause: Duration
    /// The factor of the pause after each further failure; 1 or more.
    public var growth: Double
    /// The longest pause.
    public var maximumPause: Duration
    /// How long each attempt to connect may take.
    public var timeout: Duration

    /// A policy; the default: 3 tries, 1.0 s apart, each of which may take 5.0 s.
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

    /// Never again.
    public static let never = ReconnectionPolicy(isEnabled: false)

    /// The pause before the try after this many failures in a row, 1 or more; `nil`: it is not tried again.
    public func pause(after failures: Int) -> Duration? {
        guard isEnabled, failures <= tries ?? .max else { return nil }
        var pause = min(pause, maximumPause)
        for _ in 1..<max(1, failures) where pause < maximumPause { pause = min(pause * max(1, growth), maximumPause) }
        return pause
    }
}
