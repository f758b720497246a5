import ArgumentParser
package import BenchExecutor

/// Runs a command, and converts its failure to messages and an exit code.
package enum CommandRunner {
    /// Runs `body` on a new executor in real time. With `allowsClosedPipe`, a closed output pipe is not a failure, as its
    /// reader may be a pager.
    package static func run(
        _ output: Output, allowsClosedPipe: Bool = false,
        _ body: @escaping @Sendable (BenchExecutor) async throws -> ExitReason
    ) throws {
        try finish(output, allowsClosedPipe: allowsClosedPipe) {
            let executor = BenchExecutor(pace: .real)
            return try executor.run { try await Ports.opened.closing { try await body(executor) } }
        }
    }

    /// Runs `body` on the calling thread. With `allowsClosedPipe`, a closed output pipe is not a failure.
    package static func finish(
        _ output: Output, allowsClosedPipe: Bool = false, _ body: () throws -> ExitReason
    ) throws {
        var status: ExitReason
        do {
            status = try body()
            try output.checkData(allowsClosedPipe: allowsClosedPipe)
        } catch {
            if output.isDataClosed { ClosedPipe.end() }
            let failure = CommandFailure(error, .benchFault)
            output.note("error: \(failure.message)")
            if let hint = Hints.text(for: failure.code) { output.note("hint: \(hint)") }
            output.gitHub?.show(failure, output)
            status = failure.status
        }
        if status != .passed { throw status.exitCode }
    }
}

/// The meaning of a command's exit code; the numbers are stable.
package enum ExitReason: Int32, CaseIterable {
    /// The command succeeded, and every case passed.
    case passed = 0
    /// A case failed: an unmet expectation, or a failure of the link or of the central's stack.
    case testsFailed = 1
    /// No case was run: no suite was found, a suite is invalid, or no case has the requested name. Or a case failed
    /// because of a mistake in its suite.
    case nothingRan = 2
    /// The sketch was not found or does not build.
    case buildFailed = 3
    /// The board could not be reached or flashed.
    case flashFailed = 4
    /// A case failed because the firmware crashed or hung.
    case panic = 5
    /// The bench or the machine failed, e.g. a file or standard output could not be written.
    case benchFault = 6
    /// Ctrl-C, SIGTERM or SIGHUP ended the command early.
    case interrupted = 7
    /// A file, image, partition table or stub cannot be used.
    case badInput = 8
    /// The port could not be opened, or the connection was lost.
    case portFailed = 9
    /// The board or image was refused before anything was changed: wrong chip, beyond the flash, secure download mode.
    case refused = 10
    /// The flash differs from the expected contents, or one run from another.
    case mismatch = 11
    /// The monitor's --timeout passed before --until was seen, or notify's --for before --count values were received.
    case timedOut = 12
    /// The monitor saw --fail-on.
    case failOn = 13
    /// No port was given, and the machine has no port or more than one.
    case noPort = 14
    /// There is no Bluetooth stack or adapter, or it cannot be used.
    case noCentral = 15
    /// The Bluetooth peer was not found.
    case noPeer = 16
    /// The Bluetooth connection could not be made, or was lost.
    case linkFailed = 17
    /// The Bluetooth peer refused: an ATT error, a failed pairing, or a missing attribute.
    case peerRefused = 18
    /// The doctor found a missing requirement.
    case missing = 19
    /// The command line is wrong.
    case usage = 64

    /// The exit code for the argument parser.
    package var exitCode: ExitCode { ExitCode(rawValue) }

    /// The meaning, in a line.
    package var meaning: String {
        switch self {
        case .passed: "passed"
        case .testsFailed: "a case failed"
        case .nothingRan: "a mistake in a suite; or nothing ran: no suite, or no case of that name"
        case .buildFailed: "the sketch does not build"
        case .flashFailed: "the board could not be reached or flashed"
        case .panic: "the firmware crashed or hung in a case"
        case .benchFault: "the bench itself failed, or a file or the output could not be written"
        case .interrupted: "interrupted by Ctrl-C, SIGTERM or SIGHUP"
        case .badInput: "a file, image, partition table or stub cannot be used"
        case .portFailed: "the port could not be opened, or the connection was lost"
        case .refused: "refused before anything was changed: wrong chip, beyond the flash, secure download mode"
        case .mismatch: "the flash differs from what was expected; compare: the runs differ"
        case .timedOut:
            "monitor, run: --timeout passed before --until was seen; notify: --for passed before --count values"
        case .failOn: "monitor, run: --fail-on was seen"
        case .noPort: "no --port, and there is no port or more than one"
        case .noCentral: "no Bluetooth stack or adapter, or it cannot be used"
        case .noPeer: "the Bluetooth peer was not found"
        case .linkFailed: "the Bluetooth connection could not be made, or was lost"
        case .peerRefused: "the Bluetooth peer refused: ATT error, pairing failed, or no such attribute"
        case .missing: "doctor: something that is needed is missing"
        case .usage: "the command line is wrong"
        }
    }
}
