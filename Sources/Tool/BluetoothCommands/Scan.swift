import ArgumentParser
internal import BenchExecutor
internal import BLECentral
internal import BLECore
import CommandSupport

/// `espbench scan`.
struct Scan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show the Bluetooth peers that advertise.",
        discussion: """
            Shows a table that is updated on a terminal, otherwise a line for each peer and for each change of its \
            advertisement. Ends after --timeout, or at Ctrl-C. bluetoothd scans actively, and reports changes of a \
            peer, not every advertisement.
            """)

    @Option(help: ArgumentHelp("Show peers whose name contains this text.", valueName: "text"))
    var name: String?

    @Option(
        name: .customLong("service"),
        help: ArgumentHelp("Show peers that advertise this service, by UUID or assigned name. Repeatable."),
        transform: Self.service)
    var services: [BLEUUID] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show peers of at least this strength, e.g. -70.", valueName: "dBm"),
        transform: NumberOption.within(-128...127))
    var minRSSI: Int?

    @Flag(name: .customLong("rssi"), help: "Print a line for every advertisement, to follow the strength.")
    var followsStrength = false

    @Flag(help: "Do not ask the peers for their scan responses.")
    var passive = false

    @Option(
        help: ArgumentHelp("How long to scan; 0s: until Ctrl-C.", valueName: "time"), transform: TimeOption.duration)
    var timeout: Duration = .seconds(10)

    @Flag(help: "Print a line with a JSON object for each peer, and for each change.")
    var json = false

    @OptionGroup var central: CentralOption

    private static func service(_ text: String) throws -> BLEUUID {
        guard case .service(let uuid)? = try? PeerSelector("service:\(text)") else {
            throw ValidationError("Expected a service's UUID or assigned name, got '\(text)'.")
        }
        return uuid
    }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        let isLive = environment.allowsLiveTable && !json && !followsStrength
        try PeerSession.run(central, endsQuietly: true, environment, output) { session in
            let filter = ScanFilter(
                services: command.services, minimumRSSI: command.minRSSI, isActive: !command.passive,
                allowsDuplicates: command.followsStrength || isLive)
            let central = session.central
            let sightings = try await central.sightings(
                filter, for: command.timeout > .zero ? command.timeout : nil, keeping: PeerSession.bufferSize)
            let view = ScanView(
                name: command.name, isJSON: command.json, isLive: isLive, environment, output, central.executor)
            let failure = await view.show(sightings)
            try await session.checkNothingDropped("advertisements")
            if let failure { throw failure }
            try await central.stopSearching()
        }
    }
}
