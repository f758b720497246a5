import ArgumentParser
import BoardConsole
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

    @Flag(name: .customLong("no-progress"), help: "Show no progress.")
    var noProgress = false

    @Flag(help: "Print a line with a JSON object for each event and for the result.")
    var json = false

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
        var session = noStub ? SessionOptions(baudRate: SessionOptions.usualBaudRate) : .usual(environment)
        session.connect = connection.value
        if let baud { (session.baudRate, session.raisesUnsetRate) = (baud, true) }
        if let stub {
            let image = try StubFinder.image(stub)
            session.stub = { (_, _) throws(FlasherError) in image }
        }
        return session
    }
}

extension BoardSessions {
    /// Sessions with a command's options. A command that only describes the board needs neither a stub for its few short
    /// requests nor a flash.
    init(
        _ addresses: [PortAddress], _ options: LoaderOptions, _ environment: Environment, _ output: Output,
        describes: Bool = false
    ) throws {
        var session = try options.session(environment)
        if describes, options.stub == nil { session = SessionOptions(connect: session.connect) }
        session.requiresFlash = !describes
        self.init(
            addresses.map(PortOpener.init), session, chip: options.connection.chip, after: options.after,
            isJSON: options.json, showsProgress: !options.noProgress, output)
    }
}
