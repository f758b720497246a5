import ArgumentParser
import Bench
internal import BenchExecutor
import BenchRuns
internal import BLECentral
import CommandSupport
internal import Console
import LivePage
internal import LogFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `espbench live`.
struct Live: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Show a bench in the browser, live: the board, the air, a phone and the timeline.",
        discussion: """
            Builds the sketches, runs each on a virtual ESP32 or, with --board, one on a real board, serves a page on \
            this machine's loopback and prints its address. The address has a secret token in it: without the token \
            nothing is shown. The page shows the boards (power, reset, buttons, console, pins, heap, crashes), the \
            parts wired to them (what sensors measure can be set, displays and lights are seen), the air, a phone \
            (search, services, pairing, and an app for the calculator or the lock where there is one) and the \
            timeline. The time of a virtual bench can be slowed, stopped and stepped there. With --timeline the page \
            shows a stored timeline, also one that is still being written. Ends at Ctrl-C.
            """)

    @OptionGroup var project: ProjectOptions

    @OptionGroup var parts: PartsOption

    @OptionGroup var page: LivePageOptions

    @OptionGroup var described: DescriptionOption

    @OptionGroup var logging: LogOptions

    @Option(
        help: ArgumentHelp(
            """
            The port of a real board, or auto for the only one; see 'espbench ports'. If a sketch is given, it is \
            flashed to this board. Without --board, a virtual ESP32 is used.
            """,
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    var board: PortSelector?

    @Option(
        help: ArgumentHelp(
            """
            With --board: the Bluetooth stack of the phone: \(CentralAddress.forms.joined(separator: ", ")). (default: \
            ESPBENCH_CENTRAL, or else the system's stack)
            """,
            valueName: "address"),
        transform: CentralOption.address)
    var central: CentralAddress?

    @Option(
        help: ArgumentHelp(
            "The seed of all random numbers of the bench; by default a random one.", valueName: "number"),
        transform: NumberOption.seed)
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            """
            Show only the timeline in this file, complete or still being written by 'test --timeline', without a \
            bench.
            """,
            valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var timeline: String?

    @Argument(
        help: ArgumentHelp(
            "Folders, .ino files, or names of sketches of the project, each on a board of its own; by default the sketch of the working folder, or the project's only one.",
            valueName: "sketch"),
        completion: Completions.sketches)
    var sketches: [String] = []

    func validate() throws {
        if board != nil, sketches.count > 1 {
            throw ValidationError("--board is one board: it takes one sketch, got \(sketches.count).")
        }
        if timeline != nil, !sketches.isEmpty || seed != nil || board != nil {
            throw ValidationError("--timeline shows a stored timeline: it takes no sketch, no --board and no --seed.")
        }
        guard parts.files.isEmpty || (timeline == nil && board == nil) else {
            throw ValidationError("--parts wires parts to virtual boards: it excludes --board and --timeline.")
        }
        try parts.check(boardCount: max(1, sketches.count))
        if central != nil, board == nil { throw ValidationError("--central needs --board.") }
    }

    var unusedOptions: [UnusedOptions] {
        if timeline != nil { return [.building("--timeline shows a stored timeline")] }
        guard board != nil else { return [] }
        guard sketches.isEmpty else {
            return [UnusedOptions(["--nimble"], "arduino-cli and PlatformIO choose the library of a real chip's build")]
        }
        return [.building("no sketch is given: the board keeps its program")]
    }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let (options, page, described, sketches, partsFiles) = (project, page, described, sketches, parts.files)
        if let timeline {
            return try logging.run("live", environment, output) { _ in
                // Checked first, so that a mistyped path is reported before the page is served.
                guard access(timeline, R_OK) == 0 else {
                    let fault = SystemFault.last
                    throw CommandFailure(.badInput, "\(timeline) could not be read: \(fault)", code: "timeline.file")
                }
                try await LiveServing(page, described, environment, output, isStored: true).show(timeline: timeline)
                return .passed
            }
        }
        let seed = seed ?? environment.randomSeed()
        let (board, central) = (board, central)
        try logging.run("live", environment, output) { executor in
            let live = try LiveServing(page, described, environment, output)
            if let board {
                let port = try await PortChoice(environment, output).address(board)
                let stack = try await CentralChoice(environment).address(central, on: executor)
                let hardware = LiveHardware(port: port, central: stack, environment)
                try await Self.run(
                    hardware, sketch: sketches.first, options, live, seed: seed, executor, environment, output)
                return .passed
            }
            let project = try Project(options, environment)
            var (programs, images): ([LiveProgram], [BoardImage]) = ([], [])
            var counts: [String: Int] = [:]
            var parts = SketchParts(partsFiles, project, output)
            for argument in sketches.isEmpty ? [nil] : sketches.map(Optional.some) {
                let sketch = try project.sketch(argument)
                let wired = try parts.next(sketch)
                let built = try await SketchBuilder.virtual(project).build(sketch, output)
                let number = counts[sketch.name, default: 0] + 1
                counts[sketch.name] = number
                let name = number == 1 ? sketch.name : "\(sketch.name) \(number)"
                programs.append(LiveProgram(name: name, symbols: built.symbols, parts: wired))
                let boardName = sketches.count > 1 ? name : BenchBoard.onlyName
                images.append(BoardImage(name: boardName, layout: built.layout))
            }
            let kind = try Benches.kind("virtual", environment)
            guard let make = try await kind.maker(flashedWith: images) else {
                throw CommandFailure(.nothingRan, "this system has no virtual board", code: "board.noVirtual")
            }
            executor.pace = .virtual
            executor.speed = 1
            let bench = try await make(seed, executor)
            try await live.run(bench, programs, hardware: "virtual ESP32", seed: seed)
            return .passed
        }
    }

    /// Runs a bench of hardware: with `sketch`, or with the firmware that the board has.
    private static func run(
        _ hardware: LiveHardware, sketch name: String?, _ options: ProjectOptions, _ live: LiveServing, seed: UInt64,
        _ executor: BenchExecutor, _ environment: Environment, _ output: Output
    ) async throws {
        var sketch: ProjectSketch?
        var program: SketchProgram?
        if let name {
            let project = try Project(options, environment)
            let chosen = try project.sketch(name)
            sketch = chosen
            program = try await hardware.build(chosen, of: project, output)
        }
        let bench = try await hardware.bench(flashing: program, seed: seed, on: executor)
        let board = LiveProgram(name: sketch?.name ?? "board", symbols: program?.symbols)
        try await live.run(bench, [board], hardware: "\(hardware.port)", seed: seed)
    }
}
