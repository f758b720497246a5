import SerialPort
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The controlling end of a pseudo-terminal, with blocking calls; ``PTYServer`` runs them on its own queues.
final class PTYController: Sendable {
    /// The path that clients open.
    let path: String
    private let descriptor: Int32
    private let readWaker: Waker
    private let writeWaker: Waker
    private let isClosing = Atomic(false)

    /// A new pseudo-terminal in raw mode, which no client has open.
    init() throws(SerialPortError) {
        var ends: (controller: Int32, terminal: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        guard openpty(&ends.controller, &ends.terminal, &name, nil, nil) == 0 else {
            throw .system(errno, port: "pty", "creating a pseudo-terminal")
        }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A client that writes before it has set its mode must get no echo.
        let status = LineSettings.makeRaw(ends.terminal)
        _ = LineSettings.setRate(SerialSettings.default.baudRate, ends.terminal)
        // From the first close on, the system tells whether a client has it open.
        _ = Self.closeDescriptor(ends.terminal)
        guard status == 0, let readWaker = Waker(), let writeWaker = Waker() else {
            _ = Self.closeDescriptor(ends.controller)
            throw .system(status == 0 ? EMFILE : status, port: path, "setting a pseudo-terminal up")
        }
        self.path = path
        descriptor = ends.controller
        self.readWaker = readWaker
        self.writeWaker = writeWaker
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

    /// Whether a client has the terminal open, or has left bytes in it.
    var hasClient: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) >= 0 else { return false }
        return entry.revents & Int16(POLLIN) != 0 || entry.revents & Int16(POLLHUP) == 0
    }

    /// The rate that the client has set; `nil` if it cannot be known.
    var rate: Int? { LineSettings.rate(descriptor) }

    /// Waits for bytes of the client; `nil` when it has closed the terminal or ``beginClosing()`` was called.
    func read() throws(SerialPortError) -> [UInt8]? {
        while !isClosing.load(ordering: .acquiring) {
            var number: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                count = Self.readDescriptor(descriptor, buffer)
                number = count < 0 ? errno : 0
                count = max(0, count)
            }
            if !bytes.isEmpty { return bytes }
            switch number {
            case EAGAIN, EINTR: break
            // The client has closed it: EIO on Linux, the end of the stream elsewhere.
            case 0, EIO: return nil
            default: throw .system(number, port: path, "reading")
            }
            switch readWaker.wait(for: POLLIN, on: descriptor, within: nil) {
            case .hungUp: return nil
            case .failed(let number): throw .system(number, port: path, "waiting for bytes")
            case .ready, .woken, .timedOut: continue
            }
        }
        return nil
    }

    private static func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Writes all of `bytes`; waits while the client does not read.
    ///
    /// - Returns: whether the client was there until the last byte.
    func write(_ bytes: [UInt8]) throws(SerialPortError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            if isClosing.load(ordering: .acquiring) { return false }
            let count = rest.withUnsafeBytes { Self.writeDescriptor(descriptor, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard errno == EAGAIN || errno == EINTR else {
                if errno == EIO { return false }
                throw .system(errno, port: path, "writing")
            }
            switch writeWaker.wait(for: POLLOUT, on: descriptor, within: nil) {
            case .hungUp: return false
            case .failed(let number): throw .system(number, port: path, "waiting to write")
            case .ready, .woken, .timedOut: continue
            }
        }
        return true
    }

    private static func writeDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Discards output that no client has read, so that the next one does not get it.
    func discardOutput() { _ = tcflush(descriptor, TCOFLUSH) }

    /// Ends all waits.
    func beginClosing() {
        guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        readWaker.wake()
        writeWaker.wake()
    }

    deinit { _ = Self.closeDescriptor(descriptor) }
}
