import MonotonicTime
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension BenchExecutor {
    /// Time limit for an interrupted body to end, by this executor's clock.
    public static var gracePeriod: Duration { .seconds(1) }

    /// Runs `body` on a new thread until it returns or throws; the calling task is suspended meanwhile. The body has
    /// the task-local values of the caller. If the caller runs on another executor, that executor's virtual time does
    /// not advance meanwhile.
    ///
    /// The body is interrupted when the calling task is cancelled, when `timeLimit` has passed, and, in virtual time,
    /// on a deadlock: no event is scheduled, and the body does not wait within ``waitElsewhere(_:)``. Its task is then
    /// cancelled, and `onInterruption` is called, which must end the body's wait. A body that has not ended after
    /// ``gracePeriod``, or that still waits for another thread, is abandoned: it remains suspended, and the thread
    /// ends. A body that runs without suspending cannot be interrupted.
    ///
    /// - Parameters:
    ///   - timeLimit: by this executor's clock; `nil`: no limit.
    ///   - onInterruption: runs on the executor.
    ///   - onAbandonment: runs on the executor when the body is abandoned, after all other jobs.
    /// - Throws: the body's error; the ``Failure`` that interrupted the body, even if it returned a result;
    ///   `CancellationError` if it was abandoned after a cancellation.
    public nonisolated(nonsending) func runOnThread<Result: Sendable>(
        timeLimit: Duration? = nil, onInterruption: @escaping @Sendable () -> Void = {},
        onAbandonment: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        let box = OutcomeBox<Result>()
        let deadline = timeLimit.map { now.advanced(by: $0) }
        // In real time, the waiting loop must wake at the deadline.
        if let deadline, pace == .real { schedule(at: deadline) {} }
        let task = start(body, box)
        return try await withTaskCancellationHandler {
            try await Self.waitElsewhere {
                try await withCheckedThrowingContinuation { continuation in
                    Self.startThread {
                        let failure = try? self.onThisThread {
                            self.loop(until: { box.isSet.value }) { now in
                                if cancellation.isRequested.load(ordering: .relaxed) { return CancellationError() }
                                guard let timeLimit, let deadline, now >= deadline else { return nil }
                                return Failure.timeLimitExceeded(timeLimit)
                            } interrupting: {
                                task.cancel()
                                onInterruption()
                            } abandoning: {
                                onAbandonment()
                            }
                        }
                        let outcome = box.outcome.withLock { $0 }
                        if let failure = failure as? Failure { return continuation.resume(throwing: failure) }
                        continuation.resume(with: outcome ?? .failure(CancellationError()))
                    }
                }
            }
        } onCancel: {
            cancellation.isRequested.store(true, ordering: .relaxed)
            post {}
        }
    }

    /// Runs jobs and events until `isOver`; returns the reason if the body was interrupted.
    private func loop(
        until isOver: () -> Bool, unless earlyEnd: (MonotonicInstant) -> (any Error)?,
        interrupting interrupt: () -> Void,
        abandoning abandon: () -> Void
    ) -> (any Error)? {
        var reason: (any Error)?
        while !isOver(), reason == nil {
            reason = earlyEnd(now)
            guard reason == nil else { break }
            do throws(Failure) { try step() } catch { reason = error }
        }
        guard reason != nil else { return nil }
        let end = now.advanced(by: Self.gracePeriod)
        if pace == .real { schedule(at: end) {} }
        interrupt()
        while !isOver(), now < end {
            do throws(Failure) { try step(waitsElsewhere: false) } catch { break }
        }
        if !isOver() { abandon() }
        return reason
    }

    /// The stack size of a main thread; other threads may get less by default.
    private static var stackSize: Int { 8 << 20 }

    /// Starts a thread that runs `body`, then ends.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Start {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(
                &thread, &attributes,
                { start in
                    Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
                    return nil
                }, start)
        #else
            var thread = pthread_t()
            let code = pthread_create(
                &thread, &attributes,
                { start in
                    if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
                    return nil
                }, start)
        #endif
        precondition(code == 0, "no thread for a bench: \(String(cString: strerror(code)))")
    }
}

/// A request to interrupt a body.
private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
}

extension BenchExecutor {
    /// The executor of the body that the task belongs to.
    @TaskLocal static var current: BenchExecutor?

    /// Runs `body`, which waits for another thread, an actor or a process: for work outside of the bench's executor.
    ///
    /// Virtual time does not advance until `body` returns, as it would depend on the machine's speed; waiting is no
    /// deadlock. `body` must not wait for the bench itself, which would block forever. Outside of a bench, this
    /// function only runs `body`.
    public nonisolated(nonsending) static func waitElsewhere<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let current, current.isIsolatingCurrentContext() == true else { return try await body() }
        current.state.withLock { $0.waitsElsewhere += 1 }
        defer { current.state.withLock { $0.waitsElsewhere -= 1 } }
        return try await body()
    }
}

/// Waiting for file descriptors on the executor's own thread: received bytes need no other thread.
extension BenchExecutor {
    /// The state of a descriptor that is waited for.
    public enum Readiness: Sendable {
        /// Readable, or closed by the other end.
        case input
        /// Writable.
        case output
    }

    /// Identifies one watched descriptor, for ``unwatch(_:)``.
    public struct Watch: Hashable, Sendable {
        let number: UInt64
    }

    /// Calls `action` on the executor while `descriptor` is ready: whenever no job or event is due, and occasionally in
    /// between. Only in real time: virtual time does not wait for descriptors.
    ///
    /// If several descriptors are ready, the one watched last is handled first. So bytes written to it, before other
    /// bytes are written to an earlier descriptor, are always handled first.
    ///
    /// The descriptor must stay open until ``unwatch(_:)``. Safe from any thread.
    public func watch(
        _ descriptor: Int32, for readiness: Readiness, _ action: @escaping @Sendable () -> Void
    ) -> Watch {
        let number = descriptors.add(descriptor, isOutput: readiness == .output, action)
        // A wait in progress does not include the new descriptor.
        if isIsolatingCurrentContext() != true { post {} }
        return Watch(number: number)
    }

    /// Ends a watch, if it still exists. After a call on the executor, the action is not called again. Safe from any
    /// thread.
    public func unwatch(_ watch: Watch) {
        descriptors.remove(watch.number)
    }
}
