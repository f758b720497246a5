import Foundation
import Synchronization

/// Passes changes of the terminal's window size (SIGWINCH) from the signal handler to a thread.
package enum WindowChanges {
    // SAFETY: written once, by `isRunning`, before the handler that reads it is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// True if a thread reads the pipe, until the process ends.
    private static let isRunning: Bool = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A full pipe needs no further byte, since a change is already pending.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        writeEnd = ends[1]
        let readEnd = ends[0]
        Thread {
            var byte: UInt8 = 0
            while true {
                let count = read(readEnd, &byte, 1)
                if count == 1 { action.withLock { $0 }?() }
                if count == 0 || count < 0 && errno != EINTR { return }
            }
        }.start()
        return true
    }()

    private static let handler: @convention(c) (Int32) -> Void = { _ in
        let formerError = errno
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
        errno = formerError
    }

    /// Calls `newAction` on a separate thread after each change, until ``end()``.
    package static func watch(_ newAction: @escaping @Sendable () -> Void) {
        guard isRunning else { return }
        action.withLock { $0 = newAction }
        signal(SIGWINCH, handler)
    }

    /// Ends ``watch(_:)``.
    package static func end() {
        signal(SIGWINCH, SIG_DFL)
        action.withLock { $0 = nil }
    }
}

/// The size of a terminal, in columns and lines.
package struct TerminalSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
