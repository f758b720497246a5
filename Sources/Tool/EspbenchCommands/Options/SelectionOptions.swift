import ArgumentParser

/// The selected cases.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Run only the case with this name, as printed in the report.", valueName: "name"))
    var caseName: String?
}
