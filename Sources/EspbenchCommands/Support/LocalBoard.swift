import BLERadio
import ESPImage
import Foundation
import SerialNetwork
import SerialPort
import Simulation
import VirtualBoard

/// This user's virtual board in this process; its flash is kept in a file, so what one command flashes the next one
/// boots.
struct LocalBoard: Sendable {
    private static let number: UInt32 = 1

    let board: VirtualBoard
    private let simulation: Simulation

    /// The board whose flash `options` name.
    ///
    /// - Throws: `FlashError` when another process has the file, or it is not a flash; ``CommandFailure`` when its folder
    ///   cannot be made.
    init(flashFile: String?, _ simulation: Simulation, _ environment: Environment) throws {
        let key = try Project.sealingKey(environment)
        let path = flashFile ?? environment.stateFolder + "/board.flash"
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                .flashFailed, "the folder \(folder) could not be made: \(error.localizedDescription)")
        }
        let configuration = VirtualBoard.Configuration(
            name: "virtual ESP32", flashPath: path, number: Self.number, key: key, seed: 0)
        board = try VirtualBoard(configuration, on: Radio(simulation, seed: 0), simulation)
        self.simulation = simulation
    }

    /// Flashes the board, as fast as the machine goes.
    func flash(_ layout: FlashLayout, _ output: Output) async throws {
        simulation.pace = .virtual
        defer { simulation.pace = .real }
        let port = try await board.line.open()
        await board.powerOn()
        try await BoardFlashing.flash(layout, over: port, clock: SimulationClock(simulation), output)
        await port.close()
    }

    /// Powers the board, if it is off, and shows its console until the user leaves.
    func monitor(_ output: Output) async throws {
        let port = try await board.line.open()
        await board.powerOn()
        try await MonitorSession(port: port, output: output, simulation: simulation).run()
        await port.close()
        try await end()
    }

    /// Offers the board's serial line over TCP until the program is told to end.
    func serve(_ ports: [(SerialServer.Transport, UInt16)], host: String, _ output: Output) async throws {
        let servers = try ports.map { transport, port in
            (transport, try SerialServer(transport, host: host, port: port) { output.note($0) })
        }
        for (_, server) in servers { output.data("\(server.address)\n") }
        await board.powerOn()
        let line = await board.line
        await withTaskGroup(of: Void.self) { group in
            for (transport, server) in servers {
                group.addTask {
                    await server.run { try await line.open(hasModemLines: transport == .rfc2217) }
                }
            }
            await EndingSignals.wait()
            for (_, server) in servers { server.stop() }
        }
        try await end()
    }

    /// Takes the power, so that the flash is complete in its file.
    func end() async throws {
        try await board.powerOff()
    }
}
