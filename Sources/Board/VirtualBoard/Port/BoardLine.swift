public import BenchExecutor
import MonotonicTime
public import SerialPort

/// The board's end of its serial line; a board on the same ``BenchExecutor`` conforms.
public protocol BoardLineOwner: AnyObject, Sendable {
    /// The client sent `bytes`.
    ///
    /// - Parameter hasModemLines: whether the client has DTR and RTS; also `true` for a client without them for which
    ///   the board must not reset itself.
    func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) async
    /// The client set the rate, in bits per second.
    func lineConfigured(baudRate: Int) async
    /// The client set DTR and RTS.
    func lineChanged(_ lines: ModemLines) async
    /// The client has closed the port.
    func lineClosed(hasModemLines: Bool) async
}

/// The serial line of a virtual board, for one client at a time.
public actor BoardLine {
    nonisolated let executor: BenchExecutor
    /// The executor of the bench.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let name: String
    /// Weak, to avoid a reference cycle with the board.
    private weak var owner: (any BoardLineOwner)?
    private var client: BoardPort?
    private var backlog = LineBacklog(limit: 0)

    /// A line without a client; `name` is the name of its ports.
    public init(_ name: String, owner: any BoardLineOwner, on executor: BenchExecutor) {
        self.name = name
        self.owner = owner
        self.executor = executor
    }

    /// Enables buffering of output while no client has the line, for the next client: the last lines, at most `limit`
    /// bytes. Otherwise such output is lost, as without an open terminal.
    public func bufferOutput(upTo limit: Int) {
        backlog = LineBacklog(limit: limit)
    }

    /// Opens the line for a client; the port begins with the buffered output.
    ///
    /// - Parameters:
    ///   - hasModemLines: whether the port has DTR and RTS.
    ///   - resetsItself: without modem lines, whether a SYNC resets the board into download mode, and closing the port
    ///     restarts it out of the loader. Otherwise only the board's buttons reset it.
    /// - Throws: ``SerialPortError`` with code `busy` while another client uses it.
    public func open(hasModemLines: Bool = true, resetsItself: Bool = true) throws(SerialPortError) -> BoardPort {
        guard client == nil else {
            throw SerialPortError(.busy, port: name, "the board's serial port is in use by another client")
        }
        guard let owner else {
            throw SerialPortError(.disconnected, port: name, "the board is gone")
        }
        let port = BoardPort(
            name, hasModemLines: hasModemLines, resetsItself: resetsItself, backlog: backlog, line: self, owner: owner)
        backlog = LineBacklog(limit: backlog.limit)
        client = port
        return port
    }

    /// Delivers bytes of the board to the client; without a client they are buffered or lost.
    public func deliver(_ bytes: [UInt8]) {
        if let client {
            client.assumeIsolated { $0.deliver(bytes) }
        } else if backlog.limit > 0 {
            backlog.append(bytes)
        }
    }

    /// The client has closed its port; `unread` is the output after the port's backlog if the client did not read the
    /// backlog.
    func closed(_ port: BoardPort, unread: [UInt8]?) {
        guard client === port else { return }
        client = nil
        guard let unread else { return }
        backlog = port.backlog
        backlog.append(unread)
    }
}

/// Output of a board while no client had its serial line: the last lines, up to a limit.
public struct LineBacklog: Sendable, Equatable {
    /// The largest number of buffered bytes; 0: no buffering.
    public let limit: Int
    /// The buffered bytes, oldest first.
    public private(set) var bytes: [UInt8] = []
    /// The number of dropped bytes.
    public private(set) var droppedCount = 0

    /// An empty backlog.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Appends output. Beyond the limit, the oldest whole lines are dropped; if a single line is longer than the limit,
    /// its beginning.
    public mutating func append(_ new: [UInt8]) {
        bytes.append(contentsOf: new)
        guard bytes.count > limit else { return }
        let excess = bytes.count - limit
        let lineEnd = bytes[(excess - 1)...].firstIndex(of: 0x0A)
        let count = lineEnd.map { $0 + 1 < bytes.count ? $0 + 1 : excess } ?? excess
        bytes.removeFirst(count)
        droppedCount += count
    }
}

/// The two directions of a UART with real transmission times: 10 bits for each byte at the rate of the chip.
///
/// Bytes arrive in chunks, each when its last bit has been sent. A pure state machine.
struct PacedUART {
    /// The largest number of bytes that arrive at once: a chunk of 256 bytes is 2.8 ms at 921,600 baud.
    private static let chunkSize = 256

    /// Bytes, and the time at which the last of them has arrived.
    struct Chunk {
        let bytes: [UInt8]
        let arrival: MonotonicInstant
    }

    /// One direction.
    private struct Wire {
        private(set) var chunks: [Chunk] = []
        private var first = 0
        /// The time at which the last byte has been sent.
        private var end = MonotonicInstant.zero

        var next: MonotonicInstant? { first < chunks.count ? chunks[first].arrival : nil }

        mutating func send(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
            let byteTime = Duration.nanoseconds(10_000_000_000 / max(1, rate))
            for start in stride(from: 0, to: bytes.count, by: PacedUART.chunkSize) {
                let chunk = bytes[start..<min(start + PacedUART.chunkSize, bytes.count)]
                end = max(end, now).advanced(by: byteTime * chunk.count)
                chunks.append(Chunk(bytes: Array(chunk), arrival: end))
            }
        }

        mutating func receive(at now: MonotonicInstant) -> [UInt8]? {
            guard let next, next <= now else { return nil }
            let bytes = chunks[first].bytes
            first += 1
            if first == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                first = 0
            }
            return bytes
        }

        mutating func clear() {
            self = Wire()
        }
    }

    private var toChip = Wire()
    private var toClient = Wire()

    /// The time at which the next chunk arrives at either end.
    var nextDeadline: MonotonicInstant? {
        .earliest(toChip.next, toClient.next)
    }

    /// The client sends `bytes`; the chip's receiver runs at `rate`.
    mutating func sendToChip(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
        toChip.send(bytes, at: now, rate: rate)
    }

    /// The chip sends `bytes` at `rate`.
    mutating func sendToClient(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
        toClient.send(bytes, at: now, rate: rate)
    }

    /// The next chunk that has arrived at the chip.
    mutating func receiveAtChip(at now: MonotonicInstant) -> [UInt8]? { toChip.receive(at: now) }

    /// The next chunk that has arrived at the client.
    mutating func receiveAtClient(at now: MonotonicInstant) -> [UInt8]? { toClient.receive(at: now) }

    /// Discards the bytes in transmission: the chip was reset.
    mutating func reset() {
        toChip.clear()
        toClient.clear()
    }
}

/// The rate of a board's UART: the serial line carries whole bytes, and a bridge between it and a host must know whether
/// both ends use the same rate.
public struct UARTRate: Hashable, Sendable {
    /// The rate of ROM and bootloader, until the loader or the sketch changes it.
    static let boot = 115_200

    /// Bits per second.
    public var baudRate: Int
    /// True if the loader runs: it answers a change of the rate at the former rate, although the new one is already
    /// set.
    public var isLoader: Bool
}

extension VirtualBoard {
    /// The rate at which its UART receives now.
    public var uartRate: UARTRate {
        if let rate = machine.loaderBaudRate { return UARTRate(baudRate: rate, isLoader: true) }
        return UARTRate(baudRate: application.map { Int(clamping: $0.baudRate) } ?? UARTRate.boot, isLoader: false)
    }
}
