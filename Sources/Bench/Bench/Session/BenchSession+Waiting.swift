import BenchExecutor
import BenchModel
public import BLECentral
import MonotonicTime
import Synchronization

extension BenchSession {
    /// The longest time of a stack's operation; an ATT transaction times out after 30 s (Core 5.4, Vol 3 Part F 3.3.3).
    private static let operationLimit = Duration.seconds(60)

    /// Makes later operations fail if they have not ended within `duration` from now; `nil`: no limit.
    public func limitOperations(to duration: Duration?) {
        operationLimit = duration.map {
            let limit = TimeLimit($0, bench.timeFactor)
            return OperationLimit(limit: limit, deadline: executor.now.advanced(by: limit.duration))
        }
    }

    /// Ends the limit of operations.
    ///
    /// - Throws: a failure when the limit has been exceeded.
    public func endLimit() throws(BenchFailure) {
        guard let limit = operationLimit.take() else { return }
        let late = limit.deadline.duration(to: executor.now)
        guard late > .zero else { return }
        throw BenchFailure(
            .timedOut, expected: "the step to end \(limit.limit)",
            got: "it took \((limit.limit.duration + late).brief)")
    }

    /// Waits until the log has an outcome for `matcher`; `nil` when the time is up or the firmware has crashed.
    func wait(for matcher: EventMatcher, within timeout: Duration) async -> EventLog.Outcome? {
        log.beginSearch()
        let searchStart = log.searchStart
        lastWait += 1
        let number = lastWait
        // After a time-out, events are left for the next expectation.
        defer {
            waiting.removeAll { $0.number == number }
            resumeSearch()
        }
        if let outcome = outcome(of: matcher) { return outcome }
        guard crash == nil else { return nil }
        let deadline = executor.now.advanced(by: timeout)
        return await withCheckedContinuation { continuation in
            let wait = PendingWait(continuation, on: executor, until: deadline, timeoutValue: nil)
            waiting.append(Waiting(number: number, matcher: matcher, searchStart: searchStart, wait: wait))
        }
    }

    /// Waits for `duration`, or less when the firmware crashes.
    public func advance(by duration: Duration) async {
        _ = await wait(for: .nothing([], board: nil), within: duration)
    }

    /// The advertisements that a central receives while `body` starts the scan: some stacks report an advertiser only
    /// once.
    func hearing(
        _ central: Int, during body: () async throws(BenchFailure) -> Void
    ) async throws(BenchFailure) -> [Advertisement] {
        lastWait += 1
        let number = lastWait
        var heard: [Advertisement] = []
        scans.append(PendingScan(number: number, central: central) { heard.append($0) })
        defer { scans.removeAll { $0.number == number } }
        try await body()
        return heard
    }

    /// Waits for an advertisement for which `isWanted` is true, among those already received or still to come; `nil`
    /// when the time is up or the firmware has crashed.
    func waitForAdvertisement(
        by central: Int, after heard: [Advertisement], until deadline: MonotonicInstant,
        _ isWanted: @escaping (Advertisement) -> Bool
    ) async -> Advertisement? {
        guard crash == nil else { return nil }
        if let found = heard.first(where: isWanted) { return found }
        lastWait += 1
        let number = lastWait
        defer {
            scans.removeAll { $0.number == number }
            aborts.removeAll { $0.number == number }
        }
        return await withCheckedContinuation { continuation in
            let wait = PendingWait<Advertisement?>(continuation, on: executor, until: deadline, timeoutValue: nil)
            scans.append(PendingScan(number: number, central: central) { if isWanted($0) { wait.resume($0) } })
            aborts.append(Abort(number: number) { _ in wait.resume(nil) })
        }
    }

