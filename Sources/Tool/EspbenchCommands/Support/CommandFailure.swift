internal import BLECentral
import BenchHardware
import BenchProject
package import BenchReports
import ESPFlasher
import FirmwareBuild
import SerialPort

#if canImport(VirtualBoard)
    import VirtualBoard
#endif

/// The error of a command.
package struct CommandFailure: Error, CustomStringConvertible {
    /// The exit code.
    package var status: ExitReason
    /// What failed; may have several lines.
    package var message: String
    /// The key of ``Hints``.
    package var code: String
    /// The places in suites or sketches that are at fault, as far as they are known.
    package var diagnostics: [RunOutcome.Diagnostic]

    package var description: String { message }

    /// A failure; by default at the places that `message` names.
    package init(
        _ status: ExitReason, _ message: String, code: String = "", diagnostics: [RunOutcome.Diagnostic]? = nil
    ) {
        self.status = status
        self.message = message
        self.code = code
        self.diagnostics = diagnostics ?? RunOutcome.Diagnostic.found(in: message)
    }

    /// One failure with the messages of `failures`, each once; `nil` if there are none.
    init?(all failures: [CommandFailure]) {
        guard let first = failures.first else { return nil }
        var messages: [String] = []
        for failure in failures where !messages.contains(failure.message) { messages.append(failure.message) }
        self.init(first.status, messages.joined(separator: "\n"), code: first.code)
        diagnostics = failures.flatMap(\.diagnostics)
    }

    /// Whether the selection has no case of the suites, which may be all right.
    var isNothingSelected: Bool { ["suite.noCase", "suite.noFailures"].contains(code) }

    /// The outcome of a run that failed so.
    var outcome: RunOutcome {
        RunOutcome(
            name: "\(status)", exitCode: Int(status.rawValue),
            error: RunOutcome.Fault(message: message, hint: Hints.text(for: code), diagnostics: diagnostics))
    }

    /// The failure for an error of the libraries; `status` if the error does not determine it.
    package init(_ error: any Error, _ status: ExitReason) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as FirmwareBuildError:
            // A fault of the machine, not of the sketch.
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
