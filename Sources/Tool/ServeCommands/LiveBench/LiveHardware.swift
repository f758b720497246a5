import Bench
internal import BenchExecutor
import BenchHardware
internal import BLECentral
import CommandSupport
import ESPFlasher
import SerialPort

/// A real board, or a served one, and a Bluetooth stack of this machine, for a live page.
struct LiveHardware: Sendable {
    /// The address of the board's port.
    let port: PortAddress
    private let configuration: HardwareBench.Configuration
    private let environment: Environment

    init(port: PortAddress, central: CentralAddress, _ environment: Environment) {
        self.port = port
        self.environment = environment
        configuration = HardwareBench.Configuration(
            name: "hardware", openPort: { [port] in try await Ports.open(port) }, loader: .usual(environment),
            centrals: [central], freshness: .reset)
    }

    /// Builds `sketch` for the board's chip, which is detected first.
    func build(_ sketch: ProjectSketch, of project: Project, _ output: Output) async throws -> SketchProgram {
        let board = try await HardwareBench.identify(configuration, clock: ContinuousClock())
        output.remark("found \(board.line)")
        let builder =
            board.isVirtual
            ? SketchBuilder.virtual(project)
            : .silicon(board.chip, SiliconBuilds(environment: environment, output: output))
        return try await builder.build(sketch, output)
    }

    /// The bench, with the sketch on its board.
    func bench(flashing program: SketchProgram?, seed: UInt64, on executor: BenchExecutor) async throws -> Bench {
        let bench = try await HardwareBench.kind(configuration).make(seed, executor)
        if let program { try await bench.board.flash(program.layout) { _ in } }
        return bench
    }
}
