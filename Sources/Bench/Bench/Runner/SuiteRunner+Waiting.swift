import BLECentral
import BenchModel
import MonotonicTime
import BenchExecutor

extension SuiteRunner {
    /// The longest an operation of a stack may take; an ATT transaction is over after 30 s (Core 5.4, Vol 3
    /// Part F 3.3.3).
    private static let operationLimit = Duration.seconds(60)

    /// Waits for the log to decide about `matcher`; `nil` when the time is up or the board has crashed.
    func wait(for matcher: CaseLog.Matcher, within timeout: Duration) async -> CaseLog.Outcome? {
        log.beginSearch()
        if let outcome = log.outcome(of: matcher) { return outcome }
        guard crash == nil else { return nil }
        let deadline = executor.now.advanced(by: timeout)
        // Once the time is up, events are for the next expectation.
        defer { waiting = nil }
        return await withCheckedContinuation { continuation in
            let wait = PendingWait(continuation, on: executor, until: deadline, timeoutValue: nil)
            waiting = Waiting(matcher: matcher, wait: wait)
        }
    }

    /// Lets `duration` pass, or less when the board crashes.
    func advance(by duration: Duration) async {
        _ = await wait(for: .nothing([]), within: duration)
    }

    /// Waits for an advertisement that `isWanted`; `nil` when the time is up or the board has crashed.
    func waitForAdvertisement(until deadline: MonotonicInstant, _ isWanted: @escaping (Advertisement) -> Bool)
        async -> Advertisement?
    {
        guard crash == nil else { return nil }
        defer {
            onAdvertisement = nil
            abortOperation = nil
        }
        return await withCheckedContinuation { continuation in
            let wait = PendingWait<Advertisement?>(continuation, on: executor, until: deadline, timeoutValue: nil)
            onAdvertisement = { if isWanted($0) { wait.resume($0) } }
            abortOperation = { _ in wait.resume(nil) }
        }
    }

    /// Carries out an operation of a central's stack; a crash of the board ends it at once.
    func perform<Value: Sendable>(
        _ expected: String, _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws(StepFault) -> Value {
        switch try await attempt(expected, operation) {
        case .success(let value): return value
        case .failure(let error): throw StepFault(error, expected: expected)
        }
    }

    /// Carries out an operation that may fail as the suite expects.
    func attempt<Value: Sendable>(
        _ expected: String, _ operation: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws(StepFault) -> Result<Value, CentralError> {
        if let crash { throw crash }
        let deadline = executor.now.advanced(by: Self.operationLimit)
        let overdue = StepFault(
            .benchFault, expected: expected, got: "the central did not finish within \(Self.operationLimit.brief)")
        defer { abortOperation = nil }
        let outcome: Result<Result<Value, CentralError>, StepFault> = await withCheckedContinuation { continuation in
            let wait = PendingWait(continuation, on: executor, until: deadline, timeoutValue: .failure(overdue))
            abortOperation = { crash in
                wait.resume(.failure(StepFault(crash.cause, expected: expected, got: crash.got)))
            }
            Task(executorPreference: executor) {
                do throws(CentralError) {
                    wait.resume(.success(.success(try await operation())))
                } catch {
                    wait.resume(.success(.failure(error)))
                }
            }
        }
        return try outcome.get()
    }
}
