import ArgumentParser
import BenchSuites
import Foundation

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

/// How a run goes on.
struct RunControlOptions: ParsableArguments {
    @Flag(help: "Print the suites and cases that would run, and run nothing; --json: as one JSON object.")
    var list = false

    @Flag(help: "End the run after the first failure.")
    var failFast = false

    @Flag(
        help: ArgumentHelp(
            "After the run, wait for changes of suites, sketches, libraries and the project's file, and run again what they concern. Enter runs all again, q ends with the exit code of the last run, Ctrl-C with 7."
        ))
    var watch = false

    func validate() throws {
        if list, watch { throw ValidationError("--list runs nothing, and --watch runs again: give one of them.") }
    }
}

/// The results for programs, and the files that a run writes.
struct ResultFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write all events to this file, as JSON Lines.", valueName: "file"),
        completion: .file())
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"),
        completion: .file())
    var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, even if there are none.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write the results to this file as JUnit XML, for GitLab, Jenkins and others; also those of a run that fails early.",
            valueName: "file"),
        completion: .file())
    var junit: String?

    @Flag(help: "With --json or --junit: list every instance of every case, not only their number.")
    var instances = false

    /// How the names of files end that a run reads: they must not be written over by mistake.
    private static let sources = [
        ".yaml", ".yml", ".ino", ".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".cxx", ".s", ".ini", ".properties",
    ]

    func validate() throws {
        if instances, !json, junit == nil { throw ValidationError("--instances needs --json or --junit.") }
        var options: [String: String] = [:]
        for (option, file) in [("--timeline", timeline), ("--btsnoop", btsnoop), ("--junit", junit)] {
            guard let file else { continue }
            if [".yaml", ".yml"].contains(where: file.hasSuffix) {
                throw ValidationError("\(option) takes the file to write, got the suite '\(file)'.")
            }
            let path = URL(filePath: file).standardizedFileURL.resolvingSymlinksInPath().path
            if Self.sources.contains(where: path.lowercased().hasSuffix) {
                throw ValidationError("\(option) takes the file to write, got '\(file)', which is a source.")
            }
            if let other = options.updateValue(option, forKey: path), !path.hasPrefix("/dev/") {
                throw ValidationError("\(other) and \(option) name the same file '\(file)': give each its own.")
            }
        }
    }
}

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

/// Whether the sketch checks itself.
struct SanitizeOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Build the sketch, its libraries and the host core with AddressSanitizer and UndefinedBehaviorSanitizer: what they find is a crash with file and line. On the virtual board only."
        ))
    var sanitize = false

    /// The option as a command that does the same again has it.
    var repeated: [String] { sanitize ? ["--sanitize"] : [] }
}
