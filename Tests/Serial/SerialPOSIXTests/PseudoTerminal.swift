import Dispatch
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The master side of a pseudo-terminal.
final class PseudoTerminal: Sendable {
    /// The path of the tty.
    let path: String
    let master: Int32

    init() throws {
        var ends: (master: Int32, slave: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        try #require(openpty(&ends.master, &ends.slave, &name, nil, nil) == 0)
        master = ends.master
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = close(ends.slave)
    }

    func send(_ bytes: [UInt8]) {
        #expect(write(master, bytes, bytes.count) == bytes.count)
    }

    /// Exactly `count` bytes; waits on a separate thread, since those of the pool may all be busy.
    func receive(_ count: Int) async -> [UInt8] {
        await startReceiving(count).reduce([], +)
    }

    /// Starts reading exactly `count` bytes before it returns, and yields them in one piece: a writer that fills the
    /// system's buffer needs a running reader, and a child task may have to wait for a thread.
    func startReceiving(_ count: Int) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        DispatchQueue(label: "pseudo-terminal").async {
            continuation.yield(self.receiveNow(count))
            continuation.finish()
        }
        return stream
    }

    private func receiveNow(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(300)
        while result.count < count {
            var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            // A generous limit: missing bytes fail the test instead of blocking it.
            guard poll(&entry, 1, 300_000) == 1 else { break }
            let got = read(master, &buffer, min(buffer.count, count - result.count))
            if got < 0, errno == EIO, clock.now < deadline {
                // Between two programs that have the tty open.
                usleep(2000)
                continue
            }
            guard got > 0 else { break }
            result += buffer.prefix(got)
        }
        return result
    }

    func unplug() { _ = close(master) }

    #if canImport(Glibc)
        /// The rate of the tty, from Linux's `struct termios2`.
        func rate() throws -> UInt32 {
            var words = [UInt32](repeating: 0, count: 11)
            try #require(ioctl(master, 0x802C_542A, &words) == 0)
            return words[10]
        }
    #endif
}
