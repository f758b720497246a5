import Foundation
import Synchronization

/// A thread that runs jobs in order until it is stopped.
final class WorkerThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private enum Next {
        case job(@Sendable () -> Void)
        case wait
        case end
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ name: String) {
        let thread = Thread { self.run() }
        thread.name = name
        thread.start()
    }

    /// Runs `job` after the queued ones. Safe from any thread.
    func post(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        wakeUp.signal()
    }

    /// Ends the thread after the queued jobs; returns when it has ended.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
        ended.wait()
    }

    private func run() {
        defer { ended.signal() }
        while true {
            switch next() {
            case .job(let job): job()
            case .wait: wakeUp.wait()
            case .end: return
            }
        }
    }

    private func next() -> Next {
        state.withLock { state in
            if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
            return state.isStopped ? .end : .wait
        }
    }
}
