import Dispatch
public import SerialPort
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Offers a serial port to one client at a time as a pseudo-terminal, for programs that want the path of a tty.
///
/// A pseudo-terminal has no modem lines: a client cannot reset the board through it. Each client opens the port again.
/// If the port cannot be opened or is lost while a client has the terminal open, the client only gets a line with the
/// reason.
public final class PTYServer: Sendable {
    /// The interval of checking whether a client has opened the terminal, on systems that do not report it.
    private static let openingInterval = Duration.milliseconds(20)

    /// How long output is held for a client that has just opened the terminal, unless it sends something: programs
    /// discard all input after opening the terminal, and would lose the bytes that the port had buffered.
    private static let openingTime = Duration.milliseconds(200)

    /// The path for clients.
    public let path: String
    private let controller: PTYController
    private let clock: any Clock<Duration>
    private let readQueue = DispatchQueue(label: "pty, reading")
    private let writeQueue = DispatchQueue(label: "pty, writing")
    private let log: @Sendable (String) -> Void
    private let stopping: (stream: AsyncStream<Never>, continuation: AsyncStream<Never>.Continuation)

    /// Creates the pseudo-terminal; clients are served while ``run(opening:)`` runs.
    ///
    /// - Parameters:
    ///   - clock: the time of clients.
    ///   - log: receives one line per client that connects, disconnects or is refused; called on any thread.
    /// - Throws: ``SerialPortError`` with code `system` when there are no pseudo-terminals left.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), log: @escaping @Sendable (String) -> Void
    ) throws(SerialPortError) {
        let controller = try PTYController()
        self.controller = controller
        self.clock = clock
        path = controller.path
        self.log = { [path = controller.path] in log("\(path): \($0)") }
        stopping = AsyncStream.makeStream()
    }

    /// Serves clients until the task is cancelled or ``stop()`` is called.
    ///
    /// - Parameter open: opens the port for one client.
    public func run(opening open: @escaping @Sendable () async throws -> any SerialPort) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.serveAll(open) }
            group.addTask {
                for await _ in self.stopping.stream {}
            }
            await group.next()
            controller.beginClosing()
            group.cancelAll()
        }
    }

    /// Ends ``run(opening:)``. Idempotent.
    public func stop() {
        stopping.continuation.finish()
    }

    private func serveAll(_ open: @Sendable () async throws -> any SerialPort) async {
        // Bytes that a client has sent before the port could be opened.
        var pending: [UInt8] = []
        let openings = PathEvents.stream(of: .opening, at: path)
        var opening = openings?.makeAsyncIterator()
        while !Task.isCancelled {
            guard !pending.isEmpty || controller.hasClient else {
                if opening == nil {
                    try? await clock.sleep(for: Self.openingInterval)
                } else {
                    _ = await opening?.next()
                }
                continue
            }
            do {
                let port = try await open()
                log("client connected")
                let end = await serve(port, pending)
                log("client disconnected: \(end.reason)")
                pending = end.pending
            } catch {
                log("refused a client: \(error)")
                pending = await refuse("refused: \(error)")
            }
            if pending.isEmpty { controller.discardOutput() }
        }
    }

    /// Writes `reason` to the client, and waits until the client closes the terminal or sends bytes; the port is then
    /// tried again. Returns these bytes.
    private func refuse(_ reason: String) async -> [UInt8] {
        _ = try? await write(Array("espbench: \(reason)\r\n".utf8))
        if Task.isCancelled { return [] }
        let bytes = try? await read()
        return bytes.flatMap { $0 } ?? []
    }

    /// Serves the client, which has sent `pending`; returns the reason for the end. The returned bytes are always
    /// empty: the next bytes of the client after a loss of the port are discarded.
    private func serve(_ port: any SerialPort, _ pending: [UInt8]) async -> (reason: String, pending: [UInt8]) {
        let (opened, hasOpened) = AsyncStream.makeStream(of: Never.self)
        return await withTaskGroup(of: (reason: String, isClient: Bool).self) { group in
            group.addTask {
                defer { hasOpened.finish() }
                do {
                    try await self.forwardToPort(port, pending) { hasOpened.finish() }
                    return ("it closed the terminal", true)
                } catch {
                    return (Self.text(error), false)
                }
            }
            group.addTask {
                do {
                    try await self.forwardToClient(port, opened)
                    return ("it closed the terminal", true)
                } catch {
                    return (Self.text(error), false)
                }
            }
            let first = await group.next() ?? ("ended", true)
            await port.close()
            if first.isClient || Task.isCancelled {
                group.cancelAll()
                await group.waitForAll()
                return (first.reason, [])
            }
            // The port failed. If reading from it failed, the other direction still reads from the client: it ends with
            // the client's next bytes, or when the client closes the terminal.
            _ = try? await write(Array("espbench: lost the port: \(first.reason)\r\n".utf8))
            await group.waitForAll()
            return (first.reason, [])
        }
    }

    private static func text(_ error: any Error) -> String {
        (error as? SerialPortError)?.detail ?? (error is CancellationError ? "the server stopped" : "\(error)")
    }

    /// Calls `hasOpened` when the client sends bytes.
    private func forwardToPort(
        _ port: any SerialPort, _ pending: [UInt8], hasOpened: () -> Void
    ) async throws {
        var rate = controller.rate
        if let rate { try await port.configure(SerialSettings(baudRate: rate)) }
        if !pending.isEmpty {
            hasOpened()
            try await port.write(pending)
        }
        while let bytes = try await read() {
            hasOpened()
            let current = controller.rate
            if let current, current != rate { try await port.configure(SerialSettings(baudRate: current)) }
            rate = current
            try await port.write(bytes)
        }
    }

    private func forwardToClient(_ port: any SerialPort, _ opened: AsyncStream<Never>) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.clock.sleep(for: Self.openingTime) }
            group.addTask { for await _ in opened {} }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        while try await write(port.read(upTo: 16_384, within: nil)) {}
    }

    private func read() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            readQueue.async { [controller] in continuation.resume(with: Result { try controller.read() }) }
        }
    }

    private func write(_ bytes: [UInt8]) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            writeQueue.async { [controller] in continuation.resume(with: Result { try controller.write(bytes) }) }
        }
    }
}

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
        // A client that writes before it has set the terminal's mode must not get an echo.
        let status = LineSettings.makeRaw(ends.terminal)
        _ = LineSettings.setRate(SerialSettings.default.baudRate, ends.terminal)
        // After the first close, the system reports whether a client has the terminal open.
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

    /// True if a client has the terminal open, or has left bytes in it.
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
            // The client has closed the terminal: EIO on Linux, the end of the stream elsewhere.
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
    /// - Returns: true if the client had the terminal open until the last byte.
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

