import BLECore
import BLEPeripheral
import BLERadio
import BenchExecutor
import Testing

/// Definitions that no peripheral can be made of, and calls that a peripheral without power cannot answer.
@Suite struct DefinitionTests {
    private func error(_ change: @escaping @Sendable (inout PeripheralDefinition) -> Void) throws -> PeripheralError? {
        let world = PeripheralWorld()
        return try world.executor.run {
            var definition = PeripheralDefinition(name: "Definition", services: [])
            change(&definition)
            return await #expect(throws: PeripheralError.self) { _ = try await world.peripheral(definition) }
        }
    }

    @Test func advertisingDataThatIsTooLong() throws {
        let long = AdvertisingData(structures: [.init(type: .completeLocalName, data: Array(repeating: 65, count: 30))])
        let advertising = try error { $0.advertisingData = long }
        #expect(advertising?.code == .invalidDefinition)
        #expect(advertising?.description == "Definition: expected advertising data of at most 31 bytes, got 32")
        let response = try error { $0.scanResponseData = long }
        #expect(response?.description == "Definition: expected scan response data of at most 31 bytes, got 32")
    }

    @Test(arguments: [-1, 0, 22, 518]) func anMTUThatThereIsNot(mtu: Int) throws {
        let error = try error { $0.preferredMTU = mtu }
        #expect(error?.description == "Definition: expected a preferred MTU of 23...517, got \(mtu)")
    }

    @Test func outOfBandDataOfAPeripheralThatWasStopped() throws {
        try PeripheralWorld().run { world in
            let peripheral = try await world.peripheral(PeripheralDefinition(name: "Stopped", services: []))
            await peripheral.stop()
            let error = await #expect(throws: PeripheralError.self) { _ = try await peripheral.makeOutOfBandValue() }
            #expect(error?.code == .stopped)
        }
    }
}
