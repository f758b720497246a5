import ESPChips
internal import ESPProtocol
import SerialPort

extension Flasher {
    /// The rates that are tried, from the highest.
    static let usualRates = [3_000_000, 2_000_000, 1_500_000, 921_600, 460_800, 230_400]

    /// True if the port leads to a UART, and its rate is higher than the initial rate of a session.
    var isRateRaised: Bool { port.traits.interface == .uart && baudRate > SerialSettings.default.baudRate }

    /// The next lower one of ``usualRates``; `nil` if none is lower: use the initial rate of a session.
    static func rate(below rate: Int) -> Int? { usualRates.first { $0 < rate } }

    /// Changes the baud rate to `rate` or, when the line does not carry it, to the next lower usual rate.
    ///
    /// Each rate is checked with digests of the flash, which ``identify()`` has attached. After a failed rate, the
    /// board is reset into its loader again, if the port can reset it.
    ///
    /// - Returns: the rate now in use; unchanged over the chip's own USB, where rates have no effect.
    /// - Throws: ``FlasherError`` with code `noisyLine` when the loader cannot be reached again after a failed rate, or
    ///   the error of a command.
    @discardableResult
    public func raiseBaudRate(upTo rate: Int, of board: ConnectedBoard) async throws(FlasherError) -> Int {
        guard port.traits.interface == .uart, rate != baudRate else { return baudRate }
        let limit = min(rate, port.traits.highestBaudRate ?? rate)
        let start = baudRate
        var candidates = [limit] + Self.usualRates.filter { $0 < limit && $0 > start }
        if limit <= start { candidates = [limit] }
        for candidate in candidates {
            do throws(FlasherError) {
                try await changeBaudRate(to: candidate, of: board)
                if try await isRateGood(board) { return candidate }
            } catch {
                let isPort = (error.underlying as? SerialPortError)?.code == .unsupported
                guard isPort || error.isTransient || error.code == .refused else { throw error }
            }
            try await leaveRate(candidate, for: start, of: board)
        }
        return baudRate
    }

    /// True if commands and answers arrive undamaged: reads two digests twice each, and compares them.
    private func isRateGood(_ board: ConnectedBoard) async throws(FlasherError) -> Bool {
        // Secure download mode has no digest command; the first write shows whether the rate works.
        guard !board.isInSecureDownloadMode else { return true }
        let faults = connection.faultCount
        for sector: UInt32 in [0, 1] {
            let command = FlashMD5(address: sector * 0x1000, size: 0x1000)
            let context = "checking the rate of \(baudRate)"
            let first = try await connection.send(command, within: LoaderTimeout.default, context).digest
            guard try await connection.send(command, context).digest.elementsEqual(first) else { return false }
        }
        return connection.faultCount == faults
    }

    /// Returns to `start` after `failed` did not work.
    private func leaveRate(_ failed: Int, for start: Int, of board: ConnectedBoard) async throws(FlasherError) {
        let context = "returning from \(failed) to \(start) bits per second"
        try await connection.onPort(context) { try await self.port.configure(SerialSettings(baudRate: start)) }
        connection.baudRate = start
        try await connection.discardInput(context)
        // The loader may not have changed its rate.
        if try await sync(context) { return }
        guard port.hasModemLines || port.traits.resetsItself else {
            throw FlasherError(
                .noisyLine,
                "\(port.name) does not carry \(failed) bits per second, and has no lines to reset the board: "
                    + "reset it into its loader, and use a lower rate")
        }
        let wasStub = connection.dialect == .stub
        try await connect(connectOptions)
        if wasStub, connection.dialect == .rom {
            throw FlasherError(
                .noisyLine, "\(port.name) does not carry \(failed) bits per second: the stub was lost; use a lower rate"
            )
        }
        if start != baudRate { try await changeBaudRate(to: start, of: board) }
        try await attachFlash(of: board)
    }

    /// Changes the baud rate, without a check.
    ///
    /// - Throws: ``FlasherError`` with code `port` when the port does not support it, `refused` or `timeout`.
    public func changeBaudRate(to rate: Int, of board: ConnectedBoard) async throws(FlasherError) {
        let context = "changing the rate to \(rate)"
        guard rate != baudRate else { return }
        guard let wanted = UInt32(exactly: rate), wanted > 0 else {
            throw FlasherError(.port, "\(context): expected a rate from 1 bit per second")
        }
        let command =
            switch connection.dialect {
            case .rom: ChangeBaudRate(newRate: try await romRate(wanted, of: board))
            case .stub: ChangeBaudRate(newRate: wanted, oldRate: UInt32(baudRate))
            }
        _ = try await connection.send(command, context)
        try await connection.onPort(context) {
            try await self.port.configure(SerialSettings(baudRate: rate))
            try await self.port.pause(for: LoaderTimeout.baudRateSettle)
        }
        try await connection.discardInput(context)
        connection.baudRate = rate
    }

    /// The rate to request from a ROM so that it switches to `rate`.
    ///
    /// The ESP32's ROM divides by the crystal frequency it measured with its inexact RC oscillator; the requested rate
    /// compensates that error ("Change Baudrate", ESP serial protocol, and ESP32 Technical Reference Manual 31.3.2).
    private func romRate(_ rate: UInt32, of board: ConnectedBoard) async throws(FlasherError) -> UInt32 {
        guard board.chip == .esp32, !board.isInSecureDownloadMode else { return rate }
        let calibration = UInt64(try await readRegister(ESP32Clock.calibrationRegister) >> 7)
        let oscillator = UInt64(try await readRegister(ESP32Clock.oscillatorFuse) & 0xFF)
        let measured = calibration * 15_625 * oscillator / 40
        guard Self.plausibleCrystals.contains(measured) else { return rate }
        let crystal: UInt64 = measured > 33_000_000 ? 40_000_000 : 26_000_000
        return UInt32(clamping: UInt64(rate) * measured / crystal)
    }

    /// The plausible measurements of a 26 or 40 MHz crystal, in Hz.
    private static let plausibleCrystals: ClosedRange<UInt64> = 20_000_000...50_000_000
}
