import Foundation
import Synchronization

/// Passes signals from their handlers, which may call almost no function, to a thread.
///
/// Dispatch's signal sources cannot be created twice in a process: a second one restores the signal's disposition that
/// was found by the first.
enum SignalPipe {
    // SAFETY: written once, by `isRunning`, before a handler that reads it is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let action = Mutex<(@Sendable (Int32) -> Void)?>(nil)
    private static let isEnding = Mutex(false)
    /// Without SIGHUP where it is ignored: nohup(1) keeps a command from ending with its terminal.
    private static let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    /// How long a command may take to end.
    private static let endingTime: Int32 = 10_000

    /// Whether a thread reads the pipe, until the process ends.
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
                    isEnding.withLock { $0 = true }
                    action.withLock { $0.take() }?(Int32(number))
                    forceEnd(readEnd)
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
        thread.start()
        return true
    }()

    /// Ends the process if the command that was to end still computes, e.g. in a regular expression without end.
    private static func forceEnd(_ readEnd: Int32) {
        var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, endingTime) == 0, isEnding.withLock({ $0 }) else { return }
        let text = "error: the command did not end within 10 s of the signal, and was aborted\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(ExitReason.interrupted.rawValue)
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let formerError = errno
        for number in signals { signal(number, SIG_DFL) }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
        errno = formerError
    }

    /// Whether a signal has no effect.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Glibc)
            // SAFETY: a handler is a pointer, of which only the bits are compared: SIG_IGN is 1.
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        #else
            // SAFETY: as above.
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        #endif
    }

    /// Calls `newAction` on a separate thread at the first SIGINT, SIGTERM or, unless it is ignored, SIGHUP; later signals
    /// have their default effect.
    static func watch(_ newAction: @escaping @Sendable (Int32) -> Void) {
        guard isRunning else { return }
        isEnding.withLock { $0 = false }
        action.withLock { $0 = newAction }
        for number in signals { signal(number, handler) }
    }

    /// Restores the default effect of the signals.
    static func end() {
        for number in signals { signal(number, SIG_DFL) }
        action.withLock { $0 = nil }
        isEnding.withLock { $0 = false }
    }
}
