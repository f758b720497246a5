import Dispatch
import Foundation

/// Standard input, byte by byte.
package enum KeyboardInput {
    /// Ctrl-], which leaves the monitor.
    package static let leave: UInt8 = 0x1D

    /// Bytes of standard input until its end, or until `last`, which is included; `nil`: until its end.
    ///
    /// Bytes are read only on demand, so that a program with endless output has to wait.
    package static func bytes(until last: UInt8? = leave) -> AsyncStream<[UInt8]> {
        let wanted = DispatchSemaphore(value: 0)
        let input = input(until: last, when: wanted)
        return AsyncStream {
            wanted.signal()
            for await bytes in input { return bytes }
            return nil
        }
    }

    private static func input(until last: UInt8?, when wanted: DispatchSemaphore) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            // A blocking read needs a separate thread, which ends with the process.
            let thread = Thread {
                var buffer = [UInt8](repeating: 0, count: 1024)
                wanted.wait()
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    if count < 0, errno == EAGAIN {
                        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                        poll(&input, 1, -1)
                        continue
                    }
                    guard count > 0 else { break }
                    continuation.yield(Array(buffer[..<count]))
                    if let last, buffer[..<count].contains(last) { break }
                    wanted.wait()
                }
                continuation.finish()
            }
            thread.start()
        }
    }
}
