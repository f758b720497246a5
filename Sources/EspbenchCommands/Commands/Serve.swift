import ArgumentParser
import FirmwareBuild
import SerialNetwork

/// `espbench serve`.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep a virtual board running in real time, and offer its serial port over TCP.",
        discussion: """
            Prints the address of each port offered; without --socket and --rfc2217, one of each on ports that the system \
            chooses. One client at a time has the board's serial line. Ctrl-C ends.
            """)

    @OptionGroup var project: ProjectOptions
    @OptionGroup var flash: FlashFileOptions

    @Option(help: ArgumentHelp("Offer raw bytes on this TCP port; 0: any.", valueName: "port"))
    var socket: UInt16?

    @Option(help: ArgumentHelp("Offer RFC 2217, with modem lines, on this TCP port; 0: any.", valueName: "port"))
    var rfc2217: UInt16?

    @Option(
        help: ArgumentHelp(
            "The address to listen on; anything but loopback lets other machines in.", valueName: "address"))
    var listen = "127.0.0.1"

    @Argument(help: ArgumentHelp("A folder, an .ino file, or a name under Firmware/.", valueName: "sketch"))
    var sketch: String

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (firmware, sketch, flashFile, listen) = (project.firmware, sketch, flash.flashFile, listen)
        let isAnyGiven = socket != nil || rfc2217 != nil
        let wanted: [(SerialServer.Transport, UInt16)] =
            (socket ?? (isAnyGiven ? nil : 0)).map { [(.socket, $0)] } ?? []
        let ports = wanted + ((rfc2217 ?? (isAnyGiven ? nil : 0)).map { [(.rfc2217, $0)] } ?? [])
        try CommandRunner.run(output) { simulation in
            let project = try Project(firmware: firmware, environment)
            let built = try await project.build(try project.sketch(sketch), output)
            let local = try LocalBoard(flashFile: flashFile, simulation, environment)
            try await local.flash(built.layout, output)
            try await local.serve(ports, host: listen, output)
            return .passed
        }
    }
}
