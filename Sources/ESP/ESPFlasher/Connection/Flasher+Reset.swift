import ESPChips
internal import ESPProtocol
public import SerialPort

/// The state of the board at the end of a session.
public enum BoardReset: String, Hashable, Sendable, CaseIterable {
    /// Starts the application by the modem lines; on a port without modem lines, like ``soft``.
    case hard
    /// Starts the application without the lines: by the chip's watchdog if possible, otherwise by a restart through the
    /// ROM, which does not sample the boot pins again.
    case soft
    /// Resets the chip by its watchdog, so that it samples its boot pins again: for ports on the chip's own USB
    /// controller.
    case watchdog
    /// The loader keeps running.
    case stay
}

extension Flasher {
    /// Ends the session: resets the board, or leaves it in its loader.
    ///
    /// The port then has the default rate, unless the board stays in its loader.
    ///
    /// - Returns: true if the board leaves its loader; over a port without modem lines, some chips leave the stub only
    ///   by a manual reset.
    /// - Throws: ``FlasherError`` with code `port`, `unsupported` when the chip has no known watchdog, or the error of
    ///   a command.
    @discardableResult
    public func reset(_ kind: BoardReset, of board: ConnectedBoard? = nil) async throws(FlasherError) -> Bool {
        let context = "restarting the board"
        unreadOutput = []
        if kind != .stay { try await releaseDownload(of: board) }
        switch kind {
        case .stay: return false
        case .watchdog: try await startWatchdog(of: board)
        case .hard where port.hasModemLines: break
        case .soft, .hard: guard try await leaveLoader(of: board, context) else { return false }
        }
        // The application's console uses the default rate again, and its first line must not be lost.
        do throws(FlasherError) {
            try await connection.onPort(context) { try await self.port.configure(.default) }
        } catch  where isGone(error) {
            // The chip's own USB device left the bus with the reset.
        }
        connection.baudRate = SerialSettings.default.baudRate
        connection.dialect = .rom
        guard kind == .hard, port.hasModemLines else { return true }
        try await connection.onPort(context) { try await ResetSequence.reset(self.port, intoLoader: false) }
        return true
    }

    /// Restarts the board into its application, as ``BoardReset/hard``.
    public func restart() async throws(FlasherError) { try await reset(.hard) }

    /// True if `error` only reports that the chip's own USB device left the bus, which is normal at a reset.
    func isGone(_ error: FlasherError) -> Bool { port.traits.interface != .uart && error.isDisconnection }

    /// Lets a chip that was put into download mode over its USB controller start its application after the reset.
    private func releaseDownload(of board: ConnectedBoard?) async throws(FlasherError) {
        guard port.traits.interface != .uart, let board, !board.isInSecureDownloadMode,
            let field = board.chip.usb?.forceDownload
        else { return }
        try await writeRegisters(field.pieces.map { .init(address: $0.address, value: 0, mask: $0.mask) })
    }

    /// Leaves the loader for the application. A watchdog reset makes the chip sample its boot pins again. A restart by
    /// the ROM keeps the sampled levels: a board whose pins selected the loader enters it again. The stub has no
    /// restart command: on a chip without watchdog reset the board stays in the stub, as with esptool; the result is
    /// then `false`.
    private func leaveLoader(of board: ConnectedBoard?, _ context: String) async throws(FlasherError) -> Bool {
        if let watchdog = (board?.chip ?? identified)?.reset, watchdog.canReset, board?.isInSecureDownloadMode != true {
            try await startWatchdog(watchdog)
        } else if connection.dialect == .rom {
            try await restartByROM(context)
        } else {
            return false
        }
        return true
    }

    /// Restarts the chip by its ROM. Does not use FLASH_END: a ROM that refuses FLASH_END, or receives it with another
    /// word, leaves its loader nevertheless; the ESP32-C3 then panics.
    private func restartByROM(_ context: String) async throws(FlasherError) {
        let nothing = FlashWriteRegion(
            eraseSize: 0, blockCount: 0, blockSize: romBlockSize, offset: 0,
            isEncrypted: identified?.acceptsEncryptedWord == true ? false : nil)
        _ = try await connection.query(DeflateBegin(nothing), context)
        unreadOutput = try await connection.sendLast(DeflateEnd(reboots: true), within: Self.endTime, context)
    }

    /// The time to wait for the answer of a loader that exits.
    private static let endTime = Duration.milliseconds(500)

    /// How long the boot log is read after a restart; ROM and bootloader have finished by then.
    static let bootTime = Duration.seconds(1)
    /// How long the log may be silent after the ROM has started the bootloader, which then hashes the application.
    private static let silenceAfterROM = Duration.milliseconds(400)
    /// How long the log may be silent after a problem.
    private static let silenceAfterProblem = Duration.milliseconds(50)

