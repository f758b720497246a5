import FirmwareBuild
import Foundation
import Synchronization
import Testing

/// The lock among builds.
@Suite(.timeLimit(.minutes(10)))
final class FileLockTests: Sendable {
    private let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Ends when a build has said that it waits.
    private func lockInTask(_ path: String) async -> Task<FileLock, any Error> {
        let (waits, report) = AsyncStream.makeStream(of: Void.self)
        let task = Task { try await FileLock(path) { report.finish() } }
        for await _ in waits {}
        return task
    }

    @Test func theNextBuildGetsItWhenItIsReleased() async throws {
        let first = try await FileLock(path) { Issue.record("nobody has it") }
        let tasks = [await lockInTask(path), await lockInTask(path)]
        first.release()
        // Each has it alone: the other gets it after its release.
        let owners = Owners()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in tasks {
                group.addTask {
                    let lock = try await task.value
                    #expect(owners.count.add(1, ordering: .relaxed).newValue == 1)
                    await Task.yield()
                    owners.count.subtract(1, ordering: .relaxed)
                    lock.release()
                }
            }
            try await group.waitForAll()
        }
        try await FileLock(path) { Issue.record("nobody has it") }.release()
    }

    @Test func aCancelledBuildDoesNotKeepIt() async throws {
        let first = try await FileLock(path) { Issue.record("nobody has it") }
        let cancelled = await lockInTask(path)
        cancelled.cancel()
        let error = await #expect(throws: FirmwareBuildError.self) { try await cancelled.value }
        #expect(error?.description.contains("the compilation was cancelled while it waited for another") == true)
        let next = await lockInTask(path)
        first.release()
        try await next.value.release()
    }

    @Test func aFolderWithoutLocksIsNotWaitedFor() async throws {
        try await FileLock("/proc/version/lock") { Issue.record("nobody has it") }.release()
    }
}

private final class Owners: Sendable {
    let count = Atomic(0)
}
