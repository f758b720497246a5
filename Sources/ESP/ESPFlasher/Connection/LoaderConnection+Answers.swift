internal import ESPProtocol
import SerialPort

extension LoaderConnection {
    /// The line is given up when faults have cost more than this time since the last new data.
    private static let lossLimit = Duration.seconds(30)
    private static let resynchronizationWaits: [Duration] = [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600),
        .seconds(3),
    ]

    /// True if the line was given up: too much was lost on it.
    var isGivenUp: Bool { lostTime > Self.lossLimit }

    /// After a fault: sends SYNC until it is answered, so that no answer of a former command is left on the line.
    ///
    /// - Returns: true if the board answers.
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

    /// Sends SYNC and waits for its answer: as the loader answers in order, all earlier answers have then been
    /// received.
    ///
    /// - Returns: the number of unexpected answers so far.
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
                throw FlasherError(.timeout, "\(context()): the board was reset meanwhile, and its loader restarted")
            }
            ledger.synchronized()
            return true
        }
        return false
    }

    /// Waits for the answers to a SYNC; returns the dialect of most of them, or `nil` if none came.
    func synchronizedDialect(
        within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> LoaderDialect? {
        var counts: [LoaderDialect: Int] = [:]
        var wait = timeout
        // Each answer may be damaged: the majority counts.
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

/// Counts requests and their answers, to detect a line on which answers come more than once.
///
/// Answers carry no number: a repeated answer would be taken for the answer to the next request of the same operation.
/// The loader answers in order: the true answer then comes before the answers to later requests, and counts as
/// unexpected.
struct AnswerLedger {
    /// How long the line must be silent before a request, after an answer has come twice.
    private static let firstSilence = Duration.milliseconds(100)
    private static let longestSilence = Duration.milliseconds(800)
    /// The number of consecutive waits without a byte after which the line is trusted again.
    private static let quietLimit = 64

    private var expected: [LoaderOpcode: Int] = [:]
    private var quietCount = 0
    private var isRaised = false
    /// The number of unexpected answers.
    private(set) var strayCount = 0
    /// How long the line must be silent before a request is sent; zero on a line that repeats nothing.
    private(set) var silence = Duration.zero

    /// A request was sent.
    mutating func sent(_ opcode: LoaderOpcode) {
        expected[opcode, default: 0] += opcode == .sync ? Sync.responseCount : 1
    }

    /// An answer came.
    ///
    /// - Parameter isExpected: true if the answer was waited for, or may be late.
    mutating func received(_ opcode: LoaderOpcode, isExpected: Bool) {
        let count = expected[opcode, default: 0]
        expected[opcode] = max(0, count - 1)
        // A SYNC has several answers; the last ones may still arrive.
        if count == 0 || !(isExpected || opcode == .sync) { stray() }
    }

    /// An unexpected answer came.
    mutating func stray() {
        strayCount += 1
        quietCount = 0
        guard !isRaised else { return }
        isRaised = true
        silence = min(max(silence * 2, Self.firstSilence), Self.longestSilence)
    }

    /// The line was silent for ``silence``; `afterBytes` is true if bytes came before.
    mutating func settled(afterBytes: Bool) {
        isRaised = false
        quietCount = afterBytes ? 0 : quietCount + 1
        if quietCount >= Self.quietLimit { silence = .zero }
    }

    /// SYNC was answered: no answers of earlier requests will follow.
    mutating func synchronized() { expected = expected.filter { $0.key == .sync } }
}

/// Bytes received that are not part of an answer, to diagnose what the board does instead.
struct NoiseLog {
    private static let limit = 512

    private var tail: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ bytes: [UInt8]) {
        count += bytes.count
        tail.append(contentsOf: bytes.suffix(Self.limit))
        if tail.count > Self.limit { tail.removeFirst(tail.count - Self.limit) }
    }

    /// True if the text ends with the line of a ROM loader that waits for its first command; CR LF are blanks here.
    var endsWaitingForDownload: Bool { text.hasSuffix(Self.waiting + "  ") }

    private static let waiting = "waiting for download"

    private var text: String {
        String(decoding: tail.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// A diagnosis from these bytes; its text begins with a lower-case letter.
    var diagnosis: (code: FlasherError.Code, text: String) {
        guard count > 0 else {
            return (.noAnswer, "nothing came from the board; check the cable, the port and the power")
        }
        let text = text
        if text.contains(Self.waiting) {
            return (
                .noAnswer, "the board waits for a download, but does not answer; check the line to its RX pin"
            )
        }
        if let mode = Self.bootMode(in: text), !text.contains("DOWNLOAD") {
            return (
                .wrongBootMode,
                "the board started its application (boot:\(mode)); hold its BOOT button while connecting"
            )
        }
        return (
            .otherProgram,
            "\(count) bytes came that are not an answer; is another program running on the board, or is the rate wrong?"
        )
    }

    /// The boot mode in the last boot log, e.g. `0x13`.
    private static func bootMode(in text: String) -> Substring? {
        // "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)"
        guard let start = text.ranges(of: "boot:0x").last else { return nil }
        let digits = text[start.upperBound...].prefix { $0.isHexDigit }
        return digits.isEmpty ? nil : text[text.index(start.upperBound, offsetBy: -2)..<digits.endIndex]
    }
}
