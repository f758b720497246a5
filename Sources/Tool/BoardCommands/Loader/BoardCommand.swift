import ArgumentParser
import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import FirmwareBuild
import SerialPort

/// A command that performs the same work on the board at each port.
protocol BoardCommand: ParsableCommand, Sendable {
    var ports: PortOptions { get }
    var loader: LoaderOptions { get }
}

extension BoardCommand {
    /// Runs the command.
    ///
    /// - Parameters:
    ///   - describes: true for a command that only describes the board.
    ///   - prepare: reads and checks the arguments, before a port is opened.
    ///   - confirm: asks the user before the boards are touched.
    ///   - body: the work on one board.
    func run<Work: Sendable>(
        describes: Bool = false,
        prepare: @escaping @Sendable (Output) throws -> Work,
        confirm: @escaping @Sendable (Work, [PortAddress], Environment, Output) throws -> Void = { _, _, _, _ in },
        body: @escaping @Sendable (Work, borrowing BoardSession, Output) async throws -> Void
    ) throws {
        let environment = Environment.process
        let output = Output(environment)
        let (ports, loader) = (ports, loader)
        try CommandRunner.run(output) { _ in
            let work = try prepare(output)
            let addresses = try await ports.addresses(environment, output)
            try confirm(work, addresses, environment, output)
            let sessions = try BoardSessions(addresses, loader, environment, output, describes: describes)
            return try await sessions.run { session in
                try await body(work, session, output)
                return .passed
            }
        }
    }
}

/// The options for putting a board into its loader.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How the board gets into its loader: default-reset, no-reset, usb-reset, or a sequence of esptool's custom_reset_sequence.",
            valueName: "reset"),
        transform: Self.before)
    var before = ConnectOptions()

    @Option(
        name: .customLong("connect-attempts"),
        help: ArgumentHelp("The maximum number of resets until the board answers. (default: 7)", valueName: "number"),
        transform: NumberOption.within(1...1000))
    var attempts = 7

    @Option(
        help: ArgumentHelp(
            "Refuse the board unless it has this chip: \(BuildTarget.chipNames).", valueName: "chip"),
        completion: .list(BuildTarget.chips), transform: Self.chip)
    var chip: Chip?

    /// The options in the flasher's form.
    var value: ConnectOptions {
        var result = before
        result.attempts = attempts
        return result
    }

    private static func chip(_ text: String) throws -> Chip {
        do throws(CommandFailure) {
            return try ImageMake.chip(named: text)
        } catch {
            throw ValidationError(error.message)
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
}
