import ArgumentParser
import BenchSuites

/// The selected cases.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("case"),
        help: ArgumentHelp(
            "Run only cases and instances with this name, as printed in the report, or that match it: * is any text, ? one character, [0-9] one of a set. Repeatable: any of them.",
            valueName: "name"))
    var names: [String] = []

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp(
            "Run only cases with this tag, their own or their suite's. Repeatable: any of them.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        name: .customLong("skip-tag"),
        help: ArgumentHelp("Leave out cases with this tag. Repeatable.", valueName: "tag"))
    var skippedTags: [String] = []

    @Option(
        name: .customLong("sample"),
        help: ArgumentHelp(
            "Run at most this many instances of each case, drawn at random with --seed.", valueName: "number"))
    var sampleSize: Int?

    @Flag(help: "Run only what failed when it last ran in this project.")
    var lastFailed = false

    func validate() throws {
        if let sampleSize, sampleSize < 1 {
            throw ValidationError("--sample takes the number of instances, at least 1, got \(sampleSize).")
        }
        if names.contains("") { throw ValidationError("--case takes a name or a pattern, got an empty one.") }
        if let tag = tags.first(where: skippedTags.contains) {
            throw ValidationError("--tag and --skip-tag both name '\(tag)'.")
        }
    }

    /// The selection of cases.
    var selection: CaseSelection {
        CaseSelection(
            names: names.map { NamePattern($0) }, tags: tags, skippedTags: skippedTags, sampleSize: sampleSize)
    }
}
