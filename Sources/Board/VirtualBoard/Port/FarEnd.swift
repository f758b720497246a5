import BenchExecutor
import MonotonicTime
import SerialPort

/// The device at one of the chip's UARTs beside the console: it sends at the rate of the UART, and may watch its RTS
/// and drive its CTS. A pure state machine.
struct FarEnd {
    /// The most bytes that wait to be sent: more than a suite's largest pattern.
    static let queueLimit = 16 << 20
    /// The most bytes that arrive at the chip at once: 1.4 ms at 115,200 baud, and together with those that make its
    /// receiver ask for a pause fewer than its FIFO has.
    private static let chunkSize = 16

    /// True if it sends only while the chip's RTS asks for it; without that wire it sends whenever it has something.
    var watchesRTS = false {
        didSet { schedule() }
    }
    /// True if the chip's RTS asks for bytes; without an open UART that drives it the line is not active.
    private var isReady = false
    /// True if it gives CTS to the chip.
    private(set) var isClearToSend = true
    /// True if the chip waits for CTS.
    private var chipWatchesCTS = false
    private var rate: UInt64 = 0

    /// Bytes to send.
    private var queue: [UInt8] = []
    private var sent = 0
    /// The bytes that are on the line, and when the last of them has arrived.
    private var onLine: (bytes: ArraySlice<UInt8>, arrival: MonotonicInstant)?
    private var lineEnd = MonotonicInstant.zero
    private var now = MonotonicInstant.zero

    /// Bytes that the chip has put into its transmitter.
    private var output = ConsoleQueue()
    private var heldOutput: [UInt8] = []

    /// How many bytes it has not begun to send.
    var queuedCount: Int { queue.count - sent }

    /// When ``arrived(at:)`` or ``received(at:)`` has something.
    var nextDeadline: MonotonicInstant? { .earliest(onLine?.arrival, isHolding ? nil : output.nextDeadline) }

    private var isHolding: Bool { chipWatchesCTS && !isClearToSend }

    // MARK: To the chip

    /// Appends bytes to what it sends.
    ///
    /// - Returns: whether they fit into ``queueLimit``; if not, none was appended.
    mutating func send(_ bytes: [UInt8], at now: MonotonicInstant) -> Bool {
        guard queuedCount + bytes.count <= Self.queueLimit else { return false }
        if sent == queue.count {
            queue.removeAll(keepingCapacity: true)
            sent = 0
        }
        queue += bytes
        self.now = now
        schedule()
        return true
    }

    /// The chip's UART was opened at a rate of bits per second, or closed (0).
    mutating func open(rate: Int, at now: MonotonicInstant) {
        self.rate = UInt64(max(0, rate))
        self.now = now
        // A UART without flow control leaves the line as it is.
        if rate == 0 { close() }
        schedule()
    }

    /// The chip's RTS changed.
    mutating func setReady(_ isReady: Bool, at now: MonotonicInstant) {
        self.isReady = isReady
        self.now = now
        schedule()
    }

    /// The bytes that have arrived at the chip.
    mutating func arrived(at now: MonotonicInstant) -> ArraySlice<UInt8>? {
        self.now = now
        guard let chunk = onLine, chunk.arrival <= now else { return nil }
        onLine = nil
        schedule()
        return chunk.bytes
    }

    /// Puts the next bytes on the line, if it may.
    private mutating func schedule() {
        guard onLine == nil, sent < queue.count, !watchesRTS || isReady else { return }
        let bytes = queue[sent..<min(sent + Self.chunkSize, queue.count)]
        lineEnd = max(lineEnd, now).advanced(by: time(for: bytes.count))
        sent = bytes.endIndex
        onLine = (bytes, lineEnd)
    }

    /// How long it takes to send this many bytes.
    func time(for count: Int) -> Duration {
        // Nobody listens: at the rate of a UART that is closed nothing is received, and the far end does not know.
        let rate = self.rate > 0 ? self.rate : 115_200
        return .nanoseconds(Int64(UInt64(count) * 10_000_000_000 / rate))
    }

    // MARK: From the chip

    /// The chip has put bytes into its transmitter, the first of which begins at `start`.
    mutating func transmit(_ bytes: ArraySlice<UInt8>, from start: MonotonicInstant) {
        guard rate > 0 else { return }
        if isHolding {
            heldOutput += bytes
            return
        }
        output.append(bytes, from: start, to: start.advanced(by: time(for: bytes.count)))
    }

    /// The bytes that it has received by `now`.
    mutating func received(at now: MonotonicInstant) -> [UInt8]? {
        isHolding ? nil : output.popDue(at: now)
    }

    /// Gives CTS, or takes it back.
    mutating func setClearToSend(_ isGiven: Bool, at now: MonotonicInstant) {
        let wasHolding = isHolding
        isClearToSend = isGiven
        hold(wasHolding, at: now)
    }

    /// Sets whether the chip waits for CTS.
    mutating func setChipWatchesCTS(_ watches: Bool, at now: MonotonicInstant) {
        let wasHolding = isHolding
        chipWatchesCTS = watches
        hold(wasHolding, at: now)
    }

    /// Unsent bytes stay in the transmitter while it is held, and are sent from then on.
    private mutating func hold(_ wasHolding: Bool, at now: MonotonicInstant) {
        guard isHolding != wasHolding else { return }
        if isHolding {
            heldOutput = output.removeAllChunks().flatMap { $0 }
            return
        }
        let bytes = heldOutput
        heldOutput = []
        transmit(bytes[...], from: now)
    }

    /// The chip was reset: the bytes in its transmitter are lost, and its lines are not driven. The far end keeps its
    /// unsent bytes.
    mutating func close() {
        rate = 0
        isReady = false
        chipWatchesCTS = false
        output.removeAll()
        heldOutput = []
    }
}

/// The device at one of a virtual board's UARTs beside the console, when it is a program of the user's: its bytes go
/// through ``line``, for one client at a time.
public actor FarEndLine: BoardLineOwner {
    /// How many bytes wait for the UART before a client has to.
    private static let writeLimit = 65_536

    private nonisolated let board: VirtualBoard
    /// The UART, 1 or 2.
    public nonisolated let uart: Int
    /// The board's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { board.unownedExecutor }
    /// For the clients.
    public private(set) lazy var line = BoardLine("UART \(uart)", owner: self, on: board.executor)

    /// The far end of a UART, whose bytes the board's observer gives to ``deliver(_:)``.
    ///
    /// - Parameter watchesRTS: whether it sends only while the board's RTS asks for bytes.
    public init(of uart: Int, at board: VirtualBoard, watchesRTS: Bool) async {
        self.board = board
        self.uart = uart
        await board.wire(uart: uart, watchesRTS: watchesRTS)
    }

    /// Bytes of the board.
    public func deliver(_ bytes: [UInt8]) { line.assumeIsolated { $0.deliver(bytes) } }

    /// Sends bytes to the board; returns when not many more wait than the UART takes in a moment.
    public func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) async {
        while await board.waiting(for: uart) >= Self.writeLimit {
            let rest = await board.timeToSend(Self.writeLimit / 2, to: uart)
            guard (try? await BenchClock(board.executor).sleep(for: rest)) != nil else { return }
        }
        _ = await board.send(bytes, uart: uart)
    }

    /// Does nothing: the sketch sets the rate.
    public func lineConfigured(baudRate: Int) async {}

    /// Does nothing: RTS and CTS of the UART are other lines than those of a port.
    public func lineChanged(_ lines: ModemLines) async {}

    /// Does nothing.
    public func lineClosed(hasModemLines: Bool) async {}
}
