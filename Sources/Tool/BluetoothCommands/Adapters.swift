import ArgumentParser
internal import BenchExecutor
import BenchModel
import BLEAssignedNumbers
internal import BLECentral
import BLECentralBackends
import CommandSupport

/// `espbench adapters`.
struct Adapters: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapters",
        abstract: "List the Bluetooth adapters, and the forms of --central.",
        discussion: """
            Lists the adapter of --central, if given, and then the adapters of the system; does not switch adapters \
            on. The first column is the address for --central:
              bluez            the first adapter of bluetoothd that is switched on (Linux)
              bluez:hci0       the adapter hci0 of bluetoothd
              h4:HOST:PORT     an HCI controller behind TCP: 'espbench serve --h4 PORT', Bumble's tcp-server:
              h4:/dev/TTY      an HCI controller on a serial port with RTS/CTS; h4:/dev/TTY,1000000
              corebluetooth    CoreBluetooth (macOS)
            Without --central, commands use the address in ESPBENCH_CENTRAL, or else the system's only adapter, or the \
            only adapter that is switched on. A star marks this adapter.
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var central: CentralOption

    /// The output of `--json` for an adapter.
    private struct Record: Encodable {
        var central: String
        var address: String?
        var name: String?
        var isPowered: Bool
        var isBlocked: Bool
        /// True if commands with the same options use this adapter.
        var isDefault: Bool
        var version: String?
        var manufacturer: String?
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { executor in
            let (records, note) = try await command.records(environment, executor)
            if command.json {
                output.data(try JSONLine.text(records) + "\n")
            } else {
                for record in records { output.data(Self.line(record)) }
                if let note { output.remark(note) }
            }
            return .passed
        }
    }

    /// The adapters, marked with the one that commands use, if that is known.
    private func records(
        _ environment: Environment, _ executor: BenchExecutor
    ) async throws -> ([Record], note: String?) {
        let choice = CentralChoice(environment)
        guard let named = try choice.named(central.central) else {
            let adapters = try await choice.systemAdapters(on: executor)
            let chosen: AdapterChoice
            do throws(CommandFailure) {
                chosen = try AdapterChoice(adapters)
            } catch {
                guard !adapters.isEmpty else { throw error }
                return (adapters.map { Self.record($0, isDefault: false) }, "several: commands need --central")
            }
            let records = adapters.map { Self.record($0, isDefault: $0 == chosen.adapter) }
            return (records, "without --central, commands use \(chosen.adapter.address), \(chosen.reason)")
        }
        let own = try await CentralBackends.adapters(
            at: named, on: executor, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"])
        // A user who named another stack may not have bluetoothd.
        let others = (try? await choice.systemAdapters(on: executor)) ?? []
        let used = own.first(where: \.isPowered) ?? own.first
        let all = own + others.filter { !own.contains($0) }
        guard !all.isEmpty else { throw AdapterChoice.absence }
        return (all.map { Self.record($0, isDefault: $0 == used) }, nil)
    }

    private static func record(_ adapter: CentralAdapter, isDefault: Bool) -> Record {
        Record(
            central: "\(adapter.address)", address: adapter.deviceAddress.map { "\($0)" }, name: adapter.name,
            isPowered: adapter.isPowered, isBlocked: adapter.isBlocked, isDefault: isDefault,
            version: adapter.versionText,
            manufacturer: adapter.manufacturer.map { AssignedNumbers.company($0) ?? HandleText.text($0) })
    }

    private static func line(_ record: Record) -> String {
        let state = record.isBlocked ? "blocked by rfkill" : record.isPowered ? "" : "switched off"
        let details = [
            record.address ?? "", record.name?.printable ?? "", record.version.map { "Bluetooth \($0)" } ?? "",
            record.manufacturer ?? "", state, record.isDefault ? "*" : "",
        ]
        return ([record.central] + details.filter { !$0.isEmpty }).joined(separator: "  ") + "\n"
    }
}
