import ArgumentParser
import BenchProject
import BenchSuites
import CommandSupport
import Foundation

/// The options that select cases.
package struct SelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("case"),
        help: ArgumentHelp(
            "Run only cases and instances with this name, as printed in the report, or that match it: * is any text, ? one character, [0-9] one of a set. Repeatable: any of them.",
            valueName: "name"),
        completion: SuiteCompletions.cases)
    package var names: [String] = []

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp(
            "Run only cases with this tag, their own or their suite's. Repeatable: any of them.", valueName: "tag"),
        completion: SuiteCompletions.tags)
    package var tags: [String] = []

    @Option(
        name: .customLong("skip-tag"),
        help: ArgumentHelp("Leave out cases with this tag. Repeatable.", valueName: "tag"),
        completion: SuiteCompletions.tags)
    package var skippedTags: [String] = []

    @Option(
        name: .customLong("sample"),
        help: ArgumentHelp(
            "Run at most this many instances of each case, drawn at random with --seed.", valueName: "number"),
        transform: NumberOption.within(1...Int.max))
    var sampleSize: Int?

    @Flag(help: "Run only the cases that failed in their last run in this project.")
    var lastFailed = false

    package func validate() throws {
        if names.contains("") { throw ValidationError("--case takes a name or a pattern, got an empty one.") }
        if let tag = tags.first(where: skippedTags.contains) {
            throw ValidationError("--tag and --skip-tag both name '\(tag)'.")
        }
    }

    /// The selection of cases.
    package var selection: CaseSelection {
        CaseSelection(
            names: names.map { NamePattern($0) }, tags: tags, skippedTags: skippedTags, sampleSize: sampleSize)
    }

    package init() {}
}

/// The options that control the course of a run.
package struct RunControlOptions: ParsableArguments {
    @Flag(help: "Print the suites and cases that would run, and run nothing; --json: as one JSON object.")
    package var list = false

    @Flag(help: "End the run after the first failure.")
    var failFast = false

    @Flag(
        help: ArgumentHelp(
            "After the run, wait for changes of suites, sketches, libraries and the project's file, and run the affected suites again. Enter runs all again, q ends with the exit code of the last run, Ctrl-C with 7."
        ))
    package var watch = false

    @Flag(
        help: ArgumentHelp(
            "Write the pictures of displays that suites expect, where files are missing or the display shows another one; the steps pass. Not in continuous integration."
        ))
    package var update = false

    package func validate() throws {
        if update, watch {
            throw ValidationError("--update accepts every picture, and --watch runs again: give one of them.")
        }
        if list, watch { throw ValidationError("--list runs nothing, and --watch runs again: give one of them.") }
    }

    package init() {}
}

/// The options for results in formats for programs, and for the files that a run writes.
package struct ResultFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write all events to this file, as JSON Lines.", valueName: "file"),
        completion: .file())
    package var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"),
        completion: .file())
    package var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, even if there are none.")
    package var json = false

    @Option(
        help: ArgumentHelp(
            "Write the results to this file as JUnit XML, for GitLab, Jenkins and others; also those of a run that fails early.",
            valueName: "file"),
        completion: .file())
    package var junit: String?

    @Flag(help: "With --json or --junit: list every instance of every case, not only their number.")
    package var instances = false

    /// The suffixes of files that a run reads: these files must not be overwritten by mistake.
    private static let sources = [
        ".yaml", ".yml", ".ino", ".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".cxx", ".s", ".ini", ".properties",
    ]

    package func validate() throws {
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

    package init() {}
}

/// The options for the amount and form of a run's output.
package struct VerbosityOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print only failed cases and the summary.")
    package var quiet = false

    @Flag(name: .shortAndLong, help: "Print every instance of every case.")
    var verbose = false

    @Option(
        name: .customLong("color"),
        help: ArgumentHelp(
            "Colour the report: auto (on a terminal, unless NO_COLOR is set), always or never.", valueName: "when"))
    package var colour = ColourChoice.auto

    package func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
    }

    package init() {}
}

/// The amount of a run's output.
package enum Verbosity: Sendable {
    /// Failed cases only.
    case quiet
    /// Every case.
    case normal
    /// Every instance.
    case verbose
}

extension VerbosityOptions {
    package var level: Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }
}

/// The options for the bench and its requirements.
package struct BenchOptions: ParsableArguments {
    @Option(
        name: .customLong("seed"),
        help: ArgumentHelp(
            "The seed of all random numbers of the bench. (default: 0; with --last-failed, that of the failed run)",
            valueName: "number"),
        transform: NumberOption.seed)
    var givenSeed: UInt64?

    @Option(
        name: .customLong("bench"),
        help: ArgumentHelp(
            """
            The bench to run on: a kind, or a bench of espbench.yaml. By default the bench 'default' of espbench.yaml, \
            else virtual.
            """,
            valueName: "name"),
        completion: SuiteCompletions.benches)
    var givenBench: String?

    @Option(
        help: ArgumentHelp(
            "Run this many cases at a time, each on a bench of its own. (default: 1)", valueName: "number"),
        transform: NumberOption.within(1...Self.mostJobs))
    package var jobs = 1

    @Flag(help: "Fail cases that need an ability the bench lacks, instead of skipping them.")
    var requireAll = false

    /// A limit on memory use.
    private static let mostJobs = 256

    /// The options, except the seed, for a command that repeats the run.
    package var repeated: [String] {
        (givenBench.map { ["--bench", $0] } ?? []) + (requireAll ? ["--require-all"] : [])
    }

    /// The project's benches.
    var projectBenches: [String: ProjectFile.Bench] = [:]

    private enum CodingKeys: CodingKey {
        case givenSeed
        case givenBench
        case jobs
        case requireAll
    }

    /// The kind of bench.
    package var bench: String { selected.kind }

    /// The name of the bench in results: that of a bench on hardware, or the kind.
    package var name: String { hardware?.name ?? selected.kind }

    /// The hardware of the bench; `nil` for a virtual one.
    package var hardware: HardwareEntry? { selected.hardware }

    /// The maximum number of repetitions of a failed instance.
    package var retries: Int { hardware?.retries ?? 0 }

    /// The seed of all random numbers.
    package var seed: UInt64 { givenSeed ?? selected.seed ?? 0 }

    private var selected: ProjectFile.Bench {
        ProjectFile.bench(givenBench ?? "default", in: projectBenches)
            ?? ProjectFile.Bench(kind: givenBench ?? "virtual")
    }

    package init() {}
}
