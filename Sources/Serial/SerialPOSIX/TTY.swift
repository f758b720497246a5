internal import SerialPort
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open tty with blocking calls; ``POSIXSerialPort`` runs them on its own queues.
final class TTY: Sendable {
    /// A write without progress for this time has failed.
    static let writeLimit: Duration = .seconds(10)

    let path: String
    let hasModemLines: Bool
    private let descriptor: Int32
    private let readWaker: Waker
    private let writeWaker: Waker
    private let isClosing = Atomic(false)

    /// Opens and sets up the tty at `path`.
    init(path: String, settings: SerialSettings) throws(SerialPortError) {
        let opened = try Self.open(path, settings)
        self.path = path
        descriptor = opened.descriptor
        hasModemLines = opened.hasModemLines
        readWaker = opened.readWaker
        writeWaker = opened.writeWaker
    }

    private struct Opened {
        let descriptor: Int32
        let hasModemLines: Bool
        let readWaker: Waker
        let writeWaker: Waker
    }

    private static func open(_ path: String, _ settings: SerialSettings) throws(SerialPortError) -> Opened {
        guard let readWaker = Waker(), let writeWaker = Waker() else {
            throw SerialPortError(.system, port: path, "opening: there are no file descriptors left")
        }
        let descriptor = openDescriptor(path)
        guard descriptor >= 0 else { throw .busy(path, errno, "opening") }
        do throws(SerialPortError) {
            let hasModemLines = try setUp(descriptor, path, settings)
            return Opened(
                descriptor: descriptor, hasModemLines: hasModemLines, readWaker: readWaker, writeWaker: writeWaker)
        } catch {
            _ = closeDescriptor(descriptor)
            throw error
        }
    }

    private static func openDescriptor(_ path: String) -> Int32 {
        // O_NONBLOCK: do not wait for the modem's carrier. O_NOCTTY: Ctrl-C on the line must not end the program.
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        #if canImport(Glibc)
            return Glibc.open(path, flags)
        #else
            return Darwin.open(path, flags)
        #endif
    }

    private static func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

    private static func setUp(
        _ descriptor: Int32, _ path: String, _ settings: SerialSettings
    ) throws(SerialPortError) -> Bool {
        guard isatty(descriptor) == 1 else { throw .system(ENOTTY, port: path, "opening") }
        // Two locks: TIOCEXCL excludes other programs except those of root; flock excludes espbench and pyserial.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path, errno, "locking") }
        _ = ioctl(descriptor, UInt(TIOCEXCL))
        // The kernel has asserted both lines. This pulls neither EN nor IO0 of a board low, and deasserting both in one
        // step pulls neither low.
        let hasModemLines = LineSettings.modemBits(descriptor) != nil
        if hasModemLines {
            let lines = ModemLines(dtr: settings.hasHardwareFlowControl, rts: settings.hasHardwareFlowControl)
            let status = LineSettings.setModemLines(lines, descriptor)
            guard status == 0 else { throw .system(status, port: path, "setting DTR and RTS") }
        }
        let status = LineSettings.makeRaw(descriptor, hasHardwareFlowControl: settings.hasHardwareFlowControl)
        guard status == 0 else { throw .system(status, port: path, "setting the line up") }
        LineSettings.setLowLatency(descriptor)
        #if os(Linux)
            LatencyTimer.shorten(path)
        #endif
        try setRate(settings, descriptor, path)
        _ = tcflush(descriptor, TCIFLUSH)
        return hasModemLines
    }

    private static func setRate(
        _ settings: SerialSettings, _ descriptor: Int32, _ path: String
    ) throws(SerialPortError) {
        let status = LineSettings.setRate(settings.baudRate, descriptor)
        guard status == 0 else {
            if status == EINVAL {
                throw SerialPortError(
                    .unsupported, port: path, "it has no rate of \(settings.baudRate) bits per second")
            }
            throw .system(status, port: path, "setting the rate")
        }
    }

    // MARK: Calls of the reading queue

    /// Waits for bytes; empty after the time-out or when `isCancelled`.
    func read(
        upTo maximum: Int, within timeout: Duration?, isCancelled: () -> Bool
    ) throws(SerialPortError) -> [UInt8] {
        guard maximum > 0 else { return [] }
        let clock = ContinuousClock()
        let deadline = timeout.map { clock.now + $0 }
        while !isCancelled() {
            try checkOpen()
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: min(maximum, 65_536)) { buffer, count in
                let result = Self.readDescriptor(descriptor, buffer)
                failure = errno
                count = max(0, result)
                if result >= 0 { failure = 0 }
            }
            if !bytes.isEmpty { return bytes }
            // An empty tty fails with EAGAIN; the end of the stream means that the device was removed.
            if failure == 0 { throw .disconnected(path) }
            guard failure == EAGAIN || failure == EINTR else { throw .system(failure, port: path, "reading") }
            let remaining = deadline.map { clock.now.duration(to: $0) }
            if let remaining, remaining <= .zero { return [] }
            switch readWaker.wait(for: POLLIN, on: descriptor, within: remaining) {
            case .ready, .woken, .timedOut: continue
            case .hungUp: throw .disconnected(path)
            case .failed(let number): throw .system(number, port: path, "waiting for bytes")
            }
        }
        return []
    }

    private static func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Ends a waiting read.
    func wakeReader() { readWaker.wake() }

    // MARK: Calls of the writing queue

    /// Discards received bytes.
    func discardInput() throws(SerialPortError) {
        try checkOpen()
        guard tcflush(descriptor, TCIFLUSH) == 0 else { throw .system(errno, port: path, "dropping input") }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(SerialPortError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try checkOpen()
            let count = rest.withUnsafeBytes { Self.writeDescriptor(descriptor, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { throw .system(errno, port: path, "writing") }
            switch writeWaker.wait(for: POLLOUT, on: descriptor, within: Self.writeLimit) {
            case .ready, .woken: continue
            case .hungUp: throw .disconnected(path)
            case .timedOut:
                throw SerialPortError(
                    .system, port: path, "writing: \(rest.count) bytes were not accepted within \(Self.writeLimit)")
            case .failed(let number): throw .system(number, port: path, "waiting to write")
            }
        }
    }

    private static func writeDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Changes the rate after pending output has been sent.
    func configure(_ settings: SerialSettings) throws(SerialPortError) {
        try checkOpen()
        try Self.setRate(settings, descriptor, path)
    }

    /// Sets both modem lines at once.
    func setModemLines(_ lines: ModemLines) throws(SerialPortError) {
        try checkOpen()
        guard hasModemLines else { return }
        let status = LineSettings.setModemLines(lines, descriptor)
        guard status == 0 else { throw .system(status, port: path, "setting DTR and RTS") }
    }

    // MARK: Closing

    /// Ends all waits; every call from now on fails.
    ///
    /// - Returns: true for the first call; its caller must call ``release()`` when no other call is running.
    func beginClosing() -> Bool {
        guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        readWaker.wake()
        writeWaker.wake()
        return true
    }

    /// Closes the descriptor.
    func release() {
        // Unlock explicitly: a forked child process that has not yet run its program shares the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        _ = Self.closeDescriptor(descriptor)
    }

    private func checkOpen() throws(SerialPortError) {
        if isClosing.load(ordering: .acquiring) { throw .closed(path) }
    }
}