    /// Reads the console in the first second after ``restart()``, or until the end of the boot log.
    ///
    /// Ends early when the port disappears at the restart, as with native USB.
    public func observedBoot() async -> ObservedBoot {
        let stopwatch = Stopwatch(connection.clock)
        var log = unreadOutput
        while log.count < Self.bootLogLimit {
            let silence =
                if !BootProblems.lines(in: log).isEmpty {
                    Self.silenceAfterProblem
                } else if BootProblems.hasLeftROM(log) {
                    Self.silenceAfterROM
                } else { Self.bootTime }
            let remaining = min(silence, Self.bootTime - stopwatch.elapsed)
            guard remaining > .zero, let bytes = try? await port.read(upTo: 4096, within: remaining), !bytes.isEmpty
            else { break }
            log += bytes
        }
        return ObservedBoot(log)
    }

    /// Five times the bytes that the console's rate carries in ``bootTime``; each read searches all of them.
    private static let bootLogLimit = 1 << 16
}

extension Flasher {
    /// How long the watchdog waits before it resets the chip, in cycles of the slow clock.
    private static let resetCycles: UInt32 = 2000

    /// Lets the RTC watchdog reset the chip.
    func startWatchdog(of board: ConnectedBoard?) async throws(FlasherError) {
        guard let board, let registers = board.chip.reset, registers.canReset else {
            throw FlasherError(
                .unsupported,
                "restarting the board by its watchdog: expected a chip that has this reset, "
                    + "got \(board?.chip.name ?? "none")")
        }
        try board.checkPermits("restarting the board by its watchdog")
        try await startWatchdog(registers)
    }

    /// Lets the watchdog of `registers` reset the chip.
    func startWatchdog(_ registers: ResetRegisters) async throws(FlasherError) {
        let writes: [WriteRegister.Write] = [
            .init(address: registers.writeProtect, value: ResetRegisters.watchdogKey),
            .init(address: registers.time, value: Self.resetCycles),
            .init(address: registers.config, value: registers.enable),
            .init(address: registers.writeProtect, value: 0),
        ]
        unreadOutput = try await connection.sendLast(WriteRegister(writes), "restarting the board by its watchdog")
    }

    /// Stops the watchdogs that a USB controller of the chip leaves running; they would reset it in the middle of a long
    /// session.
    func stopWatchdogs(of chip: Chip) async throws(FlasherError) {
        guard port.traits.interface != .uart, chip.usb != nil, let registers = chip.reset else { return }
        var writes: [WriteRegister.Write] = [
            .init(address: registers.writeProtect, value: ResetRegisters.watchdogKey),
            .init(address: registers.config, value: 0), .init(address: registers.writeProtect, value: 0),
        ]
        if let other = registers.superWatchdog {
            writes += [
                .init(address: other.writeProtect, value: other.key),
                .init(address: other.config, value: other.automaticFeed, mask: other.automaticFeed),
                .init(address: other.writeProtect, value: 0),
            ]
        }
        _ = try await connection.query(WriteRegister(writes), "stopping the watchdogs")
    }
}

extension ResetSequence {
    /// Parses a user-defined sequence in esptool's form (its configuration file's `custom_reset_sequence`): commands
    /// separated by `|`: `D0` and `D1` set DTR, `R0` and `R1` set RTS, `U1,0` sets both at once, `W0.1` waits 0.1
    /// seconds.
    ///
    /// - Throws: ``FlasherError`` with code `unsupported` when the text has another form.
    public init(custom text: String) throws(FlasherError) {
        var state = ModemLines(dtr: false, rts: false)
        var steps: [Step] = []
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            let argument = part.dropFirst()
            switch (part.first, Self.flags(argument)) {
            case ("D", let flags?) where flags.count == 1: state.dtr = flags[0]
            case ("R", let flags?) where flags.count == 1: state.rts = flags[0]
            case ("U", let flags?) where flags.count == 2: state = ModemLines(dtr: flags[0], rts: flags[1])
            case ("W", _):
                guard let seconds = Double(argument), seconds >= 0, seconds <= 60 else { throw Self.invalid(part) }
                steps.append(.pause(.milliseconds(Int64((seconds * 1000).rounded()))))
                continue
            default: throw Self.invalid(part)
            }
            steps.append(.lines(state))
        }
        self.init(name: "custom", steps: steps)
    }

    private static func flags(_ text: Substring) -> [Bool]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
        return parts.map { $0 == "1" }
    }

    private static func invalid(_ part: Substring) -> FlasherError {
        FlasherError(
            .unsupported, "reset sequence: expected D0, D1, R0, R1, U1,0 or W0.1 between '|', got '\(part)'")
    }
}
