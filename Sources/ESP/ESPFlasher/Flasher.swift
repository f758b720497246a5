import ESPChips
import ESPProtocol
public import SerialPort

/// Controls the loader of a board over a serial port: connects, identifies the board, writes its flash, restarts it.
///
/// Used by one task at a time. The caller owns the port and closes it.
public final class Flasher {
    /// The number of connection attempts, each with another reset sequence.
    static let connectAttempts = 7
    /// The number of SYNCs per attempt.
    static let syncsPerAttempt = 5
    /// The number of attempts to send one block.
    static let blockAttempts = 3

    let connection: LoaderConnection
    private var baudRate = SerialSettings.default.baudRate

    /// A flasher on an open port.
    ///
    /// - Parameters:
    ///   - port: the port; its rate must be ``SerialPort/SerialSettings/default`` or will be set to it.
    ///   - clock: the clock of the time-outs; must be that of the port.
    public init(port: any SerialPort, clock: any Clock<Duration>) {
        connection = LoaderConnection(port: port, clock: clock)
    }

    private var port: any SerialPort { connection.port }

    // MARK: Connecting

    /// Resets the board into its loader and synchronizes with it.
    ///
    /// Over a port with modem lines each attempt begins with a reset; without them the board must be in its loader
    /// already.
    ///
    /// - Throws: ``FlasherError`` with code `noAnswer`, with a diagnosis of what the board does instead, or `port`.
    public func connect() async throws(FlasherError) {
        let context = "connecting over \(port.name)"
        try await connection.onPort(context) { try await self.port.configure(.default) }
        baudRate = SerialSettings.default.baudRate
        let resets = Self.resetSequences
        for attempt in 0..<Self.connectAttempts {
            if port.hasModemLines {
                let sequence = resets[attempt % resets.count]
                try await connection.onPort(context) { try await sequence.perform(on: self.port) }
            }
            for _ in 0..<Self.syncsPerAttempt where try await sync(context) { return }
        }
        throw FlasherError(
            .noAnswer,
            "\(port.name): no answer to \(Self.connectAttempts * Self.syncsPerAttempt) SYNCs: "
                + connection.noise.diagnosis)
    }

    static let resetSequences: [ResetSequence] = [
        .unixTight(), .unixTight(hold: ResetSequence.longHoldTime), .classic(),
        .classic(hold: ResetSequence.longHoldTime),
    ]

    private func sync(_ context: String) async throws(FlasherError) -> Bool {
        // The output so far (the boot log) is read, not discarded: it helps to diagnose a board that does not answer.
        let reply: Sync.Reply
        do throws(FlasherError) {
            reply = try await connection.send(Sync(), context)
        } catch  where error.code != .port {
            return false
        }
        connection.dialect = reply.dialect
        for _ in 1..<Sync.responseCount {
            guard try await connection.response(to: .sync, within: LoaderTimeout.sync, context) != nil else { break }
        }
        try await connection.discardInput(context)
        return true
    }

    // MARK: Rate

    /// Changes the baud rate.
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
        baudRate = rate
    }

    /// The rate to request from a ROM so that it switches to `rate`.
    ///
    /// The ESP32's ROM divides by the crystal frequency it measured with its inexact RC oscillator; the requested rate
    /// compensates that error ("Change Baudrate", ESP serial protocol, and ESP32 Technical Reference Manual 31.3.2).
    private func romRate(_ rate: UInt32, of board: ConnectedBoard) async throws(FlasherError) -> UInt32 {
        guard board.chip == .esp32 else { return rate }
        let calibration = UInt64(try await read(ESP32Clock.calibrationRegister) >> 7)
        let oscillator = UInt64(try await read(ESP32Clock.oscillatorFuse) & 0xFF)
        let measured = calibration * 15_625 * oscillator / 40
        guard ESP32Clock.plausible.contains(measured) else { return rate }
        let crystal: UInt64 = measured > 33_000_000 ? 40_000_000 : 26_000_000
        return UInt32(clamping: UInt64(rate) * measured / crystal)
    }

    private enum ESP32Clock {
        /// TIMG0_RTCCALICFG1: cycles of the crystal, in bits 7 to 31.
        static let calibrationRegister: UInt32 = 0x3FF5_F06C
        /// EFUSE_BLK0_RDATA4: the frequency of the RC oscillator, in bits 0 to 7.
        static let oscillatorFuse: UInt32 = 0x3FF5_A010
        /// The plausible measurements of a 26 or 40 MHz crystal, in Hz.
        static let plausible: ClosedRange<UInt64> = 20_000_000...50_000_000
    }

    // MARK: Restarting

    /// Restarts the board into its application: by the modem lines, or by the loader where there are none.
    public func restart() async throws(FlasherError) {
        let context = "restarting the board"
        if !port.hasModemLines {
            let nothing = FlashWriteRegion(eraseSize: 0, blockCount: 0, blockSize: romBlockSize, offset: 0)
            _ = try await connection.send(FlashBegin(nothing), context)
            do throws(FlasherError) {
                _ = try await connection.send(FlashEnd(reboots: true), context)
            } catch  where error.code == .timeout {
                // The board restarted before it had sent its answer.
            }
        }
        // The application's console uses the default rate again, and its first line must not be lost.
        try await connection.onPort(context) { try await self.port.configure(.default) }
        baudRate = SerialSettings.default.baudRate
        if port.hasModemLines {
            try await connection.onPort(context) { try await ResetSequence.hard.perform(on: self.port) }
        }
    }

    /// How long the boot log is read after a restart; ROM and bootloader have finished by then.
    static let bootTime = Duration.seconds(1)

    /// Reads the console in the first second after ``restart()``.
    ///
    /// - Returns: the lines that report why it does not run its application; empty when the log reports no problem.
    ///   Ends early when the port disappears with the restart, as that of a chip with native USB does.
    public func bootProblems() async -> [String] {
        let stopwatch = Stopwatch(connection.clock)
        var log: [UInt8] = []
        while log.count < Self.bootLogLimit {
            let remaining = Self.bootTime - stopwatch.elapsed
            guard remaining > .zero, let bytes = try? await port.read(upTo: 4096, within: remaining) else { break }
            log += bytes
        }
        return BootProblems.lines(in: log)
    }

    /// More bytes than a UART carries in that time.
    private static let bootLogLimit = 1 << 20

    // MARK: Registers

    func read(_ address: UInt32) async throws(FlasherError) -> UInt32 {
        try await connection.send(
            ReadRegister(address: address), "reading the register at 0x\(String(address, radix: 16))"
        ).value
    }
}

/// The size of a block sent to a ROM, in bytes.
let romBlockSize: UInt32 = 0x400
