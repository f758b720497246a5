import Dispatch
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock among the builds of this machine, in this process or others. The end of the process releases it,
/// too.
package struct FileLock: Sendable {
    /// `nil` if the file system has no locks: then no build waits.
    private let file: FileDescriptor?

    /// Takes the lock on the file at `path`; waits until it is free.
    ///
    /// - Parameter waiting: called once if another build has it.
    /// - Throws: ``FirmwareBuildError`` when the task is cancelled.
    package init(_ path: String, waiting: () -> Void) async throws(FirmwareBuildError) {
        file = try? FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        guard let file, flock(file.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        waiting()
        guard await Waiting().lock(file) else {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled while it waited for another")
        }
    }

    /// Releases the lock.
    package func release() {
        guard let file else { return }
        // A process that another thread is starting may have a copy of the descriptor, which would keep the lock.
        flock(file.rawValue, LOCK_UN)
        try? file.close()
    }
}

/// Waits for a lock on a thread of its own: flock(2) blocks, and must not block a thread of Swift's pool.
private final class Waiting: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Bool, Never>)
        case over
    }

    private let state = Mutex(State.idle)

    /// Locks `file`; `false` when the task was cancelled: the file is then closed, at the latest when the lock is free.
    func lock(_ file: FileDescriptor) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .over = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled {
                    try? file.close()
                    return continuation.resume(returning: false)
                }
                DispatchQueue(label: "file lock").async {
                    while flock(file.rawValue, LOCK_EX) != 0, errno == EINTR {}
                    if !self.end(with: true) { try? file.close() }
                }
            }
        } onCancel: {
            _ = end(with: false)
        }
    }

    /// Ends the wait; `false` when it has ended before.
    private func end(with result: Bool) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Bool, Never>?) in
            defer { state = .over }
            switch state {
            case .idle: return (true, nil)
            case .waiting(let continuation): return (true, continuation)
            case .over: return (false, nil)
            }
        }
        continuation?.resume(returning: result)
        return isFirst
    }
}
