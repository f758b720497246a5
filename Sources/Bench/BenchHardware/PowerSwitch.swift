import BenchModel
import Subprocess
import SystemPackage

/// Switches a board's supply by commands of the user, e.g. of a USB hub or a relay.
public struct PowerSwitch: Sendable {
    /// The command that switches on, for `/bin/sh`.
    public var on: String
    /// The command that switches off.
    public var off: String
    /// The folder that the commands are run in.
    public var folder: String
    /// The time limit of a command.
    public var limit: Duration

    /// A switch whose commands are run in `folder`.
    public init(on: String, off: String, folder: String, limit: Duration = .seconds(30)) {
        self.on = on
        self.off = off
        self.folder = folder
        self.limit = limit
    }

    /// Runs a command to its end.
    ///
    /// - Throws: ``PowerSwitchError`` when it fails, or takes longer than its limit.
    func set(_ isOn: Bool) async throws {
        let command = isOn ? on : off
        let limit = limit
        let status: TerminationStatus? = try await withThrowingTaskGroup(of: Result<Outcome, any Error>?.self) {
            group in
            group.addTask {
                do { return .success(try await run(command)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await ContinuousClock().sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { return nil }
            let outcome = try result.get()
            guard outcome.status.isSuccess else {
                throw PowerSwitchError(isOn: isOn, command: command, detail: outcome.text)
            }
            return outcome.status
        }
        guard status != nil else {
            throw PowerSwitchError(
                isOn: isOn, command: command,
                detail: "expected the command to end within \(limit.brief); it did not end, and was terminated")
        }
    }

    private struct Outcome: Sendable {
        let status: TerminationStatus
        let errors: String

        var text: String {
            let last = errors.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
            return "expected exit code 0, got \(status)\(last)"
        }
    }

    /// Maximum number of kept bytes of a command's output.
    private static let outputLimit = 65_536

    private func run(_ command: String) async throws -> Outcome {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", command], workingDirectory: FilePath(folder), platformOptions: options,
            output: .discarded, error: .string(limit: Self.outputLimit))
        return Outcome(status: result.terminationStatus, errors: result.standardError)
    }
}

/// A command of a ``PowerSwitch`` has failed.
public struct PowerSwitchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// True if the command was to switch the supply on.
    public let isOn: Bool
    /// The command.
    public let command: String
    /// The expected and the received answer.
    public let detail: String

    /// The error on one line.
    public var description: String { "switching the board's supply \(isOn ? "on" : "off") by '\(command)': \(detail)" }
}
