import BenchExecutor
import MonotonicTime
import SerialPort

/// The device at one of the chip's UARTs other than the console: it sends at the rate of the UART, and may watch the
/// UART's RTS and drive its CTS. A pure state machine.
struct FarEnd {
    /// The largest number of bytes that wait to be sent: more than a suite's largest pattern.
    static let queueLimit = 16 << 20
    /// The largest number of bytes that arrive at the chip at once: 1.4 ms at 115,200 baud. With the number at which
    /// the receiver deasserts RTS, it fits in the receiver's FIFO.
    private static let chunkSize = 16

    /// True if the device sends only while the chip asserts RTS; without that wire it sends whenever it has bytes.
    var watchesRTS = false {
        didSet { schedule() }
    }
    /// True if the chip asserts RTS; without an open UART that drives the line, it is not asserted.
    private var isReady = false
    /// True if the device asserts the chip's CTS.
    private(set) var isClearToSend = true
    /// True if the chip waits for CTS.
    private var chipWatchesCTS = false
    private var rate: UInt64 = 0

    /// Bytes to send.
    private var queue: [UInt8] = []
    private var sent = 0
    /// The bytes that are on the line, and the time at which the last of them has arrived.
    private var onLine: (bytes: ArraySlice<UInt8>, arrival: MonotonicInstant)?
    private var lineEnd = MonotonicInstant.zero
    private var now = MonotonicInstant.zero

    /// Bytes that the chip has put into its transmitter.
    private var output = ConsoleQueue()
    private var heldOutput: [UInt8] = []

    /// The number of bytes that the device has not begun to send.
    var queuedCount: Int { queue.count - sent }

    /// The time at which ``arrived(at:)`` or ``received(at:)`` returns bytes.
    var nextDeadline: MonotonicInstant? { .earliest(onLine?.arrival, isHolding ? nil : output.nextDeadline) }

    private var isHolding: Bool { chipWatchesCTS && !isClearToSend }

    // MARK: To the chip

    /// Appends bytes to those that the device sends.
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

    /// Puts the next bytes on the line, if flow control permits it.
    private mutating func schedule() {
        guard onLine == nil, sent < queue.count, !watchesRTS || isReady else { return }
        let bytes = queue[sent..<min(sent + Self.chunkSize, queue.count)]
        lineEnd = max(lineEnd, now).advanced(by: time(for: bytes.count))
        sent = bytes.endIndex
        onLine = (bytes, lineEnd)
    }

    /// The time to send this many bytes.
    func time(for count: Int) -> Duration {
        // The UART is closed and receives nothing, but the far end does not know this.
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

    /// The bytes that the device has received by `now`.
    mutating func received(at now: MonotonicInstant) -> [UInt8]? {
        isHolding ? nil : output.popDue(at: now)
    }

    /// Asserts or deasserts CTS.
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

    /// Unsent bytes stay in the transmitter while it is held, and are sent after that.
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

/// The device at one of a virtual board's UARTs other than the console, when a user's program acts as the device: its
/// bytes go through ``line``, for one client at a time.
public actor FarEndLine: BoardLineOwner {
    /// The number of bytes that may wait for the UART before a client has to wait.
    private static let writeLimit = 65_536

    private nonisolated let board: VirtualBoard
    /// The UART, 1 or 2.
    public nonisolated let uart: Int
    /// The board's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { board.unownedExecutor }
    /// The line for the clients.
    public private(set) lazy var line = BoardLine("UART \(uart)", owner: self, on: board.executor)

    /// The far end of a UART, whose bytes the board's observer gives to ``deliver(_:)``.
    ///
    /// - Parameter watchesRTS: whether the far end sends only while the board asserts RTS.
    public init(of uart: Int, at board: VirtualBoard, watchesRTS: Bool) async {
        self.board = board
        self.uart = uart
        await board.wire(uart: uart, watchesRTS: watchesRTS)
    }

    /// Bytes of the board.
    public func deliver(_ bytes: [UInt8]) { line.assumeIsolated { $0.deliver(bytes) } }

    /// Sends bytes to the board; returns when the number of waiting bytes is below a small limit.
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
