import Dispatch
public import SerialPort

/// Offers a serial port to one client at a time as a pseudo-terminal, for programs that want the path of a tty.
///
/// A pseudo-terminal has no modem lines: a client cannot reset the board by it. Each client opens the port anew. While
/// a client has the terminal open and the port cannot be opened or is lost, the client gets a line with the reason and
/// nothing else.
public final class PTYServer: Sendable {
    /// How often it is checked whether a client has opened the terminal, where the system does not tell.
    private static let openingInterval = Duration.milliseconds(20)

    /// How long output is held for a client that has just opened the terminal, unless it sends something: programs discard
    /// all input at the end of their opening, and would lose what the port had buffered.
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
        // What a client has sent before the port could be opened.
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

    /// Writes `reason` to the client, and waits until it has closed the terminal, or sends something: then the port is
    /// tried again. Returns that.
    private func refuse(_ reason: String) async -> [UInt8] {
        _ = try? await write(Array("espbench: \(reason)\r\n".utf8))
        if Task.isCancelled { return [] }
        let bytes = try? await read()
        return bytes.flatMap { $0 } ?? []
    }

    /// Serves the client, which has sent `pending`; returns why it ended, and what the client has sent since then.
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
            // The other direction still reads from the client, if it was the port's that failed: it ends with the
            // client's next bytes, or when the client has closed the terminal.
            _ = try? await write(Array("espbench: lost the port: \(first.reason)\r\n".utf8))
            await group.waitForAll()
            return (first.reason, [])
        }
    }

    private static func text(_ error: any Error) -> String {
        (error as? SerialPortError)?.detail ?? (error is CancellationError ? "the server stopped" : "\(error)")
    }

    /// Calls `hasOpened` when the client sends something.
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
