public import SerialPort
public import BenchExecutor

/// The board's end of its serial line; a board on the same ``BenchExecutor`` conforms.
public protocol BoardLineOwner: AnyObject, Sendable {
    /// The client sent `bytes`.
    ///
    /// - Parameter hasModemLines: whether the client has DTR and RTS; also `true` for a client without, for which the
    ///   board must not reset itself.
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
    ///     restarts it out of the loader. Otherwise only the board's buttons do.
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

    /// Delivers bytes of the board to the client; without one they are buffered or lost.
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
