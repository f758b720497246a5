internal import ESPProtocol
public import SerialPort

extension Flasher {
    /// The number of SYNCs per attempt.
    public static let syncsPerAttempt = 5

    /// Puts the board into its loader and synchronizes with it. A stub that already runs is kept.
    ///
    /// Over a port with modem lines each attempt begins with a reset; without them the board must be in its loader
    /// already, or the other side of the port puts it there.
    ///
    /// - Throws: ``FlasherError`` with code `port`; or `noAnswer`, `wrongBootMode` or `otherProgram`, with a diagnosis
    ///   of the board's state.
    public func connect(_ options: ConnectOptions = ConnectOptions()) async throws(FlasherError) {
        let context = "connecting over \(port.name)"
        connectOptions = options
        try await connection.onPort(context) { try await self.port.configure(.default) }
        connection.baudRate = SerialSettings.default.baudRate
        connection.endsWaitAtBoot = !port.hasModemLines
        defer { connection.endsWaitAtBoot = false }
        let attempts = max(1, options.attempts)
        for attempt in 0..<attempts {
            if let sequence = reset(at: attempt) {
                try await connection.onPort(context) { try await sequence.perform(on: self.port) }
            }
            for _ in 0..<Self.syncsPerAttempt where try await sync(context) { return }
        }
        let (code, text) = connection.noise.diagnosis
        throw FlasherError(code, "\(port.name): no answer to \(attempts * Self.syncsPerAttempt) SYNCs: \(text)")
    }

    /// The reset sequence of an attempt; `nil` when the modem lines are not used.
    private func reset(at attempt: Int) -> ResetSequence? {
        guard port.hasModemLines else { return nil }
        switch connectOptions.reset {
        case .none: return nil
        case .sequence(let sequence): return sequence
        case .automatic:
            let candidates = ResetSequence.candidates(for: port.traits.interface)
            return candidates[attempt % candidates.count]
        }
    }

    func sync(_ context: String) async throws(FlasherError) -> Bool {
        // The output so far (the boot log) is read, not discarded: it helps to diagnose a board that does not answer.
        try await connection.transmit(Sync(), context)
        connection.isSynchronizing = true
        defer { connection.isSynchronizing = false }
        guard let dialect = try await connection.synchronizedDialect(within: LoaderTimeout.sync, context) else {
            return false
        }
        connection.dialect = dialect
        connection.ledger.synchronized()
        try await connection.discardInput(context)
        return true
    }
}

/// Options for putting a board into its loader.
public struct ConnectOptions: Hashable, Sendable {
    /// The sequence on the modem lines before the first SYNC.
    public enum Reset: Hashable, Sendable {
        /// The sequences for the kind of port, one after the other.
        case automatic
        /// This sequence at each attempt.
        case sequence(ResetSequence)
        /// None: the board is in its loader already, or the other side of the port resets it.
        case none
    }

    /// The reset.
    public var reset: Reset
    /// The number of attempts, each with a reset and ``Flasher/syncsPerAttempt`` SYNCs.
    public var attempts: Int

    /// Settings; by default seven attempts with the resets for the kind of port.
    public init(reset: Reset = .automatic, attempts: Int = 7) {
        self.reset = reset
        self.attempts = attempts
    }
}

/// The lines of a board's boot log that report why it does not run its application.
public enum BootProblems {
    /// The log tags of ESP-IDF's second-stage bootloader, and of the virtual board's bootloader, which refuses images.
    private static let tags: Set<Substring> = [
        "boot", "boot_comm", "bootloader_flash", "bootloader_sha", "espbench", "esp_image", "esp_ota_ops",
        "flash_encrypt", "flash_parts", "qio_mode", "secure_boot", "secure_boot_v2",
    ]

    /// Prefixes of the error lines of the ROM and of panics.
    private static let beginnings = [
        "invalid header: ", "flash read err", "csum err", "wrong chip id ", "ets_main.c", "ets_loader.c",
        "Invalid image block", "Invalid chip id. ", "Checksum failure. ", "SHA-256 comparison failed",
        "waiting for download",
        "Guru Meditation Error", "abort() was called", "assert failed", "Brownout detector was triggered",
        "***ERROR*** A stack overflow",
    ]

    /// The lines of `log` that report a problem, each once, at most ``limit``; empty for a normal boot.
    public static func lines(in log: [UInt8]) -> [String] {
        var result: [String] = []
        for bytes in log.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let visible = withoutColour(bytes).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }
            let line = String(decoding: visible, as: UTF8.self)
            if isProblem(line), !result.contains(line), result.count < limit { result.append(line) }
        }
        return result
    }

    /// True if `log` shows that the ROM started a bootloader: the ROM's last line is then "entry 0x400805e4".
    static func hasLeftROM(_ log: [UInt8]) -> Bool {
        log.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { $0.starts(with: "entry 0x".utf8) }
    }

    /// The maximum number of returned lines; a board in a reset loop repeats its lines.
    static let limit = 10

    /// The line without the colours that ESP-IDF's log may have: ESC, `[`, and all up to `m`.
    private static func withoutColour(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            if byte == 0x1B, rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "m")) {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func isProblem(_ line: String) -> Bool {
        if beginnings.contains(where: { line.hasPrefix($0) }) { return true }
        // "E (40) boot: …"; an application logs in the same format with other tags.
        guard line.hasPrefix("E ("), let close = line.firstIndex(of: ")") else { return false }
        let rest = line[close...].dropFirst(2)
        guard let colon = rest.firstIndex(of: ":") else { return false }
        return tags.contains(rest[..<colon])
    }
}

/// The result of a start, as the boot log tells it.
public struct ObservedBoot: Hashable, Sendable {
    /// The lines that report why the board does not run its application; empty when the log reports no problem.
    public let problems: [String]
    /// True if the ROM started a bootloader, and nothing reported a problem; false if something did; `nil` if neither
    /// was seen.
    public let boots: Bool?

    init(_ log: [UInt8]) {
        problems = BootProblems.lines(in: log)
        boots = problems.isEmpty ? (BootProblems.hasLeftROM(log) ? true : nil) : false
    }
}

extension Flasher {
    /// Repeats `body` until all answers that it received belong to its own requests; `body` must be repeatable.
    ///
    /// - Throws: ``FlasherError`` of `body`, or with code `noisyLine` when answers come twice at each attempt.
    func confirmed<Result>(
        _ context: @autoclosure () -> String, _ body: () async throws(FlasherError) -> Result
    ) async throws(FlasherError) -> Result {
        let stopwatch = Stopwatch(connection.clock)
        for attempt in 0..<Self.confirmedAttempts
        where attempt < Self.leastAttempts || stopwatch.elapsed < Self.confirmationTime {
            let strays = connection.ledger.strayCount
            do throws(FlasherError) {
                let result = try await body()
                if try await connection.mark(context()) == strays { return result }
            } catch {
                // An answer to another request may be the cause.
                guard error.code != .port, !connection.isGivenUp else { throw error }
                if connection.ledger.strayCount > strays { continue }
                guard !error.isTransient, let count = try? await connection.mark(context()), count > strays else {
                    throw error
                }
            }
        }
        throw FlasherError(
            .noisyLine,
            "\(context()): answers come more than once, \(connection.ledger.strayCount) so far; "
                + "is another program using the port?")
    }

    private static let confirmedAttempts = 6
    /// The minimum number of attempts, also for long operations such as erasing the whole flash.
    private static let leastAttempts = 3
    /// The time after which no further attempt begins.
    private static let confirmationTime = Duration.seconds(20)
}
