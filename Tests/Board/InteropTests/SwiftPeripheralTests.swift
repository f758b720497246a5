import BLECore
import BLEPackets
import BLEPeripheral
import CommandSupport
import LogFiles
import ServeCommands
import Synchronization
import Testing

/// Bumble as the central of a peripheral written in Swift, which `serve` offers beside Bumble's controller, with the same
/// operations as for Firmware/Calculator.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(10)))
struct SwiftPeripheralInteropTests {
    @Test(arguments: HostBehaviour.allCases) func calculator(behaviour: HostBehaviour) async throws {
        let service = try #require(BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
        let input = try #require(BLEUUID("C1AB2C55-7914-4140-B85B-879C5E252FE5"))
        let output = try #require(BLEUUID("643954A4-A6CC-455C-825C-499190CE7DB0"))
        let definition = PeripheralDefinition(
            name: "Test Peripheral",
            services: [
                ServiceDefinition(
                    service,
                    [
                        CharacteristicDefinition(output, [.read, .notify]),
                        CharacteristicDefinition(input, [.write, .writeWithoutResponse], maximumLength: 3) {
                            value, _, peripheral in
                            guard value.count == 3 else { throw ATTErrorCode.invalidAttributeValueLength }
                            let answers = [value[0] &+ value[1], value[0] &- value[1], value[0] &* value[1]]
                            guard answers.indices.contains(Int(value[2])) else { throw ATTErrorCode.valueNotAllowed }
                            try peripheral.update([answers[Int(value[2])]], of: output)
                        },
                    ])
            ])
        let mtu = behaviour == .nimble ? "247" : "517"
        try await InteropBench.onThread { executor in
            let printed = Mutex("")
            let write: SystemFault.Writer = { bytes in printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            }
            let output = Output(dataIsColoured: false, showsBar: false, writeData: write, writeNote: write)
            var air = ServedAir(host: "127.0.0.1", seed: 1, showsConsole: false, executor, output)
            try await air.add(definition, behaviour: behaviour)
            try air.add(try H4Offer("0"))
            var outcome: Result<Void, any Error>?
            try await air.serve {
                do {
                    let text = printed.withLock(\.self)
                    let port = try #require(text.firstMatch(of: /h4:\/\/127\.0\.0\.1:(\d+)/)).1
                    let address = try #require(text.firstMatch(of: /address (\S+)/)).1
                    outcome = .success(
                        try await BumbleScript("calculator", [String(port), String(address), mtu]).finish())
                } catch {
                    outcome = .failure(error)
                }
            }
            try #require(outcome).get()
        }
    }
}
