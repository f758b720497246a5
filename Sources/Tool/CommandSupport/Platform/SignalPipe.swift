import Foundation
import Synchronization

/// Passes signals from their handlers, which may call almost no function, to a thread.
///
/// Dispatch's signal sources cannot be created twice in a process: a second one restores the signal's disposition that
/// was found by the first.
enum SignalPipe {
    /// The effect of the signals on a command.
    struct Reaction: Sendable {
        /// Asks the command to end, with the number of the signal.
        var request: @Sendable (Int32) -> Void
        /// Writes what the command knows, before it is aborted: each on a thread of its own, for ``lastTime``.
        var lastWords: @Sendable () -> [@Sendable () -> Void] = { [] }
    }

    // SAFETY: written once, by `isRunning`, before a handler that reads it is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let reaction = Mutex<Reaction?>(nil)
    /// When the first signal came, in nanoseconds of a monotonic clock; 0: none has. Handlers of several threads may run
    /// at the same time.
    private static let firstTime = Atomic<UInt64>(0)
    /// Without SIGHUP where it is ignored: nohup(1) keeps a command from ending with its terminal.
    private static let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    /// Signals within this time are one request: timeout(1) signals its child and then the group of both, a terminal that is
    /// closed SIGHUP and SIGTERM.
    private static let repetitionTime: UInt64 = 1_000_000_000
    /// How long a command may take to end, and then for its last words.
    private static let endingTime: Int32 = 10_000
    private static let lastTime = DispatchTimeInterval.seconds(1)
    /// In place of the number of a signal: one came that is no repetition.
    private static let abortion: UInt8 = 0xFF

    /// True if a thread reads the pipe, until the process ends.
    private static let isRunning: Bool = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not be the first that uses them.
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

    /// Ends the process if its command does not end when it should: it may compute without end, or wait for an event
    /// that never comes.
    private static func abort(_ reason: String) {
        guard firstTime.load(ordering: .relaxed) != 0 else { return }
        // Not even its last words can hold it.
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
            // The thread may be busy with the first one: a third ends the process in any case.
            for number in signals { signal(number, SIG_DFL) }
            RawTerminal.restore()
            byte = abortion
        }
        _ = write(writeEnd, &byte, 1)
    }

    /// True if a signal has no effect.
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

    /// Requests the end, on a separate thread, at the first SIGINT, SIGTERM or, unless it is ignored, SIGHUP. The next one
    /// aborts the command, unless it comes within a second: that is the same request. One more has its default effect.
    static func watch(_ newReaction: Reaction) {
        guard isRunning else { return }
        firstTime.store(0, ordering: .relaxed)
        reaction.withLock { $0 = newReaction }
        // Not during an abortion, whose signals have their default effect.
        for number in signals { signal(number, handler) }
    }

    /// Restores the default effect of the signals, unless one has come: the program ends, and those that are the same
    /// request must not kill it first.
    static func end() {
        reaction.withLock { $0 = nil }
        guard firstTime.load(ordering: .relaxed) == 0 else { return }
        for number in signals { signal(number, SIG_DFL) }
    }
}
