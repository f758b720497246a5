import BLECentral
import BLECentralHCI
import BLECore
import BLEDescriptions
import BLESimulation
import BLEPeripheral
import Testing

@Suite("Comparison with a description") struct ComparisonTests {
    private func compared(
        _ description: PeripheralDescription, with definition: PeripheralDefinition
    ) async throws -> [String] {
        try await Simulated.run(definition) { peripheral, _ in
            let services = try await peripheral.services().map(\.discovered)
            return DatabaseComparison(description, services).differences.map {
                "\($0.place) \($0.kind.rawValue): \($0.expected) | \($0.found)"
            }
        }
    }

    @Test func everyDescriptionIsWhatItsSimulationHas() async throws {
        for description in PeripheralDescription.catalogue {
            #expect(try await compared(description, with: PeripheralDefinition(description)) == [])
        }
    }

    /// Of two services of one type the one that is described, whichever comes first: bluetoothd adds one of its own.
    @Test(arguments: [0, 1]) func ofTwoServicesTheOneThatIsDescribed(index: Int) async throws {
        var definition = PeripheralDefinition(PeripheralDescription.deviceInformation)
        var other = definition.services[0]
        other.characteristics = [CharacteristicDefinition(BLEUUID(0x2A50), .read, value: [1])]
        definition.services.insert(other, at: index)
        #expect(try await compared(.deviceInformation, with: definition) == [])
    }

    @Test func missingAndExtra() async throws {
        var definition = PeripheralDefinition(PeripheralDescription.heartRate)
        definition.services[0].characteristics[0].properties = [.read, .notify]
        definition.services[0].characteristics[1].uuid = BLEUUID(0xABCD)
        definition.services[0].characteristics[2].descriptors = [DescriptorDefinition(BLEUUID(0x2904))]
        definition.services.append(ServiceDefinition(BLEUUID(0xABCE), []))
        #expect(
            try await compared(.heartRate, with: definition) == [
                "heart.measurement properties: notify | read, notify",
                "heart.control_point descriptor: - | 2904",
                "heart.ABCD characteristic: - | ABCD (read)", "ABCE service: - | ABCE",
            ])
        #expect(
            try await compared(.battery, with: definition).prefix(1) == ["battery service: 180F | -"])
        // What is optional may be there or not.
        var battery = PeripheralDefinition(PeripheralDescription.battery)
        battery.services[0].characteristics[0].properties = .read
        #expect(try await compared(.battery, with: battery) == [])
    }
}
