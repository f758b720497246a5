import BenchExecutor
import MonotonicTime
import SerialPort

/// What is wired to one of a virtual board's UARTs beside the console, when that is a program of the user's: its bytes go
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
