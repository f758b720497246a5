import Foundation
import Synchronization

/// Carries signals out of their handlers, in which next to nothing is allowed, to a thread that may do anything.
///
/// Dispatch's signal sources cannot be made twice in a process: it takes a new one for the signal's disposition that
/// it has found for the first.
enum SignalPipe {
    // SAFETY: written once, by `isRunning`, before a handler that reads it is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let action = Mutex<(@Sendable (Int32) -> Void)?>(nil)
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Whether a thread reads the pipe, which it does as long as the process lives.
    private static let isRunning: Bool = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd = ends[1]
        let readEnd = ends[0]
        let thread = Thread {
            var number: UInt8 = 0
            while true {
                let count = read(readEnd, &number, 1)
                if count == 1 {
                    action.withLock { $0.take() }?(Int32(number))
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
        thread.start()
        return true
    }()

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let formerError = errno
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
        errno = formerError
    }

    /// Calls `newAction` at the first of the signals that ask a program to end, on a thread of its own; after that they
    /// have their usual effect again.
    static func watch(_ newAction: @escaping @Sendable (Int32) -> Void) {
        guard isRunning else { return }
        action.withLock { $0 = newAction }
        for number in signals { signal(number, handler) }
    }

    /// Gives the signals their usual effect back.
    static func end() {
        for number in signals { signal(number, SIG_DFL) }
        action.withLock { $0 = nil }
    }
}
