import ArgumentParser

/// The meaning of a command's exit code; the numbers are stable.
package enum ExitReason: Int32, CaseIterable {
    /// The command succeeded, and every case passed.
    case passed = 0
    /// A case failed: an unmet expectation, or a failure of the link or of the central's stack.
    case testsFailed = 1
    /// No case was run: no suite was found, a suite is invalid, or no case has the requested name. Or a case failed for
    /// a mistake in its suite.
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
    /// The flash differs from what was expected of it, or one run from another.
    case mismatch = 11
    /// The monitor's --timeout passed before --until was seen, or --for of notify before as many values as --count.
    case timedOut = 12
    /// The monitor saw --fail-on.
    case failOn = 13
    /// No port was given, and there is none or more than one.
    case noPort = 14
    /// There is no Bluetooth stack or adapter, or it cannot be used.
    case noCentral = 15
    /// The Bluetooth peer was not found.
    case noPeer = 16
    /// The Bluetooth connection could not be made, or was lost.
    case linkFailed = 17
    /// The Bluetooth peer refused: an ATT error, a failed pairing, or it has no such attribute.
    case peerRefused = 18
    /// The doctor found that something is missing.
    case missing = 19
    /// The command line is wrong.
    case usage = 64

    /// The exit code for the argument parser.
    package var exitCode: ExitCode { ExitCode(rawValue) }

    /// What it means, in a line.
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
        case .timedOut: "monitor: --timeout passed before --until was seen; notify: --for passed before --count values"
        case .failOn: "monitor: --fail-on was seen"
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
