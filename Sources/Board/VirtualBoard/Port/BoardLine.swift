public import SerialPort
public import BenchExecutor

/// The board's end of its serial line; a board on the same ``BenchExecutor`` conforms.
public protocol BoardLineOwner: AnyObject, Sendable {
    /// The client sent `bytes`.
    ///
    /// - Parameter hasModemLines: whether the client has DTR and RTS.
    func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) async
    /// The client set DTR and RTS.
    func lineChanged(_ lines: ModemLines) async
    /// The client has gone.
    func lineLeft(hasModemLines: Bool) async
}

/// The serial line of a virtual board: one client at a time has the other end.
public actor BoardLine {
    nonisolated let executor: BenchExecutor
    /// The executor of the bench.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let name: String
    /// Weak: the board has the line, and its clients have the board.
    private weak var owner: (any BoardLineOwner)?
    private var client: BoardPort?
    private var backlog = LineBacklog(limit: 0)

    /// A line without a client; `name` is what its ports are called.
    public init(_ name: String, owner: any BoardLineOwner, on executor: BenchExecutor) {
        self.name = name
        self.owner = owner
        self.executor = executor
    }

    /// Keeps what the board prints from now on while no client has the line, for the next client: the last lines, at
    /// most `limit` bytes. Without this it is lost, as with a terminal that was not open.
    public func keepOutput(upTo limit: Int) {
        backlog = LineBacklog(limit: limit)
    }

    /// Opens the other end; the port begins with what was kept for it.
    ///
    /// - Parameter hasModemLines: whether the port has DTR and RTS.
    /// - Throws: ``SerialPortError`` with code `busy` while another client has it.
    public func open(hasModemLines: Bool = true) throws(SerialPortError) -> BoardPort {
        guard client == nil else {
            throw SerialPortError(.busy, port: name, "the board's serial port is in use by another client")
        }
        guard let owner else {
            throw SerialPortError(.disconnected, port: name, "the board is gone")
        }
        let port = BoardPort(name, hasModemLines: hasModemLines, backlog: backlog, line: self, owner: owner)
        backlog = LineBacklog(limit: backlog.limit)
        client = port
        return port
    }

    /// Hands bytes of the board to the client; without one they are kept or lost.
    public func deliver(_ bytes: [UInt8]) {
        if let client {
            client.assumeIsolated { $0.deliver(bytes) }
        } else if backlog.limit > 0 {
            backlog.append(bytes)
        }
    }

    /// The client has closed its port; `unread` is what came after the port's backlog when it never got that.
    func closed(_ port: BoardPort, unread: [UInt8]?) {
        guard client === port else { return }
        client = nil
        guard let unread else { return }
        backlog = port.backlog
        backlog.append(unread)
    }
}
