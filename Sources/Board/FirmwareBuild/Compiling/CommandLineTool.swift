import Subprocess
import SystemPackage

/// Runs a program to its end and collects its output.
struct CommandLineTool: Sendable {
    /// The result of one run.
    struct Outcome: Sendable {
        var isSuccess: Bool
        var output: [UInt8]
        var standardError: String

        var standardOutput: String { String(decoding: output, as: UTF8.self) }
    }

    /// The program's path.
    let path: String

    /// The first of `names` found in PATH; a name with a slash is a path.
    static func find(_ names: [String]) async -> CommandLineTool? {
        for name in names {
            let executable = name.contains("/") ? Executable.path(FilePath(name)) : Executable.name(name)
            if let path = try? await executable.resolveExecutablePath(in: .inherit) {
                return CommandLineTool(path: path.string)
            }
        }
        return nil
    }

    /// The longest output kept of one stream, in bytes: compilers can print much for one error, and the preprocessor
    /// prints all headers.
    private static let outputLimit = 32 << 20

    /// Messages in English, since some of them are interpreted; with quotation marks in UTF-8.
    private static let environment = Environment.inherit.updating(["LC_ALL": "C.UTF-8", "LANGUAGE": "C"])

    /// A compiler runs others: they are ended together. Ctrl-C reaches only espbench, which knows why they end.
    private static var ownGroup: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        return options
    }

    /// Runs the program with `arguments`.
    ///
    /// - Throws: ``FirmwareBuildError`` when it cannot be started, or a disk is full.
    func run(_ arguments: [String]) async throws(FirmwareBuildError) -> Outcome {
        let outcome = try await outcome(arguments)
        let full = outcome.standardError.split(whereSeparator: \.isNewline).first { $0.contains(Self.diskIsFull) }
        if !outcome.isSuccess, let full {
            throw FirmwareBuildError(.fileSystem, "a disk is full: \(path) could not write a file: \(full)")
        }
        return outcome
    }

    /// What the C library says; other messages of a compiler then come of it.
    private static let diskIsFull = "No space left on device"

    private func outcome(_ arguments: [String]) async throws(FirmwareBuildError) -> Outcome {
        do {
            let path = path
            let result = try await ProgramSlots.shared.run {
                try await Subprocess.run(
                    .path(FilePath(path)), arguments: Arguments(arguments), environment: Self.environment,
                    platformOptions: Self.ownGroup, output: .bytes(limit: Self.outputLimit),
                    error: .bytes(limit: Self.outputLimit))
            }
            return Outcome(
                isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
                standardError: String(decoding: result.standardError, as: UTF8.self))
        } catch {
            let reason = (error as? SubprocessError)?.underlyingError.map { "\($0)" } ?? "\(error)"
            throw FirmwareBuildError(.compilerNotFound, "\(path) could not be run: \(reason)")
        }
    }
}
