import Bench
internal import BenchExecutor
import BenchHardware
import BenchModel
import BenchProject
internal import BenchReports
internal import BLECentral
import CommandSupport
import ESPFlasher
import ESPImage
import FirmwareBuild
import SerialPort

#if canImport(BenchVirtual)
    import BenchVirtual
#endif

/// The kinds of bench that the program supports.
package enum Benches {
    /// The kinds available on this machine.
    ///
    /// - Throws: ``CommandFailure`` when the key of the virtual bench cannot be read or created.
    static func registry(_ environment: Environment, macAddress: [UInt8]? = nil) throws -> BenchRegistry {
        var registry = BenchRegistry()
        #if canImport(BenchVirtual)
            registry.add(VirtualBench.kind(key: try Project.sealingKey(environment), macAddress: macAddress))
        #endif
        return registry
    }

    /// The kind of bench of this name; a virtual board has `macAddress`, if it is given.
    package static func kind(
        _ name: String, _ environment: Environment, macAddress: [UInt8]? = nil
    ) throws -> BenchKind {
        let registry = try registry(environment, macAddress: macAddress)
        do throws(UnknownBench) {
            return try registry.kind(name)
        } catch {
            throw CommandFailure(.nothingRan, "\(error)", code: "bench.unknown")
        }
    }

    /// The kind of the bench in `options`, which contain the name of a kind or of a bench in the project's `file`.
    package static func kind(_ options: BenchOptions, of file: String?, _ environment: Environment) throws -> BenchKind
    {
        let registry = try registry(environment)
        do throws(UnknownBench) {
            return try registry.kind(options.bench)
        } catch {
            var error = error
            let name = options.givenBench ?? "default"
            guard options.projectBenches[name] != nil else {
                error.known += options.projectBenches.keys.sorted().filter { !error.known.contains($0) }
                throw CommandFailure(.nothingRan, "\(error)", code: "bench.unknown")
            }
            let known = (error.known + [HardwareEntry.kind]).joined(separator: ", ")
            throw CommandFailure(
                .nothingRan,
                "\(file ?? "espbench.yaml"): the bench '\(name)' is of the kind '\(options.bench)', expected one of: "
                    + known, code: "bench.unknown")
        }
    }
}

/// A project's bench of kind `hardware`: its parts, and the builder of sketches for its board.
struct HardwareBenches: Sendable {
    private let entry: HardwareEntry
    private let file: String
    private let configuration: HardwareBench.Configuration
    private let target: BuildTarget
    private let environment: Environment

    /// The bench of `entry` in `file`; its commands are run in the folder of `file`.
    ///
    /// - Throws: ``CommandFailure`` for an invalid address or target, or when `board: auto` finds no board or more than
    ///   one.
    init(
        _ entry: HardwareEntry, file: String, folder: String, _ environment: Environment, _ output: Output
    ) throws {
        self.entry = entry
        self.file = file
        self.environment = environment
        let target = entry.target.map { BuildTarget($0.text) } ?? .board
        guard let target else {
            let place = entry.target
            throw Self.fault(
                file, place?.position, "target: expected \(BuildTarget.names), got '\(place?.text ?? "")'")
        }
        self.target = target
        let port = try Self.port(entry, file, environment, output)
        configuration = HardwareBench.Configuration(
            name: entry.name, openPort: { try await Ports.open(port) }, loader: .usual(environment),
            centrals: entry.centrals,
            power: entry.power.map { PowerSwitch(on: $0.on, off: $0.off, folder: folder, limit: $0.limit) },
            freshness: entry.erasesStorage ? .erased : .reset, timeFactor: entry.timeFactor)
    }

    private static func port(
        _ entry: HardwareEntry, _ file: String, _ environment: Environment, _ output: Output
    ) throws -> PortAddress {
        if entry.board.text == "auto" {
            return try BenchExecutor(pace: .real).run { try await PortChoice(environment, output).address(.auto) }
        }
        do throws(SerialPortError) {
            return try Ports.kinds.address(entry.board.text)
        } catch {
            throw fault(file, entry.board.position, "board: \(error.detail), got '\(entry.board.text)'")
        }
    }

    private static func fault(_ file: String, _ position: SourcePosition?, _ message: String) -> CommandFailure {
        let text = "\(file)\(position.map { ":\($0.line):\($0.column)" } ?? ""): \(message)"
        return CommandFailure(
            .nothingRan, text, code: "bench.invalid",
            diagnostics: [RunOutcome.Diagnostic(file: file, position: position, message: message)])
    }

    /// The kind of bench.
    var kind: BenchKind { HardwareBench.kind(configuration) }

    /// The failure for an error of a role of the bench; names the role and its place in the project's file.
    func failure(_ error: any Error) -> CommandFailure {
        if let failure = error as? CommandFailure { return failure }
        let (part, position): (String, SourcePosition) =
            switch error {
            case is CentralError, is CentralOpenError: ("central", entry.centralPosition)
            case is PowerSwitchError: ("power", entry.power?.position ?? entry.board.position)
            default: ("board", entry.board.position)
            }
        var failure = CommandFailure(error, .flashFailed)
        let message = "the bench's \(part): \(failure.message)"
        failure.message = "\(file):\(position.line):\(position.column): \(message)"
        failure.diagnostics = [RunOutcome.Diagnostic(file: file, position: position, message: message)]
        return failure
    }

    /// The builder for the bench's target; if the entry names no target, the board is asked for its chip.
    func builder(_ project: Project, _ output: Output) async throws -> SketchBuilder {
        switch target {
        case .virtual: return .virtual(project)
        case .chip(let chip): return .silicon(chip, SiliconBuilds(environment: environment, output: output))
        case .board:
            let board: ConnectedBoard
            do {
                board = try await HardwareBench.identify(configuration, clock: ContinuousClock())
            } catch {
                throw failure(error)
            }
            output.remark("found \(board.line)")
            if board.isVirtual { return .virtual(project) }
            return .silicon(board.chip, SiliconBuilds(environment: environment, output: output))
        }
    }
}

extension PowerSwitchError: FailureConvertible {
    package var commandFailure: CommandFailure { CommandFailure(.benchFault, description, code: "bench.power") }
}
