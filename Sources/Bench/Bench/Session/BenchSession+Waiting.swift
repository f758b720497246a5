import BenchExecutor
import BenchModel
public import BLECentral
import MonotonicTime
import Synchronization

extension BenchSession {
    /// The longest an operation of a stack may take; an ATT transaction is over after 30 s (Core 5.4, Vol 3
    /// Part F 3.3.3).
    private static let operationLimit = Duration.seconds(60)

    /// Lets the operations from now on fail when they have not ended within `duration` of now; `nil`: any time that
    /// they take is good.
    public func limitOperations(to duration: Duration?) {
        operationLimit = duration.map {
            let limit = TimeLimit($0, bench.timeFactor)
            return OperationLimit(limit: limit, deadline: executor.now.advanced(by: limit.duration))
        }
    }

    /// Ends the limit of operations.
    ///
    /// - Throws: a failure when its time is up, and the operation could not be ended in time.
    public func endLimit() throws(BenchFailure) {
        guard let limit = operationLimit.take() else { return }
        let late = limit.deadline.duration(to: executor.now)
        guard late > .zero else { return }
        throw BenchFailure(
            .timedOut, expected: "the step to end \(limit.limit)",
            got: "it took \((limit.limit.duration + late).brief)")
    }

    /// Waits for the log to decide about `matcher`; `nil` when the time is up or the firmware has crashed.
    func wait(for matcher: EventMatcher, within timeout: Duration) async -> EventLog.Outcome? {
        log.beginSearch()
        let searchStart = log.searchStart
        lastWait += 1
        let number = lastWait
        // Once the time is up, events are for the next expectation.
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

    /// Lets `duration` pass, or less when the firmware crashes.
    public func advance(by duration: Duration) async {
        _ = await wait(for: .nothing([], board: nil), within: duration)
    }

    /// The advertisements that a central hears while `body` starts its scan: some stacks report one only once.
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

    /// Waits for an advertisement that a central hears, or has just heard, and that `isWanted`; `nil` when the time is
    /// up or the firmware has crashed.
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

    /// Carries out an operation that may fail as its caller expects.
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

    /// Carries out an operation, for at most ``operationLimit``: the stack may be gone, and never answer.
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

    /// Has a role of the bench do something that only a fault of its own, or a missing ability, can keep it from.
    func ask(_ expected: String, _ body: () async throws -> Void) async throws(BenchFailure) {
        do {
            try await body()
        } catch {
            throw BenchFailure(.benchFault, expected: expected, got: "\(error)")
        }
    }
}

/// How long the operations in progress may take.
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
    /// The cause of the error in the sketch or its board, where one is known.
    public var reason: String?

    /// An outcome.
    public init(expected: String, result: Result<Value, CentralError>) {
        self.expected = expected
        self.result = result
    }

    /// The returned value.
    ///
    /// - Throws: the error of the stack, as the failure that it is where none was expected.
    @discardableResult
    public func get() throws(BenchFailure) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): throw failure(error)
        }
    }

    /// The failure that an error is where it was not expected.
    public func failure(_ error: CentralError, expected: String? = nil) -> BenchFailure {
        var failure = BenchFailure(error, expected: expected ?? self.expected)
        if let reason { failure.got += ": \(reason)" }
        return failure
    }
}

/// A suspended step that resumes once: by what it waits for, by time, or by the board's crash.
final class PendingWait<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, Never>?
        var timer: BenchExecutor.Event?
    }

    private let executor: BenchExecutor
    private let state: Mutex<State>

    /// A step that resumes with `timeoutValue` at `deadline`.
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

    /// Resumes the step, if nothing has.
    func resume(_ value: Value) {
        let (continuation, timer) = state.withLock { ($0.continuation.take(), $0.timer.take()) }
        if let timer { executor.cancel(timer) }
        continuation?.resume(returning: value)
    }
}

/// How long something may take on a bench: the time that a suite gives it, and more on a bench that is slower.
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
