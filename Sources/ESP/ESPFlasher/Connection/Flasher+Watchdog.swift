import ESPChips
import ESPProtocol
import SerialPort

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
