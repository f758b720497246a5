public import SerialPort
import MonotonicTime
import BenchExecutor

/// The serial port of a virtual board as its client has it; time-outs and pauses pass on the bench's clock.
///
/// Bytes that nobody reads are kept up to ``BoardPort/inputLimit``; then the oldest are lost, as in a UART's driver.
/// What was kept for the client is read first. A client with modem lines gets it once it is done with opening the port,
/// when it writes or has changed nothing for ``openingTime``: pyserial drops all input at the end of its `open()`.
public actor BoardPort: SerialPort {
    /// The most bytes that wait to be read.
    public static let inputLimit = 1 << 20

    /// How long a client that opens the port may take from one step to the next.
    static let openingTime = Duration.milliseconds(500)

    private struct Reader {
        let id: UInt64
        let maximum: Int
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    /// What the port is called in messages.
    public nonisolated let name: String
    /// Whether DTR and RTS reach the board.
    public nonisolated let hasModemLines: Bool
    /// The executor of the bench.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private nonisolated let executor: BenchExecutor
    private let line: BoardLine
    private let owner: any BoardLineOwner
    /// What was printed before the port was opened.
    public nonisolated let backlog: LineBacklog
    private var input: [UInt8] = []
    /// Until when the client is taken to be opening the port; `nil`: it is open.
    private var opening: Alarm?
    private var reader: Reader?
    private var nextReaderID: UInt64 = 0
    private var isClosed = false

    init(
        _ name: String, hasModemLines: Bool, backlog: LineBacklog, line: BoardLine, owner: any BoardLineOwner
    ) {
        self.name = name
        self.hasModemLines = hasModemLines
        self.backlog = backlog
        self.line = line
        self.owner = owner
        executor = line.executor
        if hasModemLines, !backlog.bytes.isEmpty {
            opening = Alarm(executor)
            executor.post { [weak self] in self?.assumeIsolated { $0.keepOpening() } }
        } else {
            input = backlog.bytes
        }
    }

    /// Gives the client some more time to open the port, if it is still at it.
    private func keepOpening() {
        opening?.set(executor.now.advanced(by: Self.openingTime)) { [weak self] in
            self?.assumeIsolated { port in
                port.opening?.fired()
                port.endOpening()
            }
        }
    }

    private func endOpening() {
        guard var alarm = opening else { return }
        alarm.set(nil) {}
        opening = nil
        let live = input
        input = []
        deliver(backlog.bytes + live)
    }

    private var closedError: SerialPortError { SerialPortError(.disconnected, port: name, "the port is closed") }

    private func checkOpen() throws {
        if isClosed { throw closedError }
    }

    /// Bytes that the board sent.
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

    /// Waits until at least one byte has come; see ``SerialPort/read(upTo:within:)``.
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
        // A timer that ran gave no bytes; it must not be cancelled then.
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
        endOpening()
        await owner.lineReceived(bytes, hasModemLines: hasModemLines)
    }

    /// Drops bytes that have come and were not read.
    public func discardInput() async throws {
        try checkOpen()
        keepOpening()
        input.removeAll()
    }

    /// Accepts any rate: bytes cross this line whole.
    public func configure(_ settings: SerialSettings) async throws {
        try checkOpen()
        keepOpening()
    }

    /// Sets DTR and RTS in one step.
    public func setModemLines(_ lines: ModemLines) async throws {
        try checkOpen()
        keepOpening()
        if hasModemLines { await owner.lineChanged(lines) }
    }

    /// Suspends for `duration` of the bench's clock.
    public func pause(for duration: Duration) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }

    /// Gives the line back; the next client may open it.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        let unread = opening == nil ? nil : input
        endOpening()
        reader?.continuation.resume(throwing: closedError)
        reader = nil
        await line.closed(self, unread: unread)
        await owner.lineLeft(hasModemLines: hasModemLines)
    }
}
