import ArgumentParser
import ESPFlasher
import SerialPort

/// How a board gets into its loader.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How the board gets into its loader: default-reset, no-reset, usb-reset, or a sequence of esptool's custom_reset_sequence.",
            valueName: "reset"),
        transform: Self.before)
    var before = ConnectOptions()

    @Option(
        name: .customLong("connect-attempts"),
        help: ArgumentHelp("How often the board is reset until it answers.", valueName: "number"))
    var attempts = 7

    func validate() throws {
        guard (1...1000).contains(attempts) else {
            throw ValidationError("--connect-attempts: expected a number 1...1000, got \(attempts).")
        }
    }

    /// The options, for a flasher.
    var value: ConnectOptions {
        var result = before
        result.attempts = attempts
        return result
    }

    private static func before(_ text: String) throws -> ConnectOptions {
        switch text.replacing("_", with: "-") {
        case "default-reset": return ConnectOptions()
        case "no-reset", "no-reset-no-sync": return ConnectOptions(reset: .none)
        case "usb-reset": return ConnectOptions(reset: .sequence(.usbSerialJTAG))
        default:
            do {
                return ConnectOptions(reset: .sequence(try ResetSequence(custom: text)))
            } catch {
                throw ValidationError(
                    "Expected default-reset, no-reset, usb-reset or a sequence such as D0|R1|W0.1|D1|R0|W0.05|D0; \(error)"
                )
            }
        }
    }
}
