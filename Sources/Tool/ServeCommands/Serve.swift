import ArgumentParser
internal import BenchExecutor
import BoardConsole
import CommandSupport
internal import Console
import ESPChips
import FirmwareBuild
import SerialPort

#if canImport(VirtualBoard)
    import VirtualBoard
#endif

/// `espbench serve`.
struct Serve: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve boards to other programs: virtual ones in real time, Bluetooth controllers, or real boards.",
        discussion: """
            Prints the address of each port, one per line, followed by the sketch, the served port or the kind of \
            controller. Without --socket, --rfc2217 and --pty, each board has a TCP port for raw bytes and one for RFC \
            2217, chosen by the system; otherwise the first port given is the first board's, and so on. A serial line \
            has one client at a time; output of a virtual board without a client is buffered for the next one: the \
            last lines, at most 64 KB. As on a real board, an RFC 2217 client presses BOOT with DTR alone and resets \
            with RTS alone; 'serve' recognises the resets of esptool and similar programs, and performs them with the \
            right timing. A socket has no such lines: there the SYNC of a flasher resets a virtual board into download \
            mode, unless the port is given as 'port,noreset'. --chip adds a virtual board of any model with an empty \
            flash, to be flashed and read; only an ESP32 runs sketches. Each connection to an --h4 port gets its own \
            Bluetooth controller (HCI over H4) with the lowest free address, in radio range of all boards and other \
            controllers. Bonds belong to addresses: a port with an address has one controller with this address, for \
            one host at a time; a second host is refused. --vhci makes such a controller an adapter of this machine's \
            kernel, for bluetoothd and its clients, until 'serve' ends. On a terminal, or with --keys, keys press the \
            boards' buttons and switch their power. Ends at Ctrl-C.
            """)

    @OptionGroup var project: ProjectOptions

    @OptionGroup var sanitizing: SanitizeOption

    @OptionGroup var parts: PartsOption

    @Option(
        name: .customLong("flash-file"),
        help: ArgumentHelp(
            "The file of a board's flash; created if missing. Once per board.", valueName: "file"),
        completion: .file())
    var flashFiles: [String] = []

    @Option(
        name: .customLong("flash-size"),
        help: ArgumentHelp("The size of the boards' flashes: \(FlashFileSize.list). (default: 4MB)", valueName: "size"),
        completion: .list(FlashFileSize.names))
    var flashSize: FlashFileSize?

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "Serve the real board on this port (auto: the only port), instead of virtual boards. Repeatable.",
            valueName: "address"),
        completion: Completions.ports, transform: PortSelector.init(option:))
    var ports: [PortSelector] = []

    @OptionGroup var offers: SerialOfferOptions

    @OptionGroup var uarts: UARTOfferOptions

    @Flag(help: "Take keys from standard input even if it is not a terminal.")
    var keys = false

    @Option(
        name: .customLong("chip"),
        help: ArgumentHelp(
            "Also serve a virtual board of this chip with an empty flash, after those with sketches. Repeatable. One of \(BuildTarget.chipNames).",
            valueName: "chip"),
        completion: .list(BuildTarget.chips), transform: Self.chip(named:))
    var chips: [Chip] = []

    @Flag(
        name: .customLong("line-rate"),
        help:
            "Limit the loader to the rate of the chip's UART, and erasing and programming to the speed of a flash chip."
    )
    var pacesLine = false

    @Flag(
        name: .customLong("secure-download"),
        help:
            "The eFuses of the boards of --chip restrict the loader to writing the flash. The ESP32 has no such eFuse.")
    var hasSecureDownload = false

    @Option(
        name: .customLong("h4"),
        help: ArgumentHelp(
            "Serve controllers on this TCP port; 0: any. Repeatable. The kind is \(ControllerKind.list); by default \(ControllerKind.default.rawValue).",
            valueName: "port[:kind[:address]]"),
        transform: H4Offer.init)
    var h4: [H4Offer] = []

    @Option(
        name: .customLong("vhci"),
        help: ArgumentHelp(
            "Attach a controller to this machine's kernel, as an adapter, and print its name: --vhci, --vhci:KIND or --vhci:KIND:ADDRESS. Repeatable. Linux, as root.",
            valueName: "kind[:address]"),
        transform: ControllerChoice.init)
    var adapters: [ControllerChoice] = []

    @Option(
        help: ArgumentHelp("Write all HCI packets of all controllers to this file, for Wireshark.", valueName: "file"),
        completion: .file())
    var btsnoop: String?

    @Option(
        help: ArgumentHelp(
            "The seed of all random numbers of boards and air; by default a random one.",
            valueName: "number"),
        transform: NumberOption.seed)
    var seed: UInt64?

    @Flag(help: "Print the boards' consoles with time stamps, preceded by number and name if there are several.")
    var console = false

    @Flag(help: "Print a line with a JSON object for each address, and for each line of --console.")
    var json = false

    @OptionGroup var logging: LogOptions

    @Argument(
        help: ArgumentHelp("Folders, .ino files, or names of sketches of the project.", valueName: "sketch"),
        completion: Completions.sketches)
    var sketches: [String] = []

    private static func chip(named name: String) throws -> Chip {
        guard let chip = Chip.named(name) else {
            throw ValidationError(
                "expected one of \(BuildTarget.chipNames), got '\(name)'")
        }
        return chip
    }

    private var boardCount: Int { sketches.count + chips.count }

    func validate() throws {
        if !ports.isEmpty {
            guard boardCount == 0, uarts.isEmpty, h4.isEmpty, adapters.isEmpty, flashFiles.isEmpty, flashSize == nil,
                btsnoop == nil, parts.files.isEmpty,
                !console, !sanitizing.sanitize
            else {
                throw ValidationError(
                    "--port serves real boards: it excludes sketches and the options of virtual ones.")
            }
        } else if boardCount == 0, h4.isEmpty, adapters.isEmpty {
            throw ValidationError(
                "There is nothing to serve: give a sketch, a chip with --chip, a real board with --port, or controllers with --h4 or --vhci."
            )
        }
        guard !sanitizing.sanitize || !sketches.isEmpty else {
            throw ValidationError("--sanitize builds sketches: give one.")
        }
        try ControllerChoice.check(h4.map(\.controller) + adapters)
        try offers.check(boardCount: max(boardCount, ports.count))
        try uarts.check(sketchCount: sketches.count)
        try parts.check(boardCount: sketches.count)
        if flashFiles.count > boardCount {
            throw ValidationError("--flash-file is given \(flashFiles.count) times for \(boardCount) boards.")
        }
        guard !hasSecureDownload || (sketches.isEmpty && chips.allSatisfy { $0.securityInfo != .none }) else {
            throw ValidationError(
                "--secure-download excludes sketches and --chip esp32: an ESP32 has no secure download mode.")
        }
    }

    var unusedOptions: [UnusedOptions] {
        let (building, board) = (UnusedOptions.building("no sketch is given"), ["--line-rate", "--secure-download"])
        if !ports.isEmpty { return [building, UnusedOptions(board + ["--seed"], "--port serves real boards")] }
        return (sketches.isEmpty ? [building] : [])
            + (boardCount == 0
                ? [UnusedOptions(board + ["--console", "--pty", "--flash-size"], "no virtual board is served")] : [])
    }

    func run() throws {
        if !ports.isEmpty { return try servePorts() }
        #if canImport(VirtualBoard)
            try serve()
        #else
            throw CommandFailure(.nothingRan, "this system has no virtual board to serve", code: "board.noVirtual")
        #endif
    }

    private func servePorts() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (ports, offers, keys, json) = (ports, offers, keys, json)
        try logging.run("serve", environment, output) { _ in
            var served = ServedPorts(takesKeys: keys, isJSON: json, output)
            let addresses = try await PortChoice(environment, output).addresses(ports)
            for (index, address) in addresses.enumerated() {
                try served.add(address, try offers.offers(index) { output.note($0) })
            }
            try await served.run()
            return .passed
        }
    }

    #if canImport(VirtualBoard)
        private func serve() throws {
            let environment = Environment.process
            let output = Output(environment)
            let (options, sketches, flashFiles, partsFiles) = (project, sketches, flashFiles, parts.files)
            let chips = chips
            let hardware = ServedHardware(
                hasSecureDownload: hasSecureDownload, pacesLine: pacesLine, flashSize: (flashSize ?? .usual).bytes)
            let (h4, adapters, btsnoop) = (h4, adapters, btsnoop)
            let (offers, uarts, console, keys, json) = (offers, uarts, console, keys, json)
            let isSanitized = sanitizing.sanitize
            let seed = seed ?? environment.randomSeed()
            try logging.run("serve", environment, output) { executor in
                var air = ServedAir(
                    host: offers.listen, seed: seed, showsConsole: console, takesKeys: keys, isJSON: json, executor,
                    output)
                // Without fixed programs, since a client may flash another sketch.
                let symbols = try CrashPrograms.lines(of: [], environment)
                if !sketches.isEmpty {
                    let project = try Project(options, isSanitized: isSanitized, environment)
                    var parts = SketchParts(partsFiles, project, output)
                    for (index, name) in sketches.enumerated() {
                        let sketch = try project.sketch(name)
                        let wired = try parts.next(sketch)
                        let built = try await project.build(sketch, output)
                        let board = try LocalBoard(
                            flashFile: flashFiles.dropFirst(index).first, number: UInt32(index) + 1, on: air.radio,
                            seed: seed, hardware: hardware, executor, environment)
                        try await board.flash(built.layout, output)
                        try await board.end()
                        try await board.board.wire(wired)
                        let ways = try offers.offers(index) { output.note($0) }
                        try await air.add(board, sketch: sketch.name, crashes: symbols, ways)
                        for way in try uarts.servers(index, listen: offers.listen, log: { output.note($0) }) {
                            await air.add(way.offer, toUART: way.uart, watchesRTS: way.watchesRTS)
                        }
                    }
                }
                for (index, chip) in zip(sketches.count..., chips) {
                    var hardware = hardware
                    hardware.chip = chip
                    let board = try LocalBoard(
                        hardware, flashFile: flashFiles.dropFirst(index).first, number: UInt32(index) + 1,
                        on: air.radio, seed: seed, executor, environment)
                    let ways = try offers.offers(index) { output.note($0) }
                    try await air.add(
                        board, sketch: chip.name, crashes: symbols, runsSketches: chip == .esp32, ways)
                }
                for offer in h4 { try air.add(offer) }
                for adapter in adapters { try air.attach(adapter) }
                if let btsnoop { try await air.capture(to: btsnoop, environment) }
                try await air.run()
                return .passed
            }
        }
    #endif
}

/// The size of a virtual board's flash, as the command line names it.
struct FlashFileSize: ExpressibleByArgument {
    static let names = ["2MB", "4MB", "8MB", "16MB", "32MB"]
    static let list = names.joined(separator: ", ")
    /// That of most boards.
    static let usual = FlashFileSize(bytes: 4 << 20)

    let bytes: Int

    private init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        guard let index = Self.names.firstIndex(where: { $0 == argument.uppercased() }) else { return nil }
        self.init(bytes: 2 << (20 + index))
    }
}
