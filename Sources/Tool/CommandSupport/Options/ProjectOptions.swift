import ArgumentParser
import FirmwareBuild

/// The options for the location of the project, and for the NimBLE library of its builds.
package struct ProjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The project: a folder or its espbench.yaml. By default the nearest above the working folder.",
            valueName: "path"),
        completion: .directory)
    package var project: String?

    /// The former name of `--project`, up to version 0.1.
    @Option(help: .hidden)
    package var firmware: String?

    @Option(
        help: ArgumentHelp(
            """
            Build with the installed NimBLE-Arduino (library) or with the host core's own NimBLE (built-in). By \
            default the library where one is installed ('espbench help project').
            """,
            valueName: "which"),
        transform: Self.nimble)
    package var nimble: NimBLEChoice?

    private static func nimble(_ text: String) throws -> NimBLEChoice {
        guard let choice = NimBLEChoice(rawValue: text) else {
            let known = NimBLEChoice.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--nimble: expected \(known), got '\(text)'.")
        }
        return choice
    }

    /// The help text of arguments that name one sketch.
    package static let sketchHelp = ArgumentHelp(
        "A folder, an .ino file, or the name of a sketch of the project; by default the sketch of the working folder, or the project's only one.",
        valueName: "sketch")

    /// The path given by the user.
    package var path: String? { project ?? firmware }

    /// The options for a command that repeats the run.
    package var repeated: [String] {
        (path.map { ["--project", $0] } ?? []) + (nimble.map { ["--nimble", $0.rawValue] } ?? [])
    }

    package init() {}
}

/// Selects a build in which the sketch checks itself.
package struct SanitizeOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            """
            Build the sketch, its libraries and the host core with AddressSanitizer and UndefinedBehaviorSanitizer: an \
            error found by them is reported as a crash with file and line. On the virtual board only.
            """
        ))
    package var sanitize = false

    /// The option for a command that repeats the run.
    package var repeated: [String] { sanitize ? ["--sanitize"] : [] }

    package init() {}
}
