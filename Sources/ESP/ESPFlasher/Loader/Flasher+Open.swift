public import ESPChips
internal import ESPProtocol
import SerialPort

/// Options for opening a session with a board.
public struct SessionOptions: Sendable {
    /// Options for putting the board into its loader.
    public var connect: ConnectOptions
    /// The highest rate, in bits per second; `nil` keeps 115,200.
    public var baudRate: Int?
    /// True to raise the chip's rate even over a port that cannot set the rate of the line, such as a socket: if the
    /// other side does not follow, the chip answers again only after a reset.
    public var raisesUnsetRate: Bool
    /// False to open the session also when the flash does not answer; nothing but the chip can then be used.
    public var requiresFlash: Bool
    /// The stub for a chip, and for its revision if the chip has several stubs; `nil` to use the loader in ROM.
    public var stub: @Sendable (Chip, UInt32?) throws(FlasherError) -> StubImage?

    /// A session at `baudRate`, with the loader in ROM unless `stub` says otherwise.
    public init(
        connect: ConnectOptions = ConnectOptions(), baudRate: Int? = nil, raisesUnsetRate: Bool = false,
        requiresFlash: Bool = true,
        stub: @escaping @Sendable (Chip, UInt32?) throws(FlasherError) -> StubImage? = { (_, _) throws(FlasherError) in
            nil
        }
    ) {
        self.connect = connect
        self.baudRate = baudRate
        self.raisesUnsetRate = raisesUnsetRate
        self.requiresFlash = requiresFlash
        self.stub = stub
    }
}

extension Flasher {
    /// Connects, identifies the board, raises the rate and starts the stub.
    ///
    /// When a fault of the line ends a step, resets the board and starts over; at the next lower rate if the rate had
    /// been raised.
    ///
    /// - Throws: ``FlasherError``, as the functions for these steps.
    public func open(_ options: SessionOptions) async throws(FlasherError) -> ConnectedBoard {
        var options = options
        var attempt = 1
        while true {
            do throws(FlasherError) {
                return try await openOnce(options)
            } catch {
                let isExplained =
                    lineFaults > 0 && !connection.isGivenUp && (error.isTransient || error.code == .noisyLine)
                guard isExplained, port.hasModemLines else { throw error }
                if isRateRaised {
                    // The rate passed its check, but longer data are damaged.
                    options.baudRate = Self.rate(below: baudRate)
                } else {
                    guard attempt < Self.openAttempts else { throw error }
                    attempt += 1
                }
            }
        }
    }

    private static let openAttempts = 3

    private func openOnce(_ options: SessionOptions) async throws(FlasherError) -> ConnectedBoard {
        try await connect(options.connect)
        let board = try await identify(requiresFlash: options.requiresFlash)
        guard board.hasFlash else { return board }
        if let rate = options.baudRate, port.traits.setsRate || options.raisesUnsetRate {
            try await raiseBaudRate(upTo: rate, of: board)
        }
        if !board.isInSecureDownloadMode, dialect == .rom {
            let revision = try await stubRevision(of: board.chip)
            if let stub = try options.stub(board.chip, revision) { try await start(stub, on: board) }
        }
        return board
    }

    /// The revision of a chip that has several stubs; `nil` for others.
    private func stubRevision(of chip: Chip) async throws(FlasherError) -> UInt32? {
        guard StubImage.dependsOnRevision(chip.name) else { return nil }
        var words: [UInt32: UInt32] = [:]
        for address in chip.revisionAddresses { words[address] = try await readConfirmed(address) }
        return chip.revision(in: words)
    }
}

extension Flasher {
    /// Loads `stub` into the chip's RAM and starts it; does nothing when a stub runs already.
    ///
    /// Raise the baud rate first: the stub itself is 2 to 7 KB.
    ///
    /// - Throws: ``FlasherError`` with code `secureDownload`, `wrongStub`, or the error of a command. If the started
    ///   stub sends no greeting, the ROM's loader answers again only after a reset.
    public func start(_ stub: StubImage, on board: ConnectedBoard) async throws(FlasherError) {
        guard connection.dialect == .rom else { return }
        try board.checkPermits("starting the stub")
        try stub.check(for: board.chip)
        for segment in stub.segments {
            try await load(segment.bytes, at: segment.address, "loading the stub")
        }
        let context = "starting the stub"
        for _ in 0..<Self.startAttempts {
            let isAnswered: Bool
            do throws(FlasherError) {
                _ = try await connection.send(
                    MemoryEnd(entryPoint: stub.entry), within: Self.startTime, context)
                isAnswered = true
            } catch  where error.isTransient {
                isAnswered = false
            }
            if isAnswered, let greeting = try await connection.frame(within: Self.startTime, context),
                greeting == MemoryEnd.stubGreeting
            {
                connection.dialect = .stub
                return try await prepareStub(for: board)
            }
            // The greeting may be lost: an answer to SYNC shows that the stub runs.
            for _ in 0..<Self.syncsPerAttempt where try await sync(context) { break }
            if connection.dialect == .stub { return try await prepareStub(for: board) }
        }
        throw FlasherError(.timeout, "\(context): expected its greeting OHAI, got none; is it for this chip?")
    }

    private static let startAttempts = 3
    /// The time to wait for the stub's greeting.
    private static let startTime = Duration.milliseconds(500)

    private func prepareStub(for board: ConnectedBoard) async throws(FlasherError) {
        try await attachFlash(of: board)
    }

    /// Loads `bytes` into RAM. After a damaged or lost block it continues from that block, with smaller blocks.
    func load(_ bytes: [UInt8], at address: UInt32, _ context: String) async throws(FlasherError) {
        let padded = bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        var blockSize = port.traits.interface == .usbOTG ? Self.smallRAMBlock : Self.ramBlock
        var done = 0
        var attempt = 1
        // Fewer attempts at a rate that can be lowered: a lower rate is better than the smallest blocks.
        let attempts = isRateRaised && port.hasModemLines ? Self.loadAttemptsAtRaisedRate : Self.loadAttempts
        while done < padded.count {
            do throws(FlasherError) {
                let rest = padded[done...]
                let blockCount = (rest.count + blockSize - 1) / blockSize
                let begin = MemoryBegin(
                    size: UInt32(rest.count), blockCount: UInt32(blockCount), blockSize: UInt32(blockSize),
                    address: address + UInt32(done))
                _ = try await connection.send(begin, within: Self.ramTime, context)
                for index in 0..<blockCount {
                    let payload = padded[done..<min(padded.count, done + blockSize)]
                    _ = try await connection.send(
                        MemoryData(DataBlock(sequence: UInt32(index), payload: payload)),
                        within: Self.ramTime + connection.lineTime(payload.count), context)
                    done += payload.count
                    attempt = 1
                    connection.lostTime = .zero
                }
            } catch {
                guard error.isTransient || error.code == .refused, attempt < attempts,
                    try await connection.resynchronize(context)
                else { throw error }
                attempt += 1
                blockSize = max(Self.leastRAMBlock, blockSize / 4)
            }
        }
    }

    private static let loadAttempts = 24
    private static let loadAttemptsAtRaisedRate = 8
    private static let ramTime = Duration.seconds(1)
    /// The largest block of MEM_DATA, in bytes.
    private static let ramBlock = 0x1800
    /// The same over the ROM's USB-OTG driver.
    private static let smallRAMBlock = 0x800
    /// The smallest, for a line that damages many bytes.
    private static let leastRAMBlock = 0x80
}
