public import SerialPort

/// The resets that a server performs beside the board ("Boot Mode Selection" in esptool's documentation).
public enum LocalReset {
    private static let resetTime = Duration.milliseconds(100)
    /// How long IO0 is held low after EN is released.
    private static let holdTime = Duration.milliseconds(50)
    /// A chip's own USB controller needs longer to start.
    private static let usbResetTime = Duration.milliseconds(200)

    /// Resets the chip on `port` into its loader; DTR alone stays asserted on a UART, as the client has it.
    public static func intoLoader(_ port: any SerialPort) async throws {
        if port.traits.interface == .usbSerialJTAG {
            try await set(false, false, port, resetTime)
            try await set(true, false, port, resetTime)
            // By both asserted, not by none: the controller would take that as the end of the sequence.
            try await set(true, true, port)
            try await set(false, true, port, resetTime)
            try await set(false, false, port)
        } else {
            try await set(false, true, port, resetTime)
            try await set(true, false, port, holdTime)
        }
    }

    /// Resets the chip on `port` into its application.
    public static func hard(_ port: any SerialPort) async throws {
        let isUSB = port.traits.interface != .uart
        try await set(false, true, port, isUSB ? usbResetTime : resetTime)
        try await set(false, false, port, isUSB ? usbResetTime : .zero)
    }

    private static func set(
        _ dtr: Bool, _ rts: Bool, _ port: any SerialPort, _ pause: Duration = .zero
    ) async throws {
        try await port.setModemLines(ModemLines(dtr: dtr, rts: rts))
        if pause > .zero { try await port.pause(for: pause) }
    }
}