/// A symbolic link by which programs find a pseudo-terminal under a name that does not change.
public struct PortLink: Sendable {
    /// The path of the link.
    public let path: String
    private let target: String

    /// Creates the link, or replaces a link to a device; keeps any other file.
    ///
    /// - Throws: ``SerialPortError``: ``SerialPortError/Code/linkTaken`` when `path` is a file other than such a link,
    ///   otherwise `system`.
    public init(_ path: String, to target: String) throws(SerialPortError) {
        if let former = SystemFiles.link(path), former.hasPrefix("/dev/") { _ = unlink(path) }
        guard symlink(target, path) == 0 else {
            let number = errno
            guard number == EEXIST else {
                throw SerialPortError(
                    .system, port: path, "creating a link to \(target): \(String(cString: strerror(number)))")
            }
            throw SerialPortError(
                .linkTaken, port: path, "expected no file or a link to a device, found another file; it is kept")
        }
        self.path = path
        self.target = target
    }

    /// Removes the link, unless it has been replaced meanwhile.
    public func remove() {
        if SystemFiles.link(path) == target { _ = unlink(path) }
    }
}

extension SerialPortError.Code {
    /// Another file exists at the path of the link to the port.
    public static let linkTaken = SerialPortError.Code(rawValue: "linkTaken")
}
