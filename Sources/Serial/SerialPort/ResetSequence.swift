/// Steps on DTR and RTS that put a board into its loader, or restart it.
///
/// On common boards RTS pulls EN low and DTR pulls IO0 low; both asserted pull neither ("Boot Mode Selection", esptool
/// documentation).
public struct ResetSequence: Hashable, Sendable {
    /// One step.
    public enum Step: Hashable, Sendable {
        /// Sets both lines.
        case lines(ModemLines)
        /// Waits.
        case pause(Duration)
    }

    /// Its name, for messages.
    public let name: String
    /// The steps, in order.
    public let steps: [Step]

    /// A sequence of `steps`.
    public init(name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    /// How long IO0 is held low after the rising edge of EN.
    public static let holdTime: Duration = .milliseconds(50)
    /// The same for boards whose EN rises slowly, because of a large capacitor.
    public static let longHoldTime: Duration = .milliseconds(550)

    private static let resetTime: Duration = .milliseconds(100)
    /// How long a USB interface of the chip takes to see a change.
    private static let usbResetTime: Duration = .milliseconds(200)

    private static func lines(dtr: Bool, rts: Bool) -> Step {
        .lines(ModemLines(dtr: dtr, rts: rts))
    }

    /// Resets into the loader; for drivers that may set one line after the other.
    public static func classic(hold: Duration = holdTime) -> ResetSequence {
        ResetSequence(
            name: "classic",
            steps: [
                lines(dtr: false, rts: true), .pause(resetTime), lines(dtr: true, rts: false), .pause(hold),
                lines(dtr: false, rts: false),
            ])
    }

    /// Resets into the loader; for drivers that set both lines at once.
    public static func unixTight(hold: Duration = holdTime) -> ResetSequence {
        ResetSequence(
            name: "unix-tight",
            steps: [
                lines(dtr: false, rts: false), lines(dtr: true, rts: true), lines(dtr: false, rts: true),
                .pause(resetTime), lines(dtr: true, rts: false), .pause(hold), lines(dtr: false, rts: false),
            ])
    }

    /// Resets into the loader over the chip's USB-Serial-JTAG controller, which watches the order of the lines'
    /// changes.
    public static let usbSerialJTAG = ResetSequence(
        name: "usb-serial-jtag",
        steps: [
            lines(dtr: false, rts: false), .pause(resetTime), lines(dtr: true, rts: false), .pause(resetTime),
            lines(dtr: true, rts: true), lines(dtr: false, rts: true), .pause(resetTime),
            lines(dtr: false, rts: false),
        ])

    /// Restarts the board into its application.
    public static let hard = ResetSequence(
        name: "hard",
        steps: [lines(dtr: false, rts: true), .pause(resetTime), lines(dtr: false, rts: false)])

    /// The same for a port on the chip's own USB controller.
    public static let hardUSB = ResetSequence(
        name: "hard-usb",
        steps: [
            lines(dtr: false, rts: true), .pause(usbResetTime), lines(dtr: false, rts: false), .pause(usbResetTime),
        ])

    /// The sequences that put a board into its loader over a port with `interface`, in the order of the attempts.
    public static func candidates(for interface: PortTraits.Interface) -> [ResetSequence] {
        let uart = [
            unixTight(), unixTight(hold: longHoldTime), classic(), classic(hold: longHoldTime),
        ]
        switch interface {
        case .uart: return uart
        case .usbSerialJTAG: return [usbSerialJTAG, usbSerialJTAG, unixTight(), classic()]
        // The ROM's USB stack has no lines; the application's USB stack may follow the classic sequence.
        case .usbOTG: return [classic(), usbSerialJTAG, classic(hold: longHoldTime)]
        }
    }

    /// The sequence for a reset into the loader over a port with `interface`, in a single attempt without a check.
    public static func intoLoader(over interface: PortTraits.Interface) -> ResetSequence {
        interface == .usbSerialJTAG ? usbSerialJTAG : classic()
    }

    /// The sequence for a reset into the application over a port with `interface`.
    public static func intoApplication(over interface: PortTraits.Interface) -> ResetSequence {
        interface == .uart ? hard : hardUSB
    }

    /// Resets the chip on `port` by the sequence for its interface.
    ///
    /// A chip whose own USB device is the port may leave the bus with the reset; that is not a failure.
    ///
    /// - Parameters:
    ///   - intoLoader: true for a reset into the loader, false for one into the application.
    ///   - whileHeld: called at the end of the time in which the chip is held in reset.
    public static func reset(
        _ port: any SerialPort, intoLoader: Bool, whileHeld: () async throws -> Void = {}
    ) async throws {
        let interface = port.traits.interface
        let sequence = intoLoader ? Self.intoLoader(over: interface) : intoApplication(over: interface)
        do {
            try await sequence.perform(on: port, whileHeld: whileHeld)
        } catch let error as SerialPortError where error.code == .disconnected && interface != .uart {
            return
        }
    }

    /// Performs the steps on `port`; calls `whileHeld` at the end of the time in which RTS alone is asserted.
    public func perform(on port: any SerialPort, whileHeld: () async throws -> Void = {}) async throws {
        var isHeld = false
        for step in steps {
            switch step {
            case .lines(let lines):
                try await port.setModemLines(lines)
                isHeld = lines.rts && !lines.dtr
            case .pause(let duration):
                try await port.pause(for: duration)
                if isHeld { try await whileHeld() }
            }
        }
    }
}
