import Foundation
import Synchronization

/// Passes signals from their handlers, which may call almost no function, to a thread.
///
/// Dispatch's signal sources cannot be created twice in a process: a second source restores the signal disposition that
/// the first one found.
enum SignalPipe {
    /// The effect of the signals on a command.
    struct Reaction: Sendable {
        /// Requests the end of the command; the parameter is the number of the signal.
        var request: @Sendable (Int32) -> Void
        /// Returns actions that write the results so far before the command is aborted; each runs on its own
        /// thread, for at most ``lastTime``.
        var lastWords: @Sendable () -> [@Sendable () -> Void] = { [] }
    }

    // SAFETY: written once, by `isRunning`, before a handler that reads it is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let reaction = Mutex<Reaction?>(nil)
    /// The time of the first signal, in nanoseconds of a monotonic clock; 0: no signal yet. Handlers may run on several
    /// threads at the same time.
    private static let firstTime = Atomic<UInt64>(0)
    /// SIGHUP is omitted if it is ignored: nohup(1) keeps a command running after its terminal is closed.
    private static let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    /// Signals within this time are one request: timeout(1) signals its child and then its own process group, which
    /// includes the child; closing a terminal sends SIGHUP and SIGTERM.
    private static let repetitionTime: UInt64 = 1_000_000_000
    /// The time limit for a command to end, and then for its last actions.
    private static let endingTime: Int32 = 10_000
    private static let lastTime = DispatchTimeInterval.seconds(1)
    /// Written instead of a signal's number when a second, separate signal is received.
    private static let abortion: UInt8 = 0xFF

    /// True if a thread reads the pipe, until the process ends.
    private static let isRunning: Bool = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Initialized here, since a handler must not be the first to use them.
        firstTime.store(0, ordering: .relaxed)
        _ = DispatchTime.now().uptimeNanoseconds
        writeEnd = ends[1]
        let readEnd = ends[0]
        DispatchQueue(label: "signals").async {
            var number: UInt8 = 0
            while true {
                let count = read(readEnd, &number, 1)
                if count == 1 {
                    if number == abortion { abort("a second signal, before it had ended") }
                    reaction.withLock { $0 }?.request(Int32(number))
                    var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
                    if poll(&descriptor, 1, endingTime) == 0 { abort("it did not end within 10 s of the signal") }
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
        return true
    }()

    /// Ends the process if its command does not end in time: it may compute endlessly, or wait for an event that never
    /// occurs.
    private static func abort(_ reason: String) {
        guard firstTime.load(ordering: .relaxed) != 0 else { return }
        // From now on a signal ends the process, even during the last actions.
        for number in signals { signal(number, SIG_DFL) }
        RawTerminal.restore()
        let words = reaction.withLock { $0.take() }?.lastWords() ?? []
        let group = DispatchGroup()
        for write in words { DispatchQueue(label: "last words").async(group: group, execute: write) }
        _ = group.wait(timeout: .now() + lastTime)
        let text = "error: the command was aborted: \(reason)\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(ExitReason.interrupted.rawValue)
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let formerError = errno
        defer { errno = formerError }
        let now = DispatchTime.now().uptimeNanoseconds
        let (isFirst, first) = firstTime.compareExchange(expected: 0, desired: now, ordering: .relaxed)
        var byte = UInt8(truncatingIfNeeded: number)
        if !isFirst {
            guard now >= first, now - first >= repetitionTime else { return }
            // The thread may be busy with the first signal: a third one ends the process in any case.
            for number in signals { signal(number, SIG_DFL) }
            RawTerminal.restore()
            byte = abortion
        }
        _ = write(writeEnd, &byte, 1)
    }

    /// True if a signal is ignored.
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

    /// At the first SIGINT, SIGTERM or SIGHUP (unless SIGHUP is ignored), requests the end of the command on a separate
    /// thread. The next signal aborts the command; a signal within one second belongs to the same request. A further
    /// signal has its default effect. With `keepsIgnored`, a signal that is ignored stays ignored.
    static func watch(_ newReaction: Reaction, keepsIgnored: Bool = false) {
        guard isRunning else { return }
        firstTime.store(0, ordering: .relaxed)
        reaction.withLock { $0 = newReaction }
        // Not during an abort, when signals have their default effect.
        for number in signals where !(keepsIgnored && isIgnored(number)) { signal(number, handler) }
    }

    /// Restores the default effect of the signals. Does nothing if a signal was received: the program is ending, and
    /// further signals of the same request must not kill it first.
    static func end() {
        reaction.withLock { $0 = nil }
        guard firstTime.load(ordering: .relaxed) == 0 else { return }
        for number in signals { signal(number, SIG_DFL) }
    }
}
