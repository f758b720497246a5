import BLECore
import BLEDescriptions
import BLEPeripheral
import BLERadio
import BLESimulation
import Bench
import BenchModel

/// Simulated peripherals on the air, beside the boards.
extension VirtualAir {
    /// The address of the first peripheral; the next ones are numbered consecutively.
    private static let firstAddress: UInt64 = 0x02EC_0000_0101

    func simulate(
        _ description: PeripheralDescription, name: String?, values: [(path: String, wave: Wave)]
    ) async throws {
        let number = UInt64(simulations.count)
        let port = await radio.attach(address: DeviceAddress(Self.firstAddress + number, .public))
        do {
            let stack = HCIPeripheral(on: port, executor: executor, name: description.name)
            let peripheral = try SimulatedPeripheral(
                description, on: stack, executor: executor, name: name, seed: seed &+ number)
            for (path, wave) in values { try await peripheral.set(path, to: wave) }
            // Added first, so that its controller is not mistaken for a board's from the first packet on.
            simulations.append((peripheral, port))
            try await peripheral.start()
        } catch {
            simulations.removeAll { $0.port.id == port.id }
            await radio.detach(port)
            throw error
        }
    }

    func setSimulated(_ values: [(path: String, wave: Wave)], of description: String) async throws {
        guard let simulation = simulations.last(where: { $0.peripheral.description.name == description }) else {
            throw BenchFailure(
                .suite, expected: "a simulated \(description)", got: "none: no step before this one simulates it")
        }
        for (path, wave) in values { try await simulation.peripheral.set(path, to: wave) }
    }

    func endSimulations() async {
        let ended = simulations
        simulations = []
        for (peripheral, port) in ended {
            await peripheral.stop()
            await radio.detach(port)
        }
    }
}
