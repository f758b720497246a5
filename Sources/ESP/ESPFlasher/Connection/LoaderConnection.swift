import ByteCodec
internal import ESPProtocol
import SerialPort

/// Sends commands over a port and waits for their answers; skips other bytes on the line.
///
/// Answers carry no number, only the operation that they answer. After a fault, ``resynchronize(_:)`` separates the
/// answers of former commands from those of later ones.
final class LoaderConnection {
    /// The longest accepted frame: a packet of READ_FLASH.
    private static let frameLimit = Int(ReadFlash.maximumPacketSize) + 64
    private static let readSize = 16_384
    /// The time to wait for the answer to a quick command before sending SYNC, on a line without faults.
    private static let initialPatience = Duration.seconds(1)

    let port: any SerialPort
    let clock: any Clock<Duration>
    /// The dialect of the ROM or the stub, whichever answers; known after SYNC.
    var dialect = LoaderDialect.rom
    /// The rate of the line, in bits per second; limits how soon an answer can come.
    var baudRate = SerialSettings.default.baudRate
    private(set) var noise = NoiseLog()
    /// True if a wait for a frame ends when the ROM reports that it waits for a download: over a port without modem
    /// lines, the first SYNC may reset the board and get lost.
    var endsWaitAtBoot = false
    /// The number of faults of the line so far: answers that were lost, late or damaged.
    private(set) var faultCount = 0
    var ledger = AnswerLedger()
    /// True while answers to earlier commands may come: during the wait for the answer to SYNC.
    var isSynchronizing = false
    /// The time that lost answers and their consequences have taken since the last piece of data arrived.
    var lostTime = Duration.zero
    /// The last expected response.
    private var lastResponse: LoaderResponse?
    private var patience = initialPatience
    private var decoder = SLIPDecoder(limit: frameLimit)
    private var frames: ArraySlice<[UInt8]> = []
    /// Everything received since the last command of the session was sent; `nil` before.
    private var received: [UInt8]?

    init(port: any SerialPort, clock: any Clock<Duration>) {
        self.port = port
        self.clock = clock
    }

    // MARK: Commands

