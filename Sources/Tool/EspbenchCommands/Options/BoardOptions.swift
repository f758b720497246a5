import ArgumentParser
import BenchProject
import SerialPort

/// The selected board.
struct BoardOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The board's port, or auto for the only one; see 'espbench ports'. Without it, a virtual ESP32.",
            valueName: "address"),
        transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given; `nil`: the virtual board of this user.
    var port: PortSelector? { ports.first }

    func validate() throws { try PortSelector.checkOne(ports) }

    @OptionGroup var flash: FlashFileOptions

    /// The port of a real or served board; `nil`: the virtual board of this user.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` for `auto`, when there is no candidate or more than one.
    func address(_ environment: Environment, _ output: Output) async throws -> PortAddress? {
        guard let port else { return nil }
        return try await PortChoice(environment, output).address(port)
    }
}

/// The selected virtual board.
struct FlashFileOptions: ParsableArguments {
    @Option(
        name: .customLong("flash-file"),
        help: ArgumentHelp(
            "The file of the virtual board's flash; created if missing.", valueName: "file"),
        completion: .file())
    var flashFile: String?
}

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

/// The ports of the boards that a command works on.
struct PortOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "A board's port, or auto; see 'espbench ports'. Repeatable. (default: the only board)",
            valueName: "address"),
        transform: PortSelector.init(option:))
    var ports: [PortSelector] = []

    /// The ports; without the option, the only board's.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    func addresses(_ environment: Environment, _ output: Output) async throws -> [PortAddress] {
        try await PortChoice(environment, output).addresses(ports)
    }
}

/// The port of the board that a command works on.
struct PortOption: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The board's port, or auto; see 'espbench ports'. (default: the only board)", valueName: "address"),
        transform: PortSelector.init(option:))
    private var ports: [PortSelector] = []

    /// The port as given.
    var port: PortSelector? { ports.first }

    func validate() throws { try PortSelector.checkOne(ports) }

    /// The port; without the option, the only board's.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPort` when there is no candidate or more than one.
    func address(_ environment: Environment, _ output: Output) async throws -> PortAddress {
        try await PortChoice(environment, output).address(port)
    }
}
