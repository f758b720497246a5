import BenchProject
package import BenchReports
internal import BLECentral
import ESPFlasher
import FirmwareBuild
import SerialPort
internal import SourceText

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
        case let error as CentralError: self.init(error)
        case let error as CentralOpenError:
            self.init(.noCentral, error.description, code: "central.open.\(error.code.rawValue)")
        case let error as any FailureConvertible: self = error.commandFailure
        default: self.init(status, "\(error)")
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

/// An error of a library that this target does not import: a target that does converts it.
package protocol FailureConvertible: Error {
    var commandFailure: CommandFailure { get }
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
