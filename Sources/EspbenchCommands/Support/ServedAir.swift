import BLERadio
import MonotonicTime
import SerialNetwork
import Simulation
import VirtualBoard

/// Virtual boards and controllers on one air, offered over TCP until the program is told to end.
struct ServedAir: Sendable {
    let radio: Radio
    private let host: String
    private let simulation: Simulation
    private let output: Output
    private let addresses = H4Addresses()
    private var boards: [LocalBoard] = []
    private var serial: [(server: SerialServer, line: BoardLine, hasModemLines: Bool, sketch: String)] = []
    private var controllers: [(server: H4Server, kind: ControllerKind)] = []
    private var capture: CaptureFile?

    /// An air without anything on it, to be offered on the address `host`.
    init(host: String, _ simulation: Simulation, _ output: Output) {
        radio = Radio(simulation, seed: 0)
        self.host = host
        self.simulation = simulation
        self.output = output
    }

    /// Adds a board on this air, whose serial line is offered on `ports`.
    mutating func add(
        _ board: LocalBoard, sketch: String, _ ports: [(SerialServer.Transport, UInt16)]
    ) async throws {
        boards.append(board)
        let line = await board.board.line
        for (transport, port) in ports {
            let server = try SerialServer(transport, host: host, port: port) { [output] in output.note($0) }
            serial.append((server, line, transport == .rfc2217, sketch))
        }
        output.note("\(sketch) has the Bluetooth address \(board.board.bluetoothAddress)")
    }

    /// Adds a TCP port at which hosts get controllers.
    mutating func add(_ offer: H4Offer) throws {
        do {
            let server = try H4Server(
                radio, simulation, personality: offer.kind.personality, addresses: addresses, host: host,
                port: offer.port
            ) { [output] in output.note($0) }
            controllers.append((server, offer.kind))
        } catch {
            throw CommandFailure(.flashFailed, "\(error)", code: "serve.noPort")
        }
    }

    /// Writes all HCI packets to the file at `path` from now on.
    mutating func capture(to path: String, _ environment: Environment) async throws {
        let file = try CaptureFile(
            path, startingAt: environment.wallTime() - simulation.now.nanoseconds / 1000, isBuffered: false, output)
        capture = file
        await radio.setObserver { file.write($0) }
    }

    /// Prints what is offered, powers the boards, and serves.
    func run() async throws {
        for (server, _, _, sketch) in serial { output.data("\(server.address)  \(sketch)\n") }
        for (server, kind) in controllers { output.data("h4://\(host):\(server.port)  \(kind.rawValue)\n") }
        // Nobody would know where to connect.
        try output.checkData()
        for board in boards { await board.board.powerOn() }
        await withTaskGroup(of: Void.self) { group in
            for (server, line, hasModemLines, _) in serial {
                group.addTask { await server.run { try await line.open(hasModemLines: hasModemLines) } }
            }
            for (server, _) in controllers {
                group.addTask { await server.run() }
            }
            await EndingSignals.wait()
            for (server, _, _, _) in serial { server.stop() }
            for (server, _) in controllers { server.stop() }
        }
        for board in boards { try await board.end() }
        try capture?.finish()
    }
}