    /// Carries out an operation of a central's stack; a crash of the firmware ends it at once.
    @discardableResult
    func perform<Value: Sendable>(
        _ expected: String, _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws(BenchFailure) -> Value {
        try await attempt(expected, operation).get()
    }

    /// Carries out an operation whose failure the caller may expect.
    func attempt<Value: Sendable>(
        _ expected: String, _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws(BenchFailure) -> OperationOutcome<Value> {
        if let crash { throw crash }
        let result = try await carryOut(expected, endsWithCrash: true, operation).get()
        var outcome = OperationOutcome(expected: expected, result: result)
        switch result {
        case .failure(let error) where error.code == .unavailable: hasLostStack = true
        case .failure(let error):
            if case .disconnected = error.code { outcome.reason = restarts }
        case .success: break
        }
        return outcome
    }

    /// Carries out an operation, for at most ``operationLimit``: a failed stack may never answer.
    func carryOut<Value: Sendable>(
        _ expected: String, endsWithCrash: Bool,
        _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async -> Result<Result<Value, CentralError>, BenchFailure> {
        var deadline = executor.now.advanced(by: Self.operationLimit)
        var overdue = BenchFailure(
            .benchFault, expected: expected, got: "the central did not finish within \(Self.operationLimit.brief)")
        if let limit = operationLimit, limit.deadline < deadline {
            deadline = limit.deadline
            overdue = BenchFailure(
                .timedOut, expected: "\(expected) \(limit.limit)", got: "no answer in that time")
        }
        lastWait += 1
        let number = lastWait
        defer { if endsWithCrash { aborts.removeAll { $0.number == number } } }
        return await withCheckedContinuation { continuation in
            let wait = PendingWait<Result<Result<Value, CentralError>, BenchFailure>>(
                continuation, on: executor, until: deadline, timeoutValue: .failure(overdue))
            if endsWithCrash {
                aborts.append(
                    Abort(number: number) { crash in
                        wait.resume(.failure(BenchFailure(crash.cause, expected: expected, got: crash.got)))
                    })
            }
            Task(executorPreference: executor) {
                do throws(CentralError) {
                    wait.resume(.success(.success(try await operation())))
                } catch {
                    wait.resume(.success(.failure(error)))
                }
            }
        }
    }

    /// Calls a role of the bench; only a fault of the role, or a missing ability, can make the call fail.
    func ask(_ expected: String, _ body: () async throws -> Void) async throws(BenchFailure) {
        do {
            try await body()
        } catch {
            throw BenchFailure(.benchFault, expected: expected, got: "\(error)")
        }
    }
}

/// The time limit of the operations in progress.
struct OperationLimit {
    let limit: TimeLimit
    let deadline: MonotonicInstant
}

/// How an operation of a central ended.
public struct OperationOutcome<Value: Sendable>: Sendable {
    /// The expected outcome, for failures.
    public let expected: String
    /// The returned value, or the error of the central's stack.
    public let result: Result<Value, CentralError>
    /// The cause of the error in the sketch or its board, if known.
    public var reason: String?

    /// An outcome.
    public init(expected: String, result: Result<Value, CentralError>) {
        self.expected = expected
        self.result = result
    }

    /// The returned value.
    ///
    /// - Throws: the error of the stack, as a failure of a step that expects no error.
    @discardableResult
    public func get() throws(BenchFailure) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): throw failure(error)
        }
    }

    /// The failure for an error that was not expected.
    public func failure(_ error: CentralError, expected: String? = nil) -> BenchFailure {
        var failure = BenchFailure(error, expected: expected ?? self.expected)
        if let reason { failure.got += ": \(reason)" }
        return failure
    }
}

/// A suspended step that resumes once: at the awaited event, at a time-out, or when the firmware crashes.
final class PendingWait<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, Never>?
        var timer: BenchExecutor.Event?
    }

    private let executor: BenchExecutor
    private let state: Mutex<State>

    /// Suspends a step; at `deadline` it resumes with `timeoutValue`.
    init(
        _ continuation: CheckedContinuation<Value, Never>, on executor: BenchExecutor, until deadline: MonotonicInstant,
        timeoutValue: Value
    ) {
        self.executor = executor
        state = Mutex(State(continuation: continuation))
        let timer = executor.schedule(at: deadline) {
            self.state.withLock { $0.timer = nil }
            self.resume(timeoutValue)
        }
        state.withLock { $0.timer = timer }
    }

    /// Resumes the step, unless it has already resumed.
    func resume(_ value: Value) {
        let (continuation, timer) = state.withLock { ($0.continuation.take(), $0.timer.take()) }
        if let timer { executor.cancel(timer) }
        continuation?.resume(returning: value)
    }
}

/// A time limit on a bench: the suite's time, lengthened on a slower bench.
struct TimeLimit: Sendable, CustomStringConvertible {
    /// The time on the bench.
    let duration: Duration
    private let given: Duration
    private let factor: Double

    /// The time `given` by a suite, lengthened by the bench's factor.
    init(_ given: Duration, _ factor: Double = 1) {
        self.given = given
        self.factor = factor
        duration = factor > 1 ? given * factor : given
    }

    /// `within 3 s (3 × 1 s)`
    var description: String {
        guard factor > 1 else { return "within \(given.brief)" }
        let factor = factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        return "within \(duration.brief) (\(factor) × \(given.brief))"
    }
}
