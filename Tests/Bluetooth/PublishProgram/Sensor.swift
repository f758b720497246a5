import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral

/// The peripheral that is published: a heart rate sensor with something of everything.
enum Sensor {
    static let name = "Published"
    static let service = BLEUUID(0x180D)
    /// Reads and notifies.
    static let measurement = BLEUUID(0x2A37)
    /// Takes a ``Trigger``.
    static let control = BLEUUID(0x2A39)
    /// A second service; the rest is in it.
    static let other = BLEUUID(literal: "3C3996E0-4D2C-11ED-BDC3-0242AC120002")
    /// Indicates.
    static let alarm = BLEUUID(0xAA01)
    /// Read and write, longer than a packet.
    static let long = BLEUUID(0xAA02)
    /// Needs an encrypted link.
    static let encrypted = BLEUUID(0xAA03)
    /// Reading needs an authenticated key.
    static let authenticated = BLEUUID(0xAA04)
    static let description = BLEUUID(0x2901)
    /// Counted up by each read.
    static let counter = BLEUUID(0xAA05)

    /// Written without a response.
    static let command = BLEUUID(0xAA06)

    static let longValue = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
    /// What own hosts display; bluetoothd chooses one itself.
    static let passkey: UInt32 = 123_456

    /// What to write to ``control``.
    enum Trigger {
        /// Notifies `count` values of two bytes each, little-endian, from 0.
        static func notify(_ count: UInt8) -> [UInt8] { [1, count] }
        static func indicate(_ value: UInt8) -> [UInt8] { [2, value] }
        /// Refuses the write.
        static func refuse(_ code: UInt8) -> [UInt8] { [3, code] }
        /// Withdraws the peripheral.
        static let end: [UInt8] = [9]
    }

    static var definition: PeripheralDefinition {
        var definition = PeripheralDefinition(
            name: name,
            services: [
                ServiceDefinition(
                    service,
                    [
                        CharacteristicDefinition(
                            measurement, [.read, .notify], value: [0, 60],
                            descriptors: [
                                DescriptorDefinition(description, [.read, .write], value: Array("rate".utf8))
                            ]),
                        CharacteristicDefinition(control, .write, maximumLength: 2),
                    ]),
                ServiceDefinition(
                    other,
                    [
                        CharacteristicDefinition(alarm, .indicate),
                        CharacteristicDefinition(long, [.read, .write], value: longValue, maximumLength: 400),
                        CharacteristicDefinition(
                            encrypted, [.read, .write, .notify], value: [7], readNeeds: .encrypted,
                            writeNeeds: .encrypted),
                        CharacteristicDefinition(authenticated, .read, value: [42], readNeeds: .authenticated),
                        CharacteristicDefinition(counter, .read),
                        CharacteristicDefinition(command, [.read, .writeWithoutResponse], maximumLength: 20),
                    ]),
            ])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x06]),
            AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: service.attBytes),
            AdvertisingData.Structure(type: .manufacturerSpecificData, data: [0xE5, 0x02, 1, 2, 3]),
        ])
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        return definition
    }
}
