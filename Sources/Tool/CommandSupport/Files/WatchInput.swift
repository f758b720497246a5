import Foundation

/// The events that wake a watching command: changes, keys, and the request to end.
package final class WatchInput {
    /// The reason for waking up.
    package enum Event: Equatable {
        /// Files may have changed.
        case change
        /// A key was pressed.
        case key(UInt8)
        /// No event until the given time.
        case timeout
        /// The command has to end.
        case interrupted
    }

    private let watcher: any FolderWatcher
    private let interruption: Interruption
    /// The source of keys, until its end; `nil`: no keys.
    private var keyboard: Int32?
    private let requests: Pipe

    /// Input of a command that `interruption` ends.
    package init(_ watcher: any FolderWatcher, keyboard: Int32?, _ interruption: Interruption) {
        self.watcher = watcher
        self.keyboard = keyboard
        self.interruption = interruption
        requests = Pipe()
    }

    /// Waits for the next event. With a timeout, waits at most that long and ignores keys, which stay for the next
    /// call.
    package func next(within timeout: Duration? = nil) -> Event {
        let writeEnd = requests.fileHandleForWriting.fileDescriptor
        interruption.whenRequested {
            var byte: UInt8 = 0
            _ = write(writeEnd, &byte, 1)
        }
        defer { interruption.whenRequested {} }
        let milliseconds = timeout.map { max(0, $0 / .milliseconds(1)).rounded(.up) } ?? -1
        while true {
            var inputs = [
                pollfd(fd: requests.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: timeout == nil ? keyboard ?? -1 : -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&inputs, nfds_t(inputs.count), Int32(milliseconds))
            if interruption.reason != nil { return .interrupted }
            if count == 0 { return .timeout }
            guard count > 0 else { continue }
            if inputs[1].revents != 0 {
                watcher.drain()
                return .change
            }
            if inputs[2].revents != 0, let descriptor = keyboard {
                var key: UInt8 = 0
                if read(descriptor, &key, 1) == 1 { return .key(key) }
                // The keyboard's input has ended.
                keyboard = nil
            }
        }
    }
}
