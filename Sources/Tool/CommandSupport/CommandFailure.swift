import ArgumentParser
package import BenchExecutor
import BenchHardware
import BenchProject
package import BenchReports
internal import BLECentral
import ESPFlasher
import FirmwareBuild
import SerialPort
internal import SourceText

#if canImport(VirtualBoard)
    import VirtualBoard
#endif

/// The error of a command.
package struct CommandFailure: Error, CustomStringConvertible {
    /// The exit code.
    package var status: ExitReason
    /// The failure; may have several lines.
    package var message: String
    /// The key of ``Hints``.
    package var code: String
    /// The places in suites or sketches that caused the failure, as far as they are known.
    package var diagnostics: [RunOutcome.Diagnostic]

    package var description: String { message }

    /// A failure; by default its places are those that `message` names.
    package init(
        _ status: ExitReason, _ message: String, code: String = "", diagnostics: [RunOutcome.Diagnostic]? = nil
    ) {
        self.status = status
        self.message = message
        self.code = code
        self.diagnostics = diagnostics ?? RunOutcome.Diagnostic.found(in: message)
    }

    /// One failure with the distinct messages of `failures`; `nil` if there are no failures.
    package init?(all failures: [CommandFailure]) {
        guard let first = failures.first else { return nil }
        var messages: [String] = []
        for failure in failures where !messages.contains(failure.message) { messages.append(failure.message) }
        self.init(first.status, messages.joined(separator: "\n"), code: first.code)
        diagnostics = failures.flatMap(\.diagnostics)
    }

    /// True if the selection contains no case, which need not be an error.
    package var isNothingSelected: Bool { ["suite.noCase", "suite.noFailures"].contains(code) }

    /// The outcome of a run with this failure.
    package var outcome: RunOutcome {
        RunOutcome(
            name: "\(status)", exitCode: Int(status.rawValue),
            error: RunOutcome.Fault(message: message, hint: Hints.text(for: code), diagnostics: diagnostics))
    }

    /// The failure for an error of the libraries; `status` is used if the error determines no exit code.
    package init(_ error: any Error, _ status: ExitReason) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as FirmwareBuildError:
            // An error of the machine, not of the sketch.
            let status: ExitReason =
                switch error.code {
                case .fileSystem: .benchFault
                case .noProgram: .badInput
                default: .buildFailed
                }
            self.init(status, error.description, code: "build.\(error.code)")
        case let error as ProjectError:
            let isSketch = error.code == .noSketch || error.code == .ambiguousSketch
            self.init(isSketch ? .buildFailed : status, error.description, code: "project.\(error.code.rawValue)")
        case let error as FlasherError:
            self.init(Self.status(error.code), error.description, code: "flash.\(error.code.rawValue)")
            if let cause = error.underlying as? SerialPortError {
                (self.status, code) = (.portFailed, Self.code(cause))
            }
        case let error as SerialPortError:
            self.init(.portFailed, error.description, code: Self.code(error))
        case let error as PowerSwitchError: self.init(.benchFault, error.description, code: "bench.power")
        case let error as CentralError: self.init(error)
        case let error as CentralOpenError:
            self.init(.noCentral, error.description, code: "central.open.\(error.code.rawValue)")
        default:
            #if canImport(VirtualBoard)
                if let error = error as? FlashError {
                    self.init(.flashFailed, error.description, code: "flashFile.\(error.code)")
                    return
                }
            #endif
            self.init(status, "\(error)")
        }
    }

    /// The code of a port's error; nothing on this machine has a port of another one.
    private static func code(_ error: SerialPortError) -> String {
        error.code == .busy && error.port.contains("://") ? "port.busyNetwork" : "port.\(error.code.rawValue)"
    }

    /// The exit code for a failure of the flasher.
    private static func status(_ code: FlasherError.Code) -> ExitReason {
        switch code {
        case .port: .portFailed
        case .invalidImage, .invalidStub, .damagedStub: .badInput
        case .wrongChip, .wrongStub, .notInRAM, .stubRunning, .beyondEnd, .tooLarge, .misaligned, .hostImageOnRealBoard,
            .secureDownload, .encryptedFlash, .unsupported:
            .refused
        case .verifyMismatch, .readMismatch: .mismatch
        default: .flashFailed
        }
    }
}

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

extension RunOutcome.Diagnostic {
    /// The places in suites and sources that `text` names, each once: lines such as `Lamp.ino:5:3: error: …`,
    /// `espbench.yaml:2: …`, or, from a linker, `ld: Lamp.ino:5: undefined reference to …`. A compiler's warnings and
    /// notes are omitted.
    package static func found(in text: String) -> [Self] {
        var seen: Set<Self> = []
        return text.split(whereSeparator: \.isNewline).compactMap(place).filter { seen.insert($0).inserted }
    }

    private static func place(_ line: Substring) -> Self? {
        let form =
            #/
            (?:\S*ld:\ )? (?<file>\S.*?\.(?:ya?ml|ino|h|hpp|hh|c|cc|cpp|cxx)) : (?<line>\d+) : (?:(?<column>\d+):)?
            \ (?:(?:fatal\ )?error:\ )? (?<text>.+)
            /#
        guard let match = line.wholeMatch(of: form), let line = Int(match.line), line > 0,
            !["warning: ", "note: "].contains(where: match.text.hasPrefix)
        else { return nil }
        let column = match.column.flatMap { Int($0) } ?? 1
        return Self(
            file: String(match.file), position: SourcePosition(line: line, column: column),
            message: String(match.text))
    }
}
