import ArgumentParser
import BLEAssignedNumbers
internal import BLECentral
import BLECentralBackends
internal import BenchExecutor

/// `espbench adapters`.
struct Adapters: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the Bluetooth adapter that commands use, and the forms of --central.",
        discussion: """
            The first column is the address for --central:
              bluez            the default adapter of bluetoothd (Linux)
              bluez:hci0       its adapter of that name
              h4:HOST:PORT     an HCI controller behind TCP: 'espbench serve --h4 PORT', Bumble's tcp-server:
              h4:/dev/TTY      an HCI controller on a serial port with RTS/CTS; h4:/dev/TTY,1000000
              corebluetooth    CoreBluetooth (macOS)
            Shows the adapter of --central; 'bluetoothctl list' lists all of bluetoothd's. Without --central, commands \
            use the address in ESPBENCH_CENTRAL, or else the system's stack.
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var central: CentralOption

    /// What `--json` prints of an adapter.
    private struct Record: Encodable {
        var central: String
        var address: String?
        var name: String?
        var isPowered: Bool
        var version: String?
        var manufacturer: String?
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { executor in
            let address = try CentralChoice(environment).address(command.central.central)
            let adapters = try await CentralBackends.adapters(
                at: address, on: executor, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"])
            let records = adapters.map(Self.record)
            if command.json {
                output.data(try PortRecord.json(records) + "\n")
            } else {
                for record in records { output.data(Self.line(record)) }
            }
            return .passed
        }
    }

    private static func record(_ adapter: CentralAdapter) -> Record {
        Record(
            central: "\(adapter.address)", address: adapter.deviceAddress.map { "\($0)" }, name: adapter.name,
            isPowered: adapter.isPowered, version: adapter.versionText,
            manufacturer: adapter.manufacturer.map { AssignedNumbers.company($0) ?? HandleText.text($0) })
    }

    private static func line(_ record: Record) -> String {
        let details = [
            record.address ?? "", record.name ?? "", record.version.map { "Bluetooth \($0)" } ?? "",
            record.manufacturer ?? "", record.isPowered ? "" : "switched off",
        ]
        return ([record.central] + details.filter { !$0.isEmpty }).joined(separator: "  ") + "\n"
    }
}
