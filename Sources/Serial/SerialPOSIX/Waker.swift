#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a thread that waits for a file descriptor, by a pipe that the thread polls too.
final class Waker: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    /// - Returns: `nil` when there are no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }

    /// Ends the current wait, or else the next one. Safe from any thread.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Why a wait ended.
    enum Outcome {
        case ready
        case hungUp
        case woken
        case timedOut
        case failed(Int32)
    }

    /// Blocks until `descriptor` is ready for `events`, ``wake()`` is called, or `timeout` has passed; `nil` waits
    /// without limit.
    func wait(for events: Int32, on descriptor: Int32, within timeout: Duration?) -> Outcome {
        var entries = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, timeout.map(Self.milliseconds) ?? -1)
        guard count >= 0 else { return errno == EINTR ? .woken : .failed(errno) }
        if entries[1].revents != 0 {
            var drain = [UInt8](repeating: 0, count: 16)
            while read(readEnd, &drain, drain.count) > 0 {}
        }
        if entries[0].revents & Int16(events) != 0 { return .ready }
        if entries[0].revents != 0 { return .hungUp }
        return entries[1].revents != 0 ? .woken : .timedOut
    }

    /// Rounded up, so that a wait never ends early; at most some days.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        guard duration > .zero else { return 0 }
        let (seconds, attoseconds) = duration.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
