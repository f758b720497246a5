import ArgumentParser
internal import Console
import FirmwareBuild
import SerialNetwork
internal import BenchExecutor

/// `espbench serve`.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run virtual boards in real time, and serve their serial lines and Bluetooth controllers over TCP.",
        discussion: """
            Prints the address of each port, one per line, followed by the sketch or the kind of controller. Without \
            --socket and --rfc2217, each board has one port of each kind, chosen by the system; otherwise the first \
            port given is the first board's, and so on. A serial line has one client at a time; output without a \
            client is buffered for the next one: the last lines, at most 64 KB. As on a real board, an RFC 2217 \
            client presses BOOT with DTR alone and resets with RTS alone. Each connection to an --h4 port gets its \
            own Bluetooth controller, as H4, within reach of all boards and other controllers. On a terminal, keys \
            press the boards' buttons and switch their power. Ends at Ctrl-C.
            """)

    @OptionGroup var project: ProjectOptions

    @Option(
        name: .customLong("flash-file"),
        help: ArgumentHelp(
            "The file of a board's flash; created if missing. Once per board.", valueName: "file"),
        completion: .file())
    var flashFiles: [String] = []

    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp("Serve raw bytes on this TCP port; 0: any. Once per board.", valueName: "port"))
    var sockets: [UInt16] = []

    @Option(
        name: .customLong("rfc2217"),
        help: ArgumentHelp(
            "Serve RFC 2217, with modem lines, on this TCP port; 0: any. Once per board.", valueName: "port"))
    var rfc2217: [UInt16] = []

    @Option(
        name: .customLong("h4"),
        help: ArgumentHelp(
            "Serve controllers on this TCP port; 0: any. Repeatable. The kind is \(ControllerKind.list); by default \(ControllerKind.default.rawValue).",
            valueName: "port[:kind]"),
        transform: H4Offer.init)
    var h4: [H4Offer] = []

    @Option(
        help: ArgumentHelp("Write all HCI packets of all controllers to this file, for Wireshark.", valueName: "file"),
        completion: .file())
    var btsnoop: String?

    @Option(
        help: ArgumentHelp(
            "The seed of all random numbers of boards and air; by default a random one.",
            valueName: "number"))
    var seed: UInt64?

    @Flag(help: "Print the boards' consoles with time stamps, preceded by number and name if there are several.")
    var console = false

    @Option(
        help: ArgumentHelp(
            "The address to listen on; any address but loopback admits other machines.", valueName: "address"))
    var listen = "127.0.0.1"

    @Argument(
        help: ArgumentHelp("Folders, .ino files, or names of sketches of the project.", valueName: "sketch"),
        completion: .directory)
    var sketches: [String] = []

    func validate() throws {
        if sketches.isEmpty, h4.isEmpty {
            throw ValidationError("There is nothing to serve: give a sketch, or serve controllers with --h4.")
        }
        for (name, count) in [
            ("--flash-file", flashFiles.count), ("--socket", sockets.count), ("--rfc2217", rfc2217.count),
        ] where count > sketches.count {
            throw ValidationError("\(name) is given \(count) times for \(sketches.count) boards.")
        }
    }

    func run() throws {
        #if canImport(VirtualBoard)
            try serve()
        #else
            throw CommandFailure(.nothingRan, "this system has no virtual board to serve", code: "board.noVirtual")
        #endif
    }

    #if canImport(VirtualBoard)
        private func serve() throws {
            let environment = Environment.process
            let output = Output(environment)
            let (options, sketches, flashFiles) = (project, sketches, flashFiles)
            let isAnyGiven = !sockets.isEmpty || !rfc2217.isEmpty
            let ports = sketches.indices.map { index -> [(SerialServer.Transport, UInt16)] in
                guard isAnyGiven else { return [(.socket, 0), (.rfc2217, 0)] }
                return sockets.dropFirst(index).prefix(1).map { (.socket, $0) }
                    + rfc2217.dropFirst(index).prefix(1).map { (.rfc2217, $0) }
            }
            let (h4, btsnoop, listen, console) = (h4, btsnoop, listen, console)
            let seed = seed ?? environment.randomSeed()
            try CommandRunner.run(output) { executor in
                var air = ServedAir(host: listen, seed: seed, showsConsole: console, executor, output)
                if !sketches.isEmpty {
                    let project = try Project(options, environment)
                    for (index, name) in sketches.enumerated() {
                        let sketch = try project.sketch(name)
                        let built = try await project.build(sketch, output)
                        let board = try LocalBoard(
                            flashFile: flashFiles.dropFirst(index).first, number: UInt32(index) + 1, on: air.radio,
                            seed: seed, executor, environment)
                        try await board.flash(built.layout, output)
                        try await board.end()
                        // Another client may flash another sketch.
                        let builds = SymbolFiles(cache: environment.folders.builds)
                        let crashes = CrashLines(symbols: nil) { builds.resolver(digest: $0) }
                        try await air.add(board, sketch: sketch.name, crashes: crashes, ports[index])
                    }
                }
                for offer in h4 { try air.add(offer) }
                if let btsnoop { try await air.capture(to: btsnoop, environment) }
                try await air.run()
                return .passed
            }
        }
    #endif
}
