import Dispatch
public import MonotonicTime
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The executor of a bench: all its parts (board, radio, hosts, suite) run on one thread, in a fixed order.
///
/// In virtual time, when no job is ready, time jumps to the next scheduled event; the same inputs give the same run. In
/// real time, the executor waits for that event, or for ``post(_:)`` from another thread. Virtual time waits for other
/// threads only within ``waitElsewhere(_:)``.
///
/// Actors of a bench return it as their `unownedExecutor`: calls between them then need no thread switch, and every
/// scheduled event may use `assumeIsolated`.
public final class BenchExecutor: SerialExecutor, TaskExecutor, Sendable {
    /// The source of time.
    public enum Pace: Sendable {
        /// Time jumps from event to event.
        case virtual
        /// Time is the machine's monotonic clock.
        case real
    }

    /// The reason why a run could not continue.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// The body waits, and no scheduled event can resume it.
        case deadlock(at: MonotonicInstant)
        /// The body did not end within its time limit.
        case timeLimitExceeded(Duration)

        /// One line.
        public var description: String {
            switch self {
            case .deadlock(let instant):
                "deadlock at \(instant.nanoseconds) ns of virtual time: the body waits, and no event is scheduled"
            case .timeLimitExceeded(let limit): "the body did not end within \(limit) of the executor's time"
            }
        }
    }

    /// Identifies one scheduled event, for ``cancel(_:)``.
    public struct Event: Hashable, Sendable {
        fileprivate let token: DeadlineQueue<Action>.Token
    }

    /// The action of an event. As an element of a queue, a closure by itself would be wrapped in another one.
    struct Action {
        let run: @Sendable () -> Void
    }

    struct Job {
        let job: UnownedJob
        /// True if it is isolated to an actor of this executor.
        let isIsolated: Bool
    }

    /// How the executor's thread waits.
    enum Waiting {
        case no
        case forSignal
        case forDescriptors
    }

    struct State {
        var pace: Pace
        var now = MonotonicInstant.zero
        /// The machine's clock at instant zero; recomputed when the pace changes.
        var realOrigin = DispatchTime.now().uptimeNanoseconds
        var jobs: [Job] = []
        var nextJob = 0
        var events = DeadlineQueue<Action>()
        var waiting = Waiting.no
        /// The jobs and events since the last check of the descriptors.
        var stepsWithoutPoll = 0
        /// The number of waits in progress for work outside of this executor.
        var waitsElsewhere = 0
        /// The speed limit of virtual time, if any.
        var tempo: Tempo?
    }

    let state: Mutex<State>
    let descriptors = DescriptorSet()
    private let wakeUp = DispatchSemaphore(value: 0)
    private let runningThread = Atomic<UInt>(0)
    /// The current instant in nanoseconds, while it changes only with a step of virtual time; else negative. It is read
    /// several times per event, without the lock.
    private let steppedNow: Atomic<Int64>

    /// An executor at instant zero.
    public init(pace: Pace = .virtual) {
        state = Mutex(State(pace: pace))
        steppedNow = Atomic(pace == .virtual ? 0 : -1)
    }

    // MARK: Time

    /// The current instant. In real time it also advances between events.
    public var now: MonotonicInstant {
        let unlocked = steppedNow.load(ordering: .relaxed)
        if unlocked >= 0 { return MonotonicInstant(nanoseconds: unlocked) }
        return state.withLock { Self.refreshNow(&$0) }
    }

    /// Updates ``steppedNow`` after a change of the source of time.
    func publishNow(_ state: State) {
        let isStepped = state.pace == .virtual && state.tempo == nil
        steppedNow.store(isStepped ? state.now.nanoseconds : -1, ordering: .relaxed)
    }

    /// An instant that is at most ``roughness`` before ``now``, never after it: for deadlines that may be late by that
    /// much. Unlike ``now``, it needs no system call.
    public var roughNow: MonotonicInstant {
        state.withLock { Self.roughNow($0) }
    }

    /// The maximum lag of ``roughNow``: twice the tick of a kernel with 100 Hz.
    public static var roughness: Duration { .milliseconds(20) }

    private static func roughNow(_ state: State) -> MonotonicInstant {
        guard state.pace == .real else { return state.now }
        // Negative during the first tick.
        let elapsed = Int64(bitPattern: RoughClock.uptimeNanoseconds &- state.realOrigin)
        return max(state.now, MonotonicInstant(nanoseconds: elapsed))
    }

    /// The source of time; may change during a run, which continues from the current instant.
    public var pace: Pace {
        get { state.withLock { $0.pace } }
        set {
            state.withLock { state in
                let now = Self.refreshNow(&state)
                state.pace = newValue
                state.realOrigin = DispatchTime.now().uptimeNanoseconds &- UInt64(now.nanoseconds)
                publishNow(state)
            }
        }
    }

    static func refreshNow(_ state: inout State) -> MonotonicInstant {
        if state.pace == .real {
            // Negative if the machine's clock has gone back, as in some virtual machines: time then stops.
            let elapsed = Int64(bitPattern: DispatchTime.now().uptimeNanoseconds &- state.realOrigin)
            state.now = max(state.now, MonotonicInstant(nanoseconds: elapsed))
        } else if let tempo = state.tempo {
            state.now = heldNow(tempo, state)
        }
        return state.now
    }

    // MARK: Events

    /// Runs `action` on the executor at `deadline`, or at once if that has passed. Events of the same instant run in
    /// the order in which they were scheduled. Safe from any thread.
    @discardableResult
    public func schedule(at deadline: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> Event {
        schedule(at: deadline, Action(run: action))
    }

    func schedule(at deadline: MonotonicInstant, _ action: Action) -> Event {
        let (event, waiting) = state.withLock { state in
            let due = max(deadline, state.now)
            return (Event(token: state.events.insert(action, at: due)), Self.clearWaiting(&state))
        }
        wake(waiting)
        return event
    }

    /// Runs `action` on the executor after all jobs and events already due. Safe from any thread.
    public func post(_ action: @escaping @Sendable () -> Void) {
        schedule(at: now, action)
    }

    /// Cancels an event. Its owner must discard the identifier when the event runs.
    public func cancel(_ event: Event) {
        // Release the actions outside the lock: an object that ends with its action may schedule or cancel others.
        let dropped = state.withLock { $0.events.cancel(event.token) }
        _ = consume dropped
    }

    /// Removes all scheduled events, when the bench is no longer used: an event keeps its objects alive, and these keep
    /// the executor alive.
    public func discardEvents() {
        // Release the events outside the lock: an object that ends with its event may cancel others.
        let events = state.withLock { state in
            let events = state.events
            state.events = DeadlineQueue()
            return events
        }
        _ = consume events
    }

    /// The next instant at which any part has work: until then, one part may run ahead of the others. `nil` when
    /// nothing is scheduled; the current instant when jobs are ready, or while another thread is awaited.
    public var horizon: MonotonicInstant? {
        state.withLock { state in
            state.nextJob < state.jobs.count || state.waitsElsewhere > 0 ? state.now : state.events.nextDeadline
        }
    }

    static func clearWaiting(_ state: inout State) -> Waiting {
        defer { state.waiting = .no }
        return state.waiting
    }

    /// Ends the thread's wait.
    func wake(_ waiting: Waiting) {
        switch waiting {
        case .no: break
        case .forSignal: wakeUp.signal()
        case .forDescriptors: descriptors.interrupt()
        }
    }

    // MARK: Executor

    /// Queues a job that is isolated to an actor of this executor; jobs run before time advances. Safe from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        enqueue(Job(job: UnownedJob(job), isIsolated: true))
    }

    /// Queues a job of a task that prefers this executor, while it is not isolated to an actor. Safe from any thread.
    ///
    /// Run as if it were isolated, it would be queued once more at each call of a nonisolated function.
    @_implements(TaskExecutor,enqueue(_:)) public func enqueueNonisolated(_ job: consuming ExecutorJob) {
        enqueue(Job(job: UnownedJob(job), isIsolated: false))
    }

    private func enqueue(_ job: Job) {
        let waiting = state.withLock { state in
            state.jobs.append(job)
            return Self.clearWaiting(&state)
        }
        wake(waiting)
    }

    /// This executor as the concurrency runtime refers to it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// True if the caller runs on this executor. The runtime calls this, since a scheduled event is not a job.
    public func isIsolatingCurrentContext() -> Bool? {
        runningThread.load(ordering: .relaxed) == Self.currentThread
    }

    /// Stops the program unless the caller runs on this executor.
    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on this executor")
    }

    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    // MARK: Running

    /// Runs `body` on the calling thread until it returns or throws.
    ///
    /// - Throws: the error of `body`; in virtual time ``Failure/deadlock(at:)`` if it can never continue.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let box = OutcomeBox<Result>()
        start(body, box)
        return try onThisThread {
            let isOver = box.isSet
            while true {
                if isOver.value, let result = box.outcome.withLock({ $0 }) { return try result.get() }
                try step()
            }
        }
    }

    /// Starts `body` as a task of this executor, with the task-local values of the caller.
    @discardableResult
    func start<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result, _ box: OutcomeBox<Result>
    ) -> Task<Void, Never> {
        Task(executorPreference: self) {
            await Self.$current.withValue(self) {
                do {
                    let value = try await body()
                    box.outcome.withLock { $0 = .success(value) }
                } catch {
                    box.outcome.withLock { $0 = .failure(error) }
                }
                box.isSet.set()
            }
        }
    }

    /// Makes the calling thread this executor's thread while `loop` runs, as a job of this executor.
    func onThisThread<Result>(_ loop: () throws -> Result) throws -> Result {
        let formerThread = runningThread.exchange(Self.currentThread, ordering: .relaxed)
        defer { runningThread.store(formerThread, ordering: .relaxed) }
        return try withoutActuallyEscaping(loop) { loop in
            let job = LoopJob(loop)
            job.enqueue(on: self)
            while true {
                if let result = job.result { return try result.get() }
                try step()
            }
        }
    }

    enum Step {
        case job(Job)
        case event(Action)
        case wait(until: MonotonicInstant?, from: MonotonicInstant)
        case pause(nanoseconds: Int64)
        case poll(for: Int64?)
        case deadlock(MonotonicInstant)
    }

    /// Limit of jobs and events between two checks of the descriptors.
    private static let stepLimit = 64

    /// Runs the next job or event; waits for it if none is due.
    ///
    /// - Parameter waitsElsewhere: true to stop virtual time during ``waitElsewhere(_:)``.
    /// - Throws: ``Failure/deadlock(at:)`` when virtual time has no next job or event.
    func step(waitsElsewhere: Bool = true) throws(Failure) {
        switch nextStep(waitsElsewhere) {
        case .job(let next) where next.isIsolated:
            next.job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .job(let next): next.job.runSynchronously(on: asUnownedTaskExecutor())
        case .event(let action):
            action.run()
        case .wait(let deadline?, let now):
            let nanoseconds = max(0, deadline.nanoseconds - now.nanoseconds)
            _ = wakeUp.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        case .wait(nil, _):
            wakeUp.wait()
        case .pause(let nanoseconds):
            _ = wakeUp.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        case .poll(let nanoseconds):
            // Jobs enqueued by the actions must not interrupt the next wait.
            descriptors.wait(nanoseconds: nanoseconds) { state.withLock { $0.waiting = .no } }
        case .deadlock(let instant):
            throw Failure.deadlock(at: instant)
        }
    }

    /// The time in which certainly no event will be due, in nanoseconds; `nil` if no event is scheduled, or the time is
    /// too short to wait before reading the clock, which may cost as much as a wait.
    private static func certainWait(_ state: State) -> Int64? {
        guard let deadline = state.events.nextDeadline else { return nil }
        let wait = deadline.nanoseconds - roughNow(state).nanoseconds - roughNanoseconds
        return wait > roughNanoseconds ? wait : nil
    }

    private static let roughNanoseconds = Int64(roughness / .nanoseconds(1))

    private func nextStep(_ waitsElsewhere: Bool) -> Step {
        // Released outside the lock, as in `cancel`.
        var dropped: [Action] = []
        return state.withLock { state in
            state.waiting = .no
            if !descriptors.isEmpty, state.pace == .real {
                state.stepsWithoutPoll += 1
                if state.stepsWithoutPoll > Self.stepLimit {
                    state.stepsWithoutPoll = 0
                    return .poll(for: 0)
                }
            }
            if state.nextJob < state.jobs.count {
                let job = state.jobs[state.nextJob]
                state.nextJob += 1
                if state.nextJob == state.jobs.count {
                    state.jobs.removeAll(keepingCapacity: true)
                    state.nextJob = 0
                }
                return .job(job)
            }
            if !descriptors.isEmpty, state.pace == .real, let wait = Self.certainWait(state) {
                state.waiting = .forDescriptors
                state.stepsWithoutPoll = 0
                return .poll(for: wait)
            }
            let now = Self.refreshNow(&state)
            if let action = state.events.popDue(at: now, dropping: &dropped) { return .event(action) }
            switch (state.pace, state.events.nextDeadline) {
            case (.virtual, _) where waitsElsewhere && state.waitsElsewhere > 0:
                state.waiting = .forSignal
                return .wait(until: nil, from: now)
            case (.virtual, _) where state.tempo != nil:
                return Self.heldStep(&state)
            case (.virtual, nil):
                return .deadlock(now)
            case (.virtual, let deadline?):
                state.now = deadline
                steppedNow.store(deadline.nanoseconds, ordering: .relaxed)
                guard let action = state.events.popDue(at: deadline, dropping: &dropped) else { return .deadlock(now) }
                return .event(action)
            case (.real, let deadline) where !descriptors.isEmpty:
                state.waiting = .forDescriptors
                state.stepsWithoutPoll = 0
                return .poll(for: deadline.map { max(0, $0.nanoseconds - now.nanoseconds) })
            case (.real, let deadline):
                state.waiting = .forSignal
                return .wait(until: deadline, from: now)
            }
        }
    }
}

/// The result of a body that has ended.
final class OutcomeBox<Value: Sendable>: Sendable {
    /// Set after the outcome.
    let isSet = OutcomeFlag()
    let outcome = Mutex<Result<Value, any Error>?>(nil)
}

/// The flag of a body that has ended; not generic, since reading a generic value costs more than a step.
final class OutcomeFlag: Sendable {
    private let state = Atomic(false)
    var value: Bool { state.load(ordering: .acquiring) }
    func set() { state.store(true, ordering: .releasing) }
}
