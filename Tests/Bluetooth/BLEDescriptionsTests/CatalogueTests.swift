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
}
