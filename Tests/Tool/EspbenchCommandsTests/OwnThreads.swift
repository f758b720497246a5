import Dispatch
import Testing

/// Runs each test on a thread of its own: tests that wait for a process, or build a sketch, would keep Swift's few
/// threads from all others.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(QueueExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    static var ownThreads: Self { OwnThreads() }
}

/// Runs jobs on as many threads as there are jobs.
private final class QueueExecutor: TaskExecutor {
    static let shared = QueueExecutor()

    private let queue = DispatchQueue(label: "espbench.tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
