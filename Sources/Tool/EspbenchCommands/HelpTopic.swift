internal import ArgumentParser
import BenchModel
import BenchProject
import CommandSupport
import FirmwareBuild

/// The names of a command, and its subcommands.
package struct CommandNames: Sendable {
    /// The name and the aliases.
    package var names: [String]
    /// The subcommands.
    package var subcommands: [CommandNames]

    package init(_ names: [String], _ subcommands: [CommandNames] = []) {
        (self.names, self.subcommands) = (names, subcommands)
    }

    init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init([command._commandName] + configuration.aliases, configuration.subcommands.map { CommandNames($0) })
    }
}

/// The pages of the manual that `espbench help TOPIC` prints.
package enum HelpTopic: String, CaseIterable {
    case install
    case project
    case suites
    case testing
    case hostCore = "host-core"
    case limits
    case boards
    case serving
    case hardware
    case bluetooth
    case descriptions
    case parts = "part-files"
    case ci
    case results
    case timeline
    case swiftTests = "swift-tests"

    /// The page's path, relative to the repository and to the installed documentation.
    package var page: String {
        switch self {
        case .install: "Scripts/INSTALL.md"
        case .project: "Firmware/PROJECT.md"
        case .suites: "Firmware/SUITES.md"
        case .testing: "Firmware/TESTING.md"
        case .hostCore: "Firmware/Host/README.md"
        case .limits: "Firmware/LIMITS.md"
        case .boards: "Sources/Serial/BOARDS.md"
        case .serving: "Sources/Board/SERVING.md"
        case .hardware: "Sources/Bench/HARDWARE.md"
        case .bluetooth: "Sources/Bluetooth/TOOL.md"
        case .descriptions: "Sources/Bluetooth/BLEDescriptions/README.md"
        case .parts: "Sources/Board/BoardParts/README.md"
        case .ci: "Sources/Bench/CI.md"
        case .results: "Sources/Bench/RESULTS.md"
        case .timeline: "Sources/Bench/TIMELINE.md"
        case .swiftTests: "Tests/UserPackage/README.md"
        }
    }

    /// The list of topics in `espbench help`.
    package static let list =
        "'espbench help TOPIC' prints a page of the manual; exit codes are in 'results'. Topics: "
        + allCases.map(\.rawValue).joined(separator: ", ") + "."

    /// The topic that a command line requests.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program.
    ///   - commands: the commands.
    /// - Throws: a ``CommandFailure`` for an unknown topic, and for an unknown command.
    package static func requested(
        _ arguments: [String], commands: [CommandNames]
    ) throws(CommandFailure) -> HelpTopic? {
        let verbs = commands.flatMap(\.names)
        guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
        guard first == "help" else {
            guard !verbs.contains(first) else { return nil }
            throw CommandFailure(
                .usage,
                "unknown command '\(first)'\(Suggestion.text(for: first, in: verbs + ["help"])), expected one of: \((verbs + ["help"]).joined(separator: ", "))",
                code: "usage.unknownCommand")
        }
        guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
        if arguments.count == 2, let topic = HelpTopic(rawValue: arguments[1]) { return topic }
        var (level, topics) = (commands, HelpTopic.allCases.map(\.rawValue))
        for word in arguments.dropFirst() {
            guard let command = level.first(where: { $0.names.contains(word) }) else {
                let known = level.flatMap(\.names) + topics
                let expected = known.isEmpty ? "no more words" : "one of: \(known.joined(separator: ", "))"
                throw CommandFailure(
                    .usage, "no help about '\(word)'\(Suggestion.text(for: word, in: known)), expected \(expected)",
                    code: "usage.unknownCommand")
            }
            (level, topics) = (command.subcommands, [])
        }
        return nil
    }

    /// The text of the page.
    ///
    /// - Throws: ``CommandFailure`` when the page does not exist.
    package func text(_ environment: Environment) throws -> String {
        // The page describes the host core in use, which may differ from the program's own.
        if self == .hostCore { return try Self.text(of: environment.hostCore() + "/README.md") }
        let files = SystemFiles()
        for folder in ProjectFinder.folders(above: environment.executable) {
            for place in ["share/doc/espbench/\(page)", page] where files.kind(of: "\(folder)/\(place)") == .file {
                return try Self.text(of: "\(folder)/\(place)")
            }
        }
        throw CommandFailure(
            .benchFault, "the page \(page) is not beside the program \(environment.executable)",
            code: "build.hostCoreNotFound")
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do throws(FileFault) {
            return try SystemFiles().text(of: path)
        } catch {
            throw CommandFailure(.benchFault, "\(path) could not be read: \(error)")
        }
    }
}