    /// Sends `command`, which must not be repeated blindly, and returns its answer.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - timeout: the longest wait; by default that of the command.
    ///   - context: the operation that errors name.
    /// - Throws: ``FlasherError`` with code `timeout`, `port`, `refused` or `malformedAnswer`.
    func send<Command: LoaderCommand>(
        _ command: Command, within timeout: Duration? = nil, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> Command.Reply {
        try await settle(context())
        try await transmit(command, context())
        return try await answer(to: Command.self, within: timeout ?? command.timeout, context())
    }

    /// Sends `command`, which ends the loader, and waits for the answer. The answer may be missing: the chip may
    /// restart before sending it, and a program may write over it.
    ///
    /// - Returns: the bytes after the answer, or all bytes if it is missing: the first output of the program that runs
    ///   now.
    func sendLast<Command: LoaderCommand>(
        _ command: Command, within timeout: Duration? = nil, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> [UInt8] {
        try await settle(context())
        received = []
        defer { received = nil }
        do throws(FlasherError) {
            try await transmit(command, context())
            _ = try await answer(to: Command.self, within: timeout ?? command.timeout, context())
        } catch  where error.isTransient || error.isDisconnection && port.traits.interface != .uart {
            // The chip's own USB device leaves the bus with a reset.
        }
        return Self.rest(of: received ?? [], behindAnswerTo: Command.opcode)
    }

    private static func rest(of bytes: [UInt8], behindAnswerTo opcode: LoaderOpcode) -> [UInt8] {
        var decoder = SLIPDecoder(limit: frameLimit)
        for (index, byte) in bytes.enumerated() {
            for case .frame(let frame) in decoder.decode([byte]) {
                var reader = ByteReader(frame, subject: "loader response")
                if (try? LoaderResponse(from: &reader))?.opcode == opcode {
                    // Both ROMs send an empty frame before they restart the chip.
                    return Array(bytes[(index + 1)...].drop { $0 == SLIP.end })
                }
            }
        }
        return bytes
    }

    /// Sends `command`, which has the same effect when it is repeated, until it is answered.
    ///
    /// - Parameter retriesRefusal: true to retry once after a refusal, which a damaged request may have caused.
    /// - Throws: ``FlasherError``, as ``send(_:within:_:)``.
    func query<Command: LoaderCommand>(
        _ command: Command, retriesRefusal: Bool = true, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> Command.Reply {
        var attempt = 1
        while true {
            do throws(FlasherError) {
                // The first retry comes early, but not before the loader can have completed the command.
                let work = max(.zero, command.timeout - LoaderTimeout.default)
                let timeout = attempt == 1 ? min(patience + lineTime(64) + work, command.timeout) : command.timeout
                return try await send(command, within: timeout, context())
            } catch {
                let isRetryable = error.isTransient || (error.code == .refused && retriesRefusal && attempt == 1)
                guard isRetryable, attempt < Self.queryAttempts else { throw error }
                guard try await resynchronize(context()) else {
                    throw error.code == .timeout
                        ? FlasherError(
                            .timeout, "\(context()): no answer to \(Command.opcode) within \(command.timeout)")
                        : error
                }
                if error.code == .timeout { patience = min(patience * 2, LoaderTimeout.default) }
                attempt += 1
            }
        }
    }

    private static let queryAttempts = 6

    /// Sends `command` without waiting for its answer.
    func transmit<Command: LoaderCommand>(
        _ command: Command, _ context: @autoclosure () -> String
    ) async throws(FlasherError) {
        ledger.sent(Command.opcode)
        try await onPort(context()) { try await self.port.write(LoaderRequest(command).frame) }
    }

    /// Waits for the answer to a command that was transmitted.
    func answer<Command: LoaderCommand>(
        to command: Command.Type, within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> Command.Reply {
        guard let response = try await response(to: Command.opcode, within: timeout, context()) else {
            lostTime += min(timeout, Self.longestLoss)
            throw fault(.timeout, "\(context()): no answer to \(Command.opcode) within \(timeout)")
        }
        guard response.opcode == Command.opcode else {
            try await discardCopies(of: response, context())
            let context = "\(context()): the loader does not know \(Command.opcode)"
            guard Command.isOptional else {
                // The request was damaged.
                throw fault(.malformedAnswer, context, underlying: LoaderErrorCode.invalidMessage)
            }
            throw FlasherError(.refused, context, underlying: LoaderErrorCode.invalidMessage)
        }
        let outcome: Result<Command.Reply, LoaderErrorCode>
        do {
            outcome = try response.outcome(of: Command.self, dialect: dialect)
        } catch {
            throw fault(.malformedAnswer, "\(context()), \(Command.opcode)", underlying: error)
        }
        switch outcome {
        case .success(let reply): return reply
        case .failure(let code):
            let refusal = FlasherError(.refused, "\(context()): \(Command.opcode) was refused", underlying: code)
            if refusal.isDamagedBlock { faultCount += 1 }
            throw refusal
        }
    }

    /// The longest part of a wait that counts as lost time; only slow commands have longer waits.
    private static let longestLoss = Duration.seconds(5)

    private func fault(
        _ code: FlasherError.Code, _ context: String, underlying: (any Error)? = nil
    ) -> FlasherError {
        faultCount += 1
        return FlasherError(code, context, underlying: underlying)
    }

    // MARK: Frames

    /// The next response to `opcode`, or a ROM's report that it did not understand the request, which carries the
    /// opcode of an earlier request. Discards other responses. `nil` after the time-out.
    func response(
        to opcode: LoaderOpcode, within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> LoaderResponse? {
        let stopwatch = Stopwatch(clock)
        while let frame = try await frame(within: timeout - stopwatch.elapsed, context()) {
            guard let response = response(in: frame) else { continue }
            if dialect == .rom, response.isInvalidMessage, isSynchronizing || response.opcode != opcode {
                if isSynchronizing { continue }
                return response
            }
            ledger.received(response.opcode, isExpected: isSynchronizing || response.opcode == opcode)
            if response.opcode == opcode {
                lastResponse = response
                return response
            }
        }
        return nil
    }

    /// Discards the other answers to a request that a ROM did not understand: the ROM sends as many as for the request
    /// before.
    private func discardCopies(
        of first: LoaderResponse, _ context: @autoclosure () -> String
    ) async throws(FlasherError) {
        // A line that repeats answers delivers more of them.
        lastResponse = first
        guard first.opcode == .sync else { return }
        for _ in 1..<Sync.responseCount {
            guard try await frame(within: LoaderTimeout.sync, context()) != nil else { return }
        }
    }

    private func response(in frame: [UInt8]) -> LoaderResponse? {
        var reader = ByteReader(frame, subject: "loader response")
        if let response = try? LoaderResponse(from: &reader) { return response }
        noise.append(frame)
        return nil
    }

    /// Counts `frame` as an unexpected answer if it is an answer.
    func noteStray(_ frame: [UInt8]) {
        if let response = response(in: frame) { ledger.received(response.opcode, isExpected: false) }
    }

    /// Discards the bytes received before the next request, and counts the answers in them. Waits until the line is
    /// silent only if answers came twice before.
    func settle(_ context: @autoclosure () -> String) async throws(FlasherError) {
        let silence = ledger.silence
        let stopwatch = Stopwatch(clock)
        var isSilent = true
        repeat {
            let bytes = try await onPort(context()) {
                try await self.port.read(upTo: Self.readSize, within: silence)
            }
            receive(bytes)
            // After a silence, a repeated answer does no harm.
            for frame in frames where silence == .zero || response(in: frame) != lastResponse { noteStray(frame) }
            frames = []
            if bytes.isEmpty { break }
            isSilent = false
        } while stopwatch.elapsed < Self.longestSettling
        if silence > .zero { ledger.settled(afterBytes: !isSilent) }
    }

    /// The longest wait for silence, for a line that is never silent.
    private static let longestSettling = Duration.seconds(2)

    /// The content of the next frame; `nil` after the time-out.
    func frame(
        within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> [UInt8]? {
        if let frame = frames.popFirst() { return frame }
        let stopwatch = Stopwatch(clock)
        let heard = noise.count
        while true {
            let remaining = timeout - stopwatch.elapsed
            guard remaining > .zero else { return nil }
            let bytes = try await onPort(context()) {
                try await self.port.read(upTo: Self.readSize, within: remaining)
            }
            receive(bytes)
            if let frame = frames.popFirst() { return frame }
            if endsWaitAtBoot, noise.count > heard, noise.endsWaitingForDownload { return nil }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        received?.append(contentsOf: bytes)
        for event in decoder.decode(bytes) {
            switch event {
            case .frame(let frame): frames.append(frame)
            case .noise(let bytes): noise.append(bytes)
            case .fault: faultCount += 1
            }
        }
    }

    /// Sends a frame that is not a command: an acknowledgement of READ_FLASH.
    func transmit(frame content: [UInt8], _ context: @autoclosure () -> String) async throws(FlasherError) {
        try await onPort(context()) { try await self.port.write(SLIP.encode(content)) }
    }

    // MARK: Port

    /// The time that `count` bytes take on the line, both ways.
    func lineTime(_ count: Int) -> Duration {
        .microseconds(Int64(count) * 20_000_000 / Int64(max(1, baudRate)))
    }

    /// Discards the bytes received so far.
    func discardInput(_ context: @autoclosure () -> String) async throws(FlasherError) {
        try await onPort(context()) { try await self.port.discardInput() }
        decoder.reset()
        frames = []
    }

    /// Calls the port; adds the context to its errors.
    func onPort<Result>(
        _ context: @autoclosure () -> String, _ body: () async throws -> Result
    ) async throws(FlasherError) -> Result {
        do {
            return try await body()
        } catch {
            throw FlasherError(.port, context(), underlying: error)
        }
    }
}
