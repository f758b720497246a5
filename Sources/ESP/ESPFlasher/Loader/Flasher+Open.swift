public import ESPChips
import ESPProtocol
import SerialPort

/// How a session with a board begins.
public struct SessionOptions: Sendable {
    /// How the board is put into its loader.
    public var connect: ConnectOptions
    /// The highest rate, in bits per second; `nil` keeps 115,200.
    public var baudRate: Int?
    /// Whether the chip's rate is raised also over a port that cannot set that of the line to it, as a socket: if the
    /// other side does not follow, the chip answers again only after a reset.
    public var raisesUnsetRate: Bool
    /// The stub for a chip, of this revision where there are several; `nil` where there is none, and the loader in ROM
    /// is used.
    public var stub: @Sendable (Chip, UInt32?) throws(FlasherError) -> StubImage?

    /// A session at `baudRate`, with the loader in ROM unless `stub` says otherwise.
    public init(
        connect: ConnectOptions = ConnectOptions(), baudRate: Int? = nil, raisesUnsetRate: Bool = false,
        stub: @escaping @Sendable (Chip, UInt32?) throws(FlasherError) -> StubImage? = { (_, _) throws(FlasherError) in
            nil
        }
    ) {
        self.connect = connect
        self.baudRate = baudRate
        self.raisesUnsetRate = raisesUnsetRate
        self.stub = stub
    }
}

extension Flasher {
    /// Connects, identifies the board, raises the rate and starts the stub.
    ///
    /// Begins anew, with another reset, when a fault of the line has ended one of the steps: at the next lower rate when
    /// the rate had been raised.
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
                    // The rate passed its check, but does not carry what is longer.
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
        let board = try await identify()
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
