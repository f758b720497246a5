import ESPProtocol
import SerialPort

extension Flasher {
    /// The number of SYNCs per attempt.
    public static let syncsPerAttempt = 5

    /// Puts the board into its loader and synchronizes with it. A stub that already runs is kept.
    ///
    /// Over a port with modem lines each attempt begins with a reset; without them the board must be in its loader
    /// already, or the other side of the port puts it there.
    ///
    /// - Throws: ``FlasherError`` with code `noAnswer`, `wrongBootMode` or `otherProgram`, each with a diagnosis of what
    ///   the board does instead, or `port`.
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

    /// The sequence of an attempt, if the lines are used.
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
