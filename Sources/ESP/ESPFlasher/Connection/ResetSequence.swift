public import SerialPort

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
    /// What to do, in order.
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

    /// Into the loader, for drivers that may set one line after the other.
    public static func classic(hold: Duration = holdTime) -> ResetSequence {
        ResetSequence(
            name: "classic",
            steps: [
                lines(dtr: false, rts: true), .pause(resetTime), lines(dtr: true, rts: false), .pause(hold),
                lines(dtr: false, rts: false),
            ])
    }

    /// Into the loader, for drivers that set both lines at once.
    public static func unixTight(hold: Duration = holdTime) -> ResetSequence {
        ResetSequence(
            name: "unix-tight",
            steps: [
                lines(dtr: false, rts: false), lines(dtr: true, rts: true), lines(dtr: false, rts: true),
                .pause(resetTime), lines(dtr: true, rts: false), .pause(hold), lines(dtr: false, rts: false),
            ])
    }

    /// Into the loader, over the chip's USB-Serial-JTAG controller, which watches the order of the lines' changes.
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

    /// The same for a chip whose USB controller is the port.
    public static let hardUSB = ResetSequence(
        name: "hard-usb",
        steps: [
            lines(dtr: false, rts: true), .pause(usbResetTime), lines(dtr: false, rts: false), .pause(usbResetTime),
        ])

    /// Reads a sequence of a user's own in esptool's form (its configuration file's `custom_reset_sequence`):
    /// commands separated by `|`: `D0`, `D1` set DTR, `R0`, `R1` RTS, `U1,0` both at once, `W0.1` waits seconds.
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

    /// The sequences that put a board into its loader over such a port, in the order in which they are tried.
    static func candidates(for interface: PortTraits.Interface) -> [ResetSequence] {
        let uart = [
            unixTight(), unixTight(hold: longHoldTime), classic(), classic(hold: longHoldTime),
        ]
        switch interface {
        case .uart: return uart
        case .usbSerialJTAG: return [usbSerialJTAG, usbSerialJTAG, unixTight(), classic()]
        // The ROM's USB stack has no lines; the application's may follow the classic sequence.
        case .usbOTG: return [classic(), usbSerialJTAG, classic(hold: longHoldTime)]
        }
    }

    /// Performs the steps on `port`.
    func perform(on port: any SerialPort) async throws {
        for step in steps {
            switch step {
            case .lines(let lines): try await port.setModemLines(lines)
            case .pause(let duration): try await port.pause(for: duration)
            }
        }
    }
}
