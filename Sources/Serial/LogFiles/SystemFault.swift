#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error of the operating system.
package struct SystemFault: Error, Hashable, CustomStringConvertible {
    /// Writes all bytes.
    package typealias Writer = @Sendable ([UInt8]) throws(SystemFault) -> Void

    /// The `errno`.
    package var number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of the last system call.
    package static var last: SystemFault { SystemFault(errno) }

    /// The system's text, e.g. "No space left on device".
    package var description: String { String(cString: strerror(number)) }

    /// Writes all `bytes` to `descriptor`; waits if it would block.
    ///
    /// - Returns: the number of bytes written before the error, and the error; `nil` if all were written.
    package static func writing(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, fault: SystemFault)? {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Self.poll(&poll)
            } else if errno != EINTR {
                return (done, last)
            }
        }
        return nil
    }

    private static func poll(_ descriptor: inout pollfd) -> Int32 {
        #if canImport(Glibc)
            Glibc.poll(&descriptor, 1, -1)
        #else
            Darwin.poll(&descriptor, 1, -1)
        #endif
    }
}
