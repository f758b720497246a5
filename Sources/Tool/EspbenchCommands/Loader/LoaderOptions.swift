import ArgumentParser
import ESPChips
import ESPFlasher
import FirmwareBuild
import SerialPort

/// How a command talks to a board's loader.
struct LoaderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The highest rate of the line in bits per second; one that fails a check is followed by the next lower.",
            valueName: "rate"))
    var baud = 921_600

    @Option(
        help: ArgumentHelp(
            "The loader stub: a JSON file of the esptool package. (default: that of an installed esptool)",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var stub: String?

    @Flag(name: .customLong("no-stub"), help: "Use the loader in ROM, without a stub.")
    var noStub = false

    @Option(
        help: ArgumentHelp(
            "How the board gets into its loader: default-reset, no-reset, usb-reset, or a sequence of esptool's custom_reset_sequence.",
            valueName: "reset"),
        transform: Self.before)
    var before = ConnectOptions()

    @Option(
        help: ArgumentHelp(
            "What happens at the end: hard-reset, soft-reset, watchdog-reset or no-reset.", valueName: "reset"),
        transform: Self.after)
    var after = BoardReset.hard

    @Option(
        name: .customLong("connect-attempts"),
        help: ArgumentHelp("How often the board is reset until it answers.", valueName: "number"))
    var attempts = 7

    @Flag(help: "Print a line with a JSON object for each event and for the result.")
    var json = false

    func validate() throws {
        if noStub, stub != nil { throw ValidationError("--stub and --no-stub contradict each other.") }
        guard (300...12_000_000).contains(baud) else {
            throw ValidationError("--baud: expected a rate 300...12000000, got \(baud).")
        }
        guard (1...1000).contains(attempts) else {
            throw ValidationError("--connect-attempts: expected a number 1...1000, got \(attempts).")
        }
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

    private static func after(_ text: String) throws -> BoardReset {
        switch text.replacing("_", with: "-") {
        case "hard-reset": return .hard
        case "soft-reset": return .soft
        case "watchdog-reset": return .watchdog
        case "no-reset", "no-reset-stub": return .stay
        default:
            throw ValidationError(
                "Expected hard-reset, soft-reset, watchdog-reset or no-reset, got '\(text)'.")
        }
    }

    /// The beginning of a session.
    ///
    /// - Throws: ``CommandFailure`` when the stub's file cannot be used.
    func session(_ environment: Environment) throws -> SessionOptions {
        var connect = before
        connect.attempts = attempts
        let finder = StubFinder(environment.variables)
        if noStub { return SessionOptions(connect: connect, baudRate: baud) }
        if let stub {
            let image = try StubFinder.image(stub)
            return SessionOptions(connect: connect, baudRate: baud) { (_, _) throws(FlasherError) in image }
        }
        return SessionOptions(connect: connect, baudRate: baud) { (chip, revision) throws(FlasherError) in
            finder.image(for: chip, revision: revision)
        }
    }
}
