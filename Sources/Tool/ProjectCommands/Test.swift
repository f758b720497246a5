import ArgumentParser
import BenchRuns
import BenchSuites
import CommandSupport

/// `espbench test`.
struct Test: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run suites on a bench.",
        discussion: """
            Without arguments, runs every suite of the project. On the virtual bench time is virtual: the same suite and \
            seed give the same timeline, byte for byte. A bench on hardware, described in espbench.yaml ('espbench help \
            project'), runs them in real time on its board. A case with a step that the bench does not support is \
            skipped. Ctrl-C and SIGTERM end the run with a summary of the results so far, complete files and exit code \
            7.
            """)

    @OptionGroup var project: ProjectOptions
    @OptionGroup var bench: BenchOptions
    @OptionGroup var sanitizing: SanitizeOption
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var control: RunControlOptions
    @OptionGroup var files: ResultFileOptions
    @OptionGroup var verbosity: VerbosityOptions

    @Flag(help: "Print the reference of the steps of suites, and run nothing.")
    var steps = false

    @Argument(
        help: ArgumentHelp("Suites to run, or folders of them.", valueName: "suite"),
        completion: .file(extensions: ["yaml", "yml"]))
    var suites: [String] = []

    var unusedOptions: [UnusedOptions] {
        let files = ["--timeline", "--btsnoop", "--junit", "--instances"]
        let running = ["--fail-fast", "--jobs", "--require-all", "--sanitize", "--nimble", "--update"] + files
        let showing = ["--quiet", "-q", "--verbose", "-v", "--color"]
        if steps {
            let choosing = [
                "--project", "--firmware", "--seed", "--bench", "--case", "--tag", "--skip-tag", "--sample",
                "--last-failed", "--list", "--watch", "--json",
            ]
            return [UnusedOptions(running + showing + choosing, "--steps prints the reference, and nothing else")]
        }
        let json = UnusedOptions(
            ["--verbose", "-v", "--color"], "--json prints one object; it has all with --instances")
        return (self.files.json ? [json] : [])
            + (control.list ? [UnusedOptions(running + showing, "--list runs nothing")] : [])
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment, colour: verbosity.colour, isQuiet: verbosity.quiet)
        if steps { return output.data(SuiteReference.text) }
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        ClosedPipe.letWritesFail()
        defer { EndingSignals.end() }
        var run = TestRun(
            suites: suites, project: project, bench: bench, sanitizing: sanitizing, selection: selection,
            control: control, files: files,
            verbosity: verbosity.level, output: output, interruption: interruption, environment: environment)
        if control.watch { return try run.watch() }
        run.readBenches()
        if control.list { return try run.list() }
        try run.chooseAndRun()
    }
}
