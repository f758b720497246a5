import ArgumentParser
internal import BenchExecutor
internal import BLECentral
internal import BLEDescriptions
internal import BLEPeripheral
internal import BLEPeripheralBackends
internal import BLESimulation
import CommandSupport

/// `espbench simulate`.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Play a described peripheral on a Bluetooth adapter.",
        discussion: """
            Phones and other centrals find it, connect, read, write and subscribe. Its values come from the \
            description, from waves, or from --set humidity.relative=40.2, --set 'temperature.ambient={sine: [20, 30], \
            every: 60 s}'. While it runs, lines such as humidity.relative=41 on standard input set values. The \
            operations of centrals are printed. Ends at Ctrl-C.
            """)

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "The Bluetooth stack: bluez, bluez:hci1, h4:HOST:PORT, h4:/dev/ttyACM0, corebluetooth. (default: the system's)",
            valueName: "address"),
        transform: Self.address)
    var address: CentralAddress?

    @Option(help: ArgumentHelp("The device name. (default: the description's)"))
    var name: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("Set a value. Repeatable.", valueName: "value=content"))
    var settings: [String] = []

    @Option(
        help: "The seed of random waves and of the passkey. (default: random)", transform: NumberOption.seed)
    var seed: UInt64?

    @Argument(
        help: ArgumentHelp("The description: a file, or one of \(DescriptionOption.names).", valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    var description: String

    private static func address(_ text: String) throws -> CentralAddress {
        do {
            return try CentralAddress(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { executor in
            let described = try DescriptionFile.description(command.description)
            let settings = try command.settings.map { try SimulationSetting($0, described) }
            let address = try await CentralChoice(environment).address(command.address, on: executor)
            let backend = try await PeripheralBackends.open(
                address, on: executor, systemBus: environment.variables["DBUS_SYSTEM_BUS_ADDRESS"], powersOn: false)
            let simulation = Simulation(described, output)
            let peripheral = try SimulatedPeripheral(
                described, on: backend, executor: executor, name: command.name,
                seed: command.seed ?? UInt64.random(in: 0 ... .max), onEvent: simulation.show)
            do {
                for setting in settings { try await setting.apply(to: peripheral) }
                try await simulation.run(peripheral, at: address)
            } catch {
                await peripheral.stop()
                throw error
            }
            await peripheral.stop()
            return .passed
        }
    }
}
