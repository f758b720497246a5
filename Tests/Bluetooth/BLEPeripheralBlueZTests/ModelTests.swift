import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLEPeripheralBlueZ
import DBus
import Testing

/// The pure parts.
@Suite struct ModelTests {
    @Test func advertisingDataBecomesProperties() throws {
        var definition = PeripheralDefinition(name: "Name", services: [])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x04]),
            AdvertisingData.Structure(type: .incomplete16BitServiceUUIDs, data: [0x0D, 0x18, 0x0F, 0x18]),
            AdvertisingData.Structure(type: .txPowerLevel, data: [0]),
            AdvertisingData.Structure(type: .manufacturerSpecificData, data: [0x4C, 0x00, 1, 2]),
        ])
        definition.scanResponseData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: [0x0D, 0x18]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x16), data: [0x0F, 0x18, 99]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x19), data: [0x41, 0x03]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x14), data: [0x0A, 0x18]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x2D), data: [1, 2, 3]),
        ])
        let members = try #require(AdvertisementProperties.options(definition).members)
        #expect(members["Type"]?.text == "peripheral")
        #expect(
            members["ServiceUUIDs"]?.elements?.map(\.text) == [
                "0000180d-0000-1000-8000-00805f9b34fb", "0000180f-0000-1000-8000-00805f9b34fb",
            ])
        #expect(members["LocalName"] == nil)
        #expect(members["Discoverable"] == nil)
        #expect(members["Includes"]?.elements?.map(\.text) == ["tx-power"])
        #expect(members["Appearance"] == .uint16(0x0341))
        #expect(members["ManufacturerData"]?.entries?.first?.key == .uint16(0x4C))
        #expect(members["ManufacturerData"]?.entries?.first?.value.octets == [1, 2])
        #expect(members["ServiceData"]?.members?["0000180f-0000-1000-8000-00805f9b34fb"]?.octets == [99])
        #expect(members["SolicitUUIDs"]?.elements?.map(\.text) == ["0000180a-0000-1000-8000-00805f9b34fb"])
        #expect(members["Data"]?.entries?.first?.key == .byte(0x2D))
        #expect(members["MinInterval"] == .uint32(30))
        #expect(members["MaxInterval"] == .uint32(60))
    }

    @Test func malformedStructuresAreLeftOut() throws {
        var definition = PeripheralDefinition(name: "Name", services: [])
        definition.scanResponseData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .manufacturerSpecificData, data: [0x4C]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x16), data: [0x0F]),
            AdvertisingData.Structure(type: ADType(rawValue: 0x15), data: [1, 2, 3]),
        ])
        let members = try #require(AdvertisementProperties.options(definition).members)
        #expect(members["ManufacturerData"] == nil && members["ServiceData"] == nil && members["SolicitUUIDs"] == nil)
    }

    @Test(arguments: [(1, nil), (2, "broadcast"), (3, "broadcast"), (4, nil)] as [(UInt8, String?)])
    func theTypeIsThatOfTheAdvertising(type: UInt8, word: String?) throws {
        var definition = PeripheralDefinition(name: "Name", services: [])
        definition.advertising.type = HCIAdvertisingType(rawValue: type)
        guard let word else {
            #expect(throws: PeripheralError.self) { try AdvertisementProperties.options(definition) }
            return
        }
        let members = try #require(AdvertisementProperties.options(definition).members)
        #expect(members["Type"]?.text == word && members["Discoverable"] == nil)
    }

    @Test func theWindowIsBounded() {
        var window = NotificationWindow()
        var outcomes = (0...NotificationWindow.limit).map { _ in
            window.hasRoom() ? (window.sent() ? "asks" : "sent") : "full"
        }
        #expect(
            outcomes == ["asks"] + Array(repeating: "sent", count: NotificationWindow.limit - 1) + ["full"])
        // The sign covers the first value; the next one the others.
        outcomes = (0..<2).map { _ in "\(window.answered())" }
        #expect(
            outcomes == ["(asks: true, isRoomAvailable: true)", "(asks: false, isRoomAvailable: false)"])
    }
}
