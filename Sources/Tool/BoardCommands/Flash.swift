import ArgumentParser
internal import BenchExecutor
import BoardConsole
import CommandSupport
internal import Console
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import SerialPort

/// `espbench flash`.
struct Flash: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "flash",
        abstract: "Build a sketch and flash it into a board, or flash files.",
        discussion: """
            Files are given as ADDRESS=FILE or ADDRESS FILE, also with a partition's name in place of the address, or \
            without an address if the file contains or implies it: an application, a bootloader, an ELF file, a \
            partition table (also CSV), a whole flash, Intel HEX. A sketch is built for the board's chip; a PlatformIO \
            project is flashed from its build; a folder of ESP-IDF is flashed as its build/flasher_args.json \
            specifies.

            Unchanged sectors are skipped; the others are erased, written and verified by MD5. Without --port, the \
            virtual ESP32 of this user is flashed.
            """,
        aliases: ["write-flash"])

    @OptionGroup var project: ProjectOptions
    @OptionGroup var content: FlashContentOptions

    @Option(
        help: ArgumentHelp("Build the sketch for: \(BuildTarget.names).", valueName: "target"),
        completion: .list(["virtual", "auto"] + BuildTarget.chips), transform: Self.target)
    var target = BuildTarget.board

    @Flag(name: .customLong("erase-all"), help: "Erase the whole flash first.")
    var eraseAll = false

    @Flag(name: .customLong("no-skip"), help: "Write every sector, even if unchanged.")
    var noSkip = false

    @Flag(name: .customLong("no-compress"), help: "Send the data uncompressed.")
    var noCompress = false

    @Flag(help: "Verify again after everything is written.")
    var verify = false

    @Flag(help: "Then show the board's console, until Ctrl-].")
    var monitor = false

    @Flag(
        help: """
            Write also what would be refused: images that are damaged or for another chip, applications larger than \
            their partition, plain data on a chip that encrypts its flash.
            """)
    var force = false

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "A board's port, or auto for the only one; see 'espbench ports'. Repeatable: all boards at once.",
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    var ports: [PortSelector] = []

    @OptionGroup var flash: FlashFileOptions
    @OptionGroup var loader: LoaderOptions

    @Option(
        help: ArgumentHelp("The same as giving the file alone.", visibility: .hidden), completion: .file())
    var image: String?

    @Argument(
        help: ArgumentHelp(
            "Files, or a sketch: a folder, an .ino file, or the name of a sketch of the project; by default the sketch of the working folder, or the project's only one.",
            valueName: "sketch-or-files"), completion: .file())
    var words: [String] = []

    private static func target(_ text: String) throws -> BuildTarget {
        guard let target = BuildTarget(text) else {
            throw ValidationError("Expected one of \(BuildTarget.names), got '\(text)'.")
        }
        return target
    }

    func validate() throws {
        if let word = words.first, let image {
            throw ValidationError("Give a sketch or an image, got the sketch '\(word)' and the image '\(image)'.")
        }
        if monitor, loader.json || ports.count > 1 {
            throw ValidationError("--monitor shows one board's console: give one --port, without --json.")
        }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { executor in
            if !command.ports.isEmpty { return try await command.flashPorts(environment, output, executor) }
            guard !command.loader.json else {
                throw CommandFailure(.usage, "--json needs --port", code: "usage.json")
            }
            if let chip = command.loader.connection.chip,
                let failure = CommandFailure(chipOption: chip, ConnectedBoard.virtual.chip)
            {
                throw failure
            }
            let layout = try await command.virtualLayout(environment, output)
            if !command.content.raw {
                for line in FlashWarnings.lines(layout, for: ConnectedBoard.virtual.chip) {
                    output.note("warning: \(line)")
                }
            }
            let local = try LocalBoard(
                flashFile: command.flash.flashFile, seed: environment.randomSeed(), executor, environment)
            try await local.flash(layout, output, job: command.job(validates: !command.content.raw))
            guard !command.monitor else {
                return try await local.monitor(
                    output, crashes: try CrashPrograms.lines(of: [], environment), MonitorSettings(environment),
                    wallTime: environment.wallTime())
            }
            try await local.end()
            return .passed
        }
    }

    private func job(validates: Bool, reportsBoot: Bool = false) -> FlashJob {
        let options = WriteOptions(
            skipsUnchanged: !noSkip && !eraseAll, isCompressed: !noCompress, validatesImages: validates && !force,
            allowsPlainOnEncrypted: force)
        return FlashJob(
            options: options, erasesAll: eraseAll, verifies: verify, after: loader.after, reportsBoot: reportsBoot)
    }

    /// The work with data of `source`.
    private func work(_ source: FlashWork.Source) throws(CommandFailure) -> FlashWork {
        var work = try content.work(source)
        work.isForced = force
        return work
    }

    // MARK: Boards on ports

    private func flashPorts(
        _ environment: Environment, _ output: Output, _ executor: BenchExecutor
    ) async throws -> ExitReason {
        let work = try await work(environment, output)
        let addresses = try await PortChoice(environment, output).addresses(ports)
        let sessions = try BoardSessions(addresses, loader, environment, output)
        let job = job(validates: work.validates, reportsBoot: !monitor)
        let monitor = monitor
        return try await sessions.run { session in
            let content = try await work.content(in: session)
            if work.validates {
                for line in FlashWarnings.lines(content.layout, for: session.board.chip) {
                    session.reporter.warn([line], prefix: "warning: ")
                }
            }
            try await job.run(content.layout, session)
            guard monitor else { return .passed }
            let crashes = try CrashPrograms.lines(of: [content.elf].compactMap { $0 }, environment)
            let address = addresses[0]
            return try await session.monitor(
                output, executor, crashes: crashes, MonitorSettings(environment),
                reopen: { try await Ports.open(address) }, wallTime: environment.wallTime())
        }
    }

    /// The contents to write: files and builds are read before a board is touched.
    private func work(_ environment: Environment, _ output: Output) async throws -> FlashWork {
        let arguments = try FlashArguments(image.map { [$0] } ?? words)
        if !arguments.files.isEmpty {
            return try work(.files(try arguments.inputs(isRaw: content.raw)))
        }
        let chip: Chip? = if case .chip(let chip) = target { chip } else { nil }
        if let build = try SiliconBuilds.idf(arguments.project, for: chip, output) {
            return try work(.build(build))
        }
        let builds = SiliconBuilds(environment: environment, output: output, pioEnvironment: content.environment)
        let project = try Project(self.project, environment)
        let sketch = try project.sketch(arguments.project)
        if let chip { return try work(.build(try await builds.build(sketch, for: chip))) }
        let isVirtualOnly = target == .virtual
        let cache = BuildOnce { chip in try await builds.build(sketch, for: chip) }
        return try work(
            .sketch(
                { board in
                    guard !isVirtualOnly else {
                        throw CommandFailure(
                            .refused, "--target virtual: this is a real \(board.chip.name); nothing was changed",
                            code: "flash.hostImageOnRealBoard")
                    }
                    return try await cache.build(for: board.chip)
                }, virtual: { try await project.build(sketch, output).layout }))
    }

    // MARK: The virtual board of this user

    private func virtualLayout(_ environment: Environment, _ output: Output) async throws -> FlashLayout {
        if let image { return try ImageFile.layout(image) }
        let arguments = try FlashArguments(words)
        if arguments.files.count == 1, arguments.files[0].address == nil,
            arguments.files[0].partition == nil, content.isDefault,
            !FlashInput.isInterpreted(arguments.files[0].path, (try? InputFile.read(arguments.files[0].path)) ?? [])
        {
            return try ImageFile.layout(arguments.files[0].path)
        }
        if !arguments.files.isEmpty {
            return try await content.work(.files(try arguments.inputs(isRaw: content.raw))).content(for: .virtual)
                .layout
        }
        if case .chip = target {
            throw CommandFailure(.usage, "--target with a chip needs --port", code: "usage.target")
        }
        let project = try Project(self.project, environment)
        return try await project.build(try project.sketch(arguments.project), output).layout
    }
}
