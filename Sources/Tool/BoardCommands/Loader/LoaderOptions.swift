import ArgumentParser
import CommandSupport
import ESPChips
import ESPFlasher
import FirmwareBuild
import Foundation
import SerialPort

/// The options for the communication with a board's loader.
struct LoaderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The highest rate of the line in bits per second; if a rate fails its check, the next lower one is used. \
            (default: 921600; over socket://, the rate is not changed)
            """,
            valueName: "rate"),
        transform: NumberOption.within(300...12_000_000))
    var baud: Int?

    @Option(
        help: ArgumentHelp(
            "The loader stub: a JSON file of the esptool package. (default: that of an installed esptool)",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var stub: String?

    @Flag(name: .customLong("no-stub"), help: "Use the loader in ROM, without a stub.")
    var noStub = false

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "What happens at the end: hard-reset, soft-reset, watchdog-reset or no-reset.", valueName: "reset"),
        transform: Self.after)
    var after = BoardReset.hard

    @Flag(help: "Print a line with a JSON object for each event and for the result.")
    var json = false

    private static let usualBaud = 921_600

    func validate() throws {
        if noStub, stub != nil { throw ValidationError("--stub and --no-stub contradict each other.") }
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

    /// The options of a session.
    ///
    /// - Throws: ``CommandFailure`` when the stub's file cannot be used.
    func session(_ environment: Environment) throws -> SessionOptions {
        let finder = StubFinder(environment.variables)
        var session = SessionOptions(
            connect: connection.value, baudRate: baud ?? Self.usualBaud, raisesUnsetRate: baud != nil)
        if noStub { return session }
        if let stub {
            let image = try StubFinder.image(stub)
            session.stub = { (_, _) throws(FlasherError) in image }
        } else {
            session.stub = { (chip, revision) throws(FlasherError) in finder.image(for: chip, revision: revision) }
        }
        return session
    }
}
