public import SerialPort
import MonotonicTime
import BenchExecutor

/// The client's side of a virtual board's serial port; time-outs and pauses use the bench's clock.
///
/// Unread bytes are buffered up to ``BoardPort/inputLimit``; then the oldest are lost, as in a UART's driver. The
/// line's backlog is read first. A client with modem lines receives the backlog when it has finished opening the port,
/// that is, when it writes, resets the board, or has changed no settings for ``openingTime``: pyserial discards all
/// input at the end of its `open()`.
public actor BoardPort: SerialPort {
    /// The largest number of unread bytes.
    public static let inputLimit = 1 << 20

    /// The longest time between two steps of a client that opens the port.
    static let openingTime = Duration.milliseconds(500)

    private struct Reader {
        let id: UInt64
        let maximum: Int
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    /// The port's name in messages.
    public nonisolated let name: String
    /// True if DTR and RTS reach the board.
    public nonisolated let hasModemLines: Bool
    /// The board may enter download mode when it receives a SYNC.
    public nonisolated var traits: PortTraits { PortTraits(resetsItself: resetsItself) }
    private nonisolated let resetsItself: Bool
    /// The executor of the bench.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private nonisolated let executor: BenchExecutor
    private let line: BoardLine
    private let owner: any BoardLineOwner
    /// Output of the board before the port was opened.
    public nonisolated let backlog: LineBacklog
    private var input: [UInt8] = []
    /// Runs while the client is opening the port; `nil`: it is open.
    private var opening: Alarm?
    private var reader: Reader?
    private var nextReaderID: UInt64 = 0
    private var isClosed = false

    init(
        _ name: String, hasModemLines: Bool, resetsItself: Bool, backlog: LineBacklog, line: BoardLine,
        owner: any BoardLineOwner
    ) {
        self.resetsItself = resetsItself && !hasModemLines
        self.name = name
        self.hasModemLines = hasModemLines
        self.backlog = backlog
        self.line = line
        self.owner = owner
        executor = line.executor
        if hasModemLines, !backlog.bytes.isEmpty {
            opening = Alarm(executor)
            executor.post { [weak self] in self?.assumeIsolated { $0.extendOpening() } }
        } else {
            input = backlog.bytes
        }
    }

    /// Restarts the time for opening the port, if the client has not finished.
    private func extendOpening() {
        opening?.set(
            executor.now.advanced(by: Self.openingTime),
            { [weak self] in
                self?.assumeIsolated { port in
                    port.opening?.fired()
                    port.finishOpening()
                }
            })
    }

    private func finishOpening() {
        guard var alarm = opening else { return }
        alarm.cancel()
        opening = nil
        let live = input
        input = []
        deliver(backlog.bytes + live)
    }

    private var closedError: SerialPortError { SerialPortError(.disconnected, port: name, "the port is closed") }

    private func checkOpen() throws {
        if isClosed { throw closedError }
    }

    /// Receives bytes of the board.
    func deliver(_ bytes: [UInt8]) {
        guard !isClosed, !bytes.isEmpty else { return }
        if let reader, input.isEmpty, opening == nil {
            self.reader = nil
            input.append(contentsOf: bytes.dropFirst(reader.maximum))
            reader.continuation.resume(returning: Array(bytes.prefix(reader.maximum)))
            return
        }
        input.append(contentsOf: bytes)
        if input.count > Self.inputLimit { input.removeFirst(input.count - Self.inputLimit) }
    }

    /// Waits for at least one byte; see ``SerialPort/read(upTo:within:)``.
    public func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try checkOpen()
        if !input.isEmpty, opening == nil {
            let bytes = Array(input.prefix(maximum))
            input.removeFirst(bytes.count)
            return bytes
        }
        if maximum <= 0 || timeout.map({ $0 <= .zero }) == true { return [] }
        guard reader == nil else {
            throw SerialPortError(.busy, port: name, "expected one reader at a time, got a second")
        }
        nextReaderID += 1
        let id = nextReaderID
        var timer: BenchExecutor.Event?
        if let timeout {
            timer = executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                self?.assumeIsolated { $0.endRead(id, with: .success([])) }
            }
        }
        let bytes = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[UInt8], any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    reader = Reader(id: id, maximum: maximum, continuation: continuation)
                }
            }
        } onCancel: {
            executor.post { [weak self] in
                self?.assumeIsolated { $0.endRead(id, with: .failure(CancellationError())) }
            }
        }
        // An expired timer returns no bytes, and must not be cancelled.
        if let timer, !bytes.isEmpty { executor.cancel(timer) }
        return bytes
    }

    private func endRead(_ id: UInt64, with result: Result<[UInt8], any Error>) {
        guard let waiting = reader, waiting.id == id else { return }
        reader = nil
        waiting.continuation.resume(with: result)
    }

    /// Sends `bytes` to the board.
    public func write(_ bytes: [UInt8]) async throws {
        try checkOpen()
        finishOpening()
        await owner.lineReceived(bytes, hasModemLines: !resetsItself)
    }

    /// Discards unread bytes.
    public func discardInput() async throws {
        try checkOpen()
        extendOpening()
        input.removeAll()
    }

    /// Accepts any rate: this line transports whole bytes. The ROM's loader measures it.
    public func configure(_ settings: SerialSettings) async throws {
        try checkOpen()
        extendOpening()
        await owner.lineConfigured(baudRate: settings.baudRate)
    }

    /// Sets DTR and RTS in one step. A client that resets the board has opened the port: earlier output of the board
    /// comes first.
    public func setModemLines(_ lines: ModemLines) async throws {
        try checkOpen()
        if lines.rts, !lines.dtr { finishOpening() } else { extendOpening() }
        if hasModemLines { await owner.lineChanged(lines) }
    }

    /// Suspends for `duration` on the bench's clock.
    public func pause(for duration: Duration) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }

    /// Releases the line; the next client may open it.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        let unread = opening == nil ? nil : input
        finishOpening()
        reader?.continuation.resume(throwing: closedError)
        reader = nil
        await line.closed(self, unread: unread)
        await owner.lineClosed(hasModemLines: !resetsItself)
    }
}
