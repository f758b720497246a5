import ArgumentParser

/// When output is coloured.
enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

/// How much a run prints, and how.
struct VerbosityOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print only failed cases and the summary.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print every instance of every case.")
    var verbose = false

    @Option(
        name: .customLong("color"),
        help: ArgumentHelp(
            "Colour the report: auto (on a terminal, unless NO_COLOR is set), always or never.", valueName: "when"))
    var colour = ColourChoice.auto

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
    }
}

/// How much a run prints.
package enum Verbosity: Sendable {
    /// Failed cases only.
    case quiet
    /// Every case.
    case normal
    /// Every instance.
    case verbose
}

extension VerbosityOptions {
    var level: Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }
}
