import BLECore
import BLEDescriptions
import Testing
import YAMLReading

@Suite("Catalogue of descriptions") struct CatalogueTests {
    @Test func allDescriptionsAreRead() throws {
        for description in PeripheralDescription.catalogue {
            let text = try #require(PeripheralDescription.cataloguedText(description.name))
            let read = try PeripheralDescription(yaml: text, file: description.name)
            #expect(read.services.map(\.uuid) == description.services.map(\.uuid))
        }
        #expect(Set(PeripheralDescription.catalogue.map(\.name)).count == PeripheralDescription.catalogue.count)
        #expect(PeripheralDescription.sensorTag.services.count == 8)
    }

    @Test(
        arguments: [
            ("SensorTag", "sensortag"), ("TI BLE Sensor Tag", "sensortag"), ("HMSoft", "hm10"),
            ("Test Peripheral", "calculator"), ("ESP_TEST_DEVICE_LOCAL_NAME", "lock"),
        ])
    func knownNamesAreThoseOfTheirKinds(_ name: String, _ kind: String) {
        #expect(PeripheralDescription.catalogued(advertising: name)?.name == kind)
    }

    /// Names are compared whole and as they are written; a description's own name is not advertised.
    @Test(arguments: ["xyz", "", " ", "sensortag", "SensorTag 2", "Sensor", "HMSOFT", "lock", nil] as [String?])
    func otherNamesAreUnknown(_ name: String?) {
        #expect(PeripheralDescription.catalogued(advertising: name)?.name == nil)
    }

    @Test func noTwoKindsAdvertiseTheSameName() {
        let names = PeripheralDescription.catalogue.flatMap(\.advertisedNames)
        #expect(names.count == 5 && Set(names).count == names.count)
    }
}
