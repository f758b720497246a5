import Subprocess
import SystemPackage

/// Runs a program to its end and collects its output.
struct CommandLineTool: Sendable {
    /// The result of one run.
    struct Outcome: Sendable {
        var isSuccess: Bool
        var standardOutput: String
        var standardError: String
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

    /// The longest output kept of one stream, in bytes: compilers can print much for one error.
    private static let outputLimit = 4 << 20

    /// Runs the program with `arguments`.
    ///
    /// - Throws: ``FirmwareBuildError`` when it cannot be started.
    func run(_ arguments: [String]) async throws(FirmwareBuildError) -> Outcome {
        do {
            let result = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments), output: .string(limit: Self.outputLimit),
                error: .string(limit: Self.outputLimit))
            return Outcome(
                isSuccess: result.terminationStatus.isSuccess, standardOutput: result.standardOutput,
                standardError: result.standardError)
        } catch {
            let reason = (error as? SubprocessError)?.underlyingError.map { "\($0)" } ?? "\(error)"
            throw FirmwareBuildError(.compilerNotFound, "\(path) could not be run: \(reason)")
        }
    }
}
