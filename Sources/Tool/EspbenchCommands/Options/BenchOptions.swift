import ArgumentParser
import BenchProject

/// The bench, and what is expected of it.
struct BenchOptions: ParsableArguments {
    @Option(
        name: .customLong("seed"),
        help: ArgumentHelp(
            "The seed of all random numbers of the bench. (default: 0; with --last-failed, that of the failed run)",
            valueName: "number"))
    var givenSeed: UInt64?

    @Option(
        name: .customLong("bench"),
        help: ArgumentHelp(
            "The bench to run on: a kind, or a name of espbench.yaml; by default its 'default', or virtual.",
            valueName: "name"))
    var givenBench: String?

    @Option(
        help: ArgumentHelp(
            "Run so many cases at a time, each on a bench of its own.", valueName: "number"))
    var jobs = 1

    @Flag(help: "Fail cases that need an ability the bench lacks, instead of skipping them.")
    var requireAll = false

    func validate() throws {
        guard (1...Self.mostJobs).contains(jobs) else {
            throw ValidationError("--jobs: expected a number 1...\(Self.mostJobs), got \(jobs).")
        }
    }

    /// A limit for memory's sake.
    private static let mostJobs = 256

    /// The options, other than the seed, as a command that does the same again has them.
    var repeated: [String] {
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
    var bench: String { selected.kind }

    /// The name of the bench in results: that of a bench on hardware, or the kind.
    var name: String { hardware?.name ?? selected.kind }

    /// What the bench is made of, where it is hardware.
    var hardware: HardwareEntry? { selected.hardware }

    /// How often a failed instance is run again.
    var retries: Int { hardware?.retries ?? 0 }

    /// The seed of all random numbers.
    var seed: UInt64 { givenSeed ?? selected.seed ?? 0 }

    private var selected: ProjectFile.Bench {
        ProjectFile.bench(givenBench ?? "default", in: projectBenches)
            ?? ProjectFile.Bench(kind: givenBench ?? "virtual")
    }
}
