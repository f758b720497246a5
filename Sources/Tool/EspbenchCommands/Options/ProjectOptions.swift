import ArgumentParser
import FirmwareBuild

/// The location of the project, and what its sketches are built with.
struct ProjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The project: a folder or its espbench.yaml. By default the nearest above the working folder.",
            valueName: "path"),
        completion: .directory)
    var project: String?

    /// The name of `--project` up to version 0.1.
    @Option(help: .hidden)
    var firmware: String?

    @Option(
        help: ArgumentHelp(
            "Build with NimBLE-Arduino as installed, or with the host core's own NimBLE: library, built-in. By default the library where one is installed ('espbench help project').",
            valueName: "which"),
        transform: Self.nimble)
    var nimble: NimBLEChoice?

    private static func nimble(_ text: String) throws -> NimBLEChoice {
        guard let choice = NimBLEChoice(rawValue: text) else {
            let known = NimBLEChoice.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--nimble: expected \(known), got '\(text)'.")
        }
        return choice
    }

    /// The help of arguments that name one sketch.
    static let sketchHelp = ArgumentHelp(
        "A folder, an .ino file, or the name of a sketch of the project; by default the sketch of the working folder, or the project's only one.",
        valueName: "sketch")

    /// What the user chose.
    var path: String? { project ?? firmware }

    /// The options as a command that does the same again has them.
    var repeated: [String] {
        (path.map { ["--project", $0] } ?? []) + (nimble.map { ["--nimble", $0.rawValue] } ?? [])
    }
}

/// Where a live page is served.
struct LivePageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Serve the page on this TCP port; 0: any.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Keep the token of the page's address in this file, created if missing, so that with --port the address stays the same, and an open page connects again by itself.",
            valueName: "file"),
        completion: .file())
    var tokenFile: String?
}
