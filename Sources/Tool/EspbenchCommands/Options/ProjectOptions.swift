import ArgumentParser

/// The location of the project.
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

    /// The help of arguments that name one sketch.
    static let sketchHelp = ArgumentHelp(
        "A folder, an .ino file, or the name of a sketch of the project; by default the sketch of the working folder, or the project's only one.",
        valueName: "sketch")

    /// What the user chose.
    var path: String? { project ?? firmware }

    /// The options as a command that does the same again has them.
    var repeated: [String] { path.map { ["--project", $0] } ?? [] }
}
