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

    /// How long IO0 is held low after the rising edge of EN.
    public static let holdTime: Duration = .milliseconds(50)
    /// The same for boards whose EN rises slowly, because of a large capacitor.
    public static let longHoldTime: Duration = .milliseconds(550)

    private static let resetTime: Duration = .milliseconds(100)

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

    /// Restarts the board into its application.
    public static let hard = ResetSequence(
        name: "hard",
        steps: [lines(dtr: false, rts: true), .pause(resetTime), lines(dtr: false, rts: false)])

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
