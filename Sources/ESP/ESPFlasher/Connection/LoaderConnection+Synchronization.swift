import ESPProtocol
import SerialPort

extension LoaderConnection {
    /// After so much time without a piece of data the line is given up.
    private static let lossLimit = Duration.seconds(30)
    private static let resynchronizationWaits: [Duration] = [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600),
        .seconds(3),
    ]

    /// Whether the line was given up.
    var isGivenUp: Bool { lostTime > Self.lossLimit }

    /// After a fault: sends SYNC until it is answered, so that no answer of a former command is left on the line.
    ///
    /// - Returns: whether the board answers.
    /// - Throws: ``FlasherError`` with code `port`, `timeout` when the board has been reset meanwhile, or `noisyLine`
    ///   when faults have taken too much of the session's time.
    func resynchronize(_ context: @autoclosure () -> String) async throws(FlasherError) -> Bool {
        guard !isGivenUp else {
            throw FlasherError(
                .noisyLine,
                "\(context()): \(faultCount) answers were lost or damaged, the last of them in "
                    + "\(lostTime.components.seconds) s without progress; check the cable, or use a lower rate")
        }
        let stopwatch = Stopwatch(clock)
        defer { lostTime += stopwatch.elapsed }
        try await discardInput(context())
        return try await synchronize(context())
    }

    /// Sends SYNC to see whether all answers before its own have been received: the loader answers in order.
    ///
    /// - Returns: the number of answers so far that nobody waited for.
    /// - Throws: ``FlasherError`` with code `port`, or `timeout` when the board does not answer or was reset.
    func mark(_ context: @autoclosure () -> String) async throws(FlasherError) -> Int {
        try await settle(context())
        guard try await synchronize(context()) else {
            throw FlasherError(.timeout, "\(context()): no answer to SYNC, which follows the command")
        }
        return ledger.strayCount
    }

    private func synchronize(_ context: @autoclosure () -> String) async throws(FlasherError) -> Bool {
        isSynchronizing = true
        defer { isSynchronizing = false }
        for (index, wait) in Self.resynchronizationWaits.enumerated() {
            // A frame whose end was lost is ended by one more delimiter.
            if index % 2 == 1 { try await onPort(context()) { try await self.port.write([SLIP.end]) } }
            try await transmit(Sync(), context())
            guard let found = try await synchronizedDialect(within: wait, context()) else { continue }
            guard found == dialect else {
                throw FlasherError(.timeout, "\(context()): the board was reset meanwhile, and its loader began anew")
            }
            ledger.synchronized()
            return true
        }
        return false
    }

    /// Waits for the answers to a SYNC: the program that sent most of them, or `nil` if there were none.
    func synchronizedDialect(
        within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> LoaderDialect? {
        var counts: [LoaderDialect: Int] = [:]
        var wait = timeout
        // Each may be damaged: the majority counts.
        for _ in 0..<Sync.responseCount {
            guard let response = try await response(to: .sync, within: wait, context()) else { break }
            wait = LoaderTimeout.sync
            let sender: LoaderDialect = response.value == 0 ? .stub : .rom
            guard case .success? = try? response.outcome(of: Sync.self, dialect: sender) else { continue }
            counts[sender, default: 0] += 1
        }
        return counts.max { $0.value < $1.value }?.key
    }
}
