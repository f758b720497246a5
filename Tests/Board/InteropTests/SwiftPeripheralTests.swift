import BLECore
import BLEPackets
import BLEPeripheral
import BLERadio
import Testing

/// Bumble as the central of a peripheral that is written in Swift: what it does to Firmware/Calculator it does to this.
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
        try await InteropBench.run { bench in
            let port = await bench.radio.attach(address: DeviceAddress(0x240A_C400_0110, .public))
            let peripheral = try BLEPeripheral(definition, behaviour: behaviour, on: port, executor: bench.executor)
            try await peripheral.start()
            let address = try #require(await peripheral.address)
            let mtu = behaviour == .nimble ? "247" : "517"
            try await BumbleScript("calculator", [bench.port, address.description, mtu]).finish()
            await peripheral.stop()
        }
    }
}
