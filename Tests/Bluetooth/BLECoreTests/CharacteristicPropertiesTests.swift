import BLECore
import Testing

@Suite struct CharacteristicPropertiesTests {
    /// Core 5.4, Vol 3 Part G 3.3.1.1, in the order of its table.
    @Test func theBitsAreThoseOfTheSpecification() {
        let properties: [CharacteristicProperties] = [
            .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
            .extendedProperties,
        ]
        #expect(properties.map(\.rawValue) == [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80])
    }
}
