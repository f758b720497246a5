import ESPChips
public import ESPProtocol
public import SerialPort

/// Controls the loader of a board over a serial port: connects, identifies the board, reads and writes its flash and
/// memory, restarts it.
///
/// Used by one task at a time. The caller owns the port and closes it. Usual order of calls: ``connect(_:)``,
/// ``identify()``, ``raiseBaudRate(upTo:of:)``, ``start(_:on:)``, any operations, ``reset(_:)``; or ``open(_:)`` for
/// the first four.
public final class Flasher {
    let connection: LoaderConnection
    /// The options of the connection, for connecting again when a rate fails.
    var connectOptions = ConnectOptions()
    /// True for a loader that performs only the first write of a packet of register writes: an emulation, no ROM.
    var writesRegistersSingly = false
    /// The chip, when ``identify()`` has found it.
    var identified: Chip?
    /// Bytes that came with the answer to the session's last command, ``reset(_:of:)`` or ``runInRAM(_:on:)``: the
    /// board's first output after the command. The port no longer delivers them.
    public internal(set) var unreadOutput: [UInt8] = []

    /// A flasher on an open port.
    ///
    /// - Parameters:
    ///   - port: the port; its rate must be ``SerialPort/SerialSettings/default`` or will be set to it.
    ///   - clock: the clock of the time-outs; must be that of the port.
    public init(port: any SerialPort, clock: any Clock<Duration>) {
        connection = LoaderConnection(port: port, clock: clock)
    }

    var port: any SerialPort { connection.port }

    /// The dialect of the ROM or the stub, whichever answers.
    public var dialect: LoaderDialect { connection.dialect }

    /// The rate of the line, in bits per second.
    public var baudRate: Int { connection.baudRate }

    /// The number of faults of the line so far: answers that were lost, damaged, late or repeated; the session
    /// recovered from all of them.
    public var lineFaults: Int { connection.faultCount + connection.ledger.strayCount }

    // MARK: Registers

    /// Reads the word at `address`, a multiple of 4.
    ///
    /// - Throws: ``FlasherError`` with code `timeout`, `port`, `refused` or `malformedAnswer`.
    func readRegister(_ address: UInt32) async throws(FlasherError) -> UInt32 {
        try await connection.query(
            ReadRegister(address: address), "reading the register at 0x\(String(address, radix: 16))"
        ).value
    }

    /// Reads the word at `address` until two answers in a row are the same: answers carry no checksum.
    func readConfirmed(_ address: UInt32) async throws(FlasherError) -> UInt32 {
        var last = try await readRegister(address)
        for _ in 0..<Self.confirmations {
            let next = try await readRegister(address)
            if next == last { return next }
            last = next
        }
        throw FlasherError(
            .noisyLine,
            "reading the register at 0x\(String(address, radix: 16)): "
                + "the answers differ \(Self.confirmations) times in a row; is the line disturbed?")
    }

    private static let confirmations = 8

    /// Writes words in one command, in order.
    ///
    /// - Throws: ``FlasherError``, as ``readRegister(_:)``.
    func writeRegisters(_ writes: [WriteRegister.Write]) async throws(FlasherError) {
        try await writeRegisters(writes, "writing registers")
    }

    /// The same; `context` is the operation that errors name.
    func writeRegisters(
        _ writes: [WriteRegister.Write], _ context: @autoclosure () -> String
    ) async throws(FlasherError) {
        // One packet for all writes saves round trips.
        for packet in writesRegistersSingly ? writes.map({ [$0] }) : [writes] where !packet.isEmpty {
            _ = try await connection.query(WriteRegister(packet), context())
        }
    }
}

/// The size of a block sent to a ROM, in bytes.
let romBlockSize: UInt32 = 0x400

/// Measures time on any clock.
struct Stopwatch {
    private let reading: () -> Duration

    init(_ clock: any Clock<Duration>) {
        reading = Self.start(clock)
    }

    private static func start<Source: Clock>(_ clock: Source) -> () -> Duration where Source.Duration == Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    /// The time since its creation.
    var elapsed: Duration { reading() }
}
