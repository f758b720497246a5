import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral

/// A heart rate sensor with something of everything.
enum HeartRate {
    static let measurement = AttributePath(service: 0, characteristic: 0)
    static let description = AttributePath(service: 0, characteristic: 0, descriptor: 0)
    static let control = AttributePath(service: 0, characteristic: 1)
    static let secret = AttributePath(service: 0, characteristic: 2)
    static let alarm = AttributePath(service: 1, characteristic: 0)

    static var definition: PeripheralDefinition {
        var definition = PeripheralDefinition(
            name: "Heart",
            services: [
                ServiceDefinition(
                    BLEUUID(0x180D),
                    [
                        CharacteristicDefinition(
                            BLEUUID(0x2A37), [.read, .notify], value: [0, 60],
                            descriptors: [DescriptorDefinition(BLEUUID(0x2901), [.read, .write], value: [65, 66])]),
                        CharacteristicDefinition(
                            BLEUUID(0x2A39), [.write, .writeWithoutResponse], value: [9], maximumLength: 4),
                        CharacteristicDefinition(
                            BLEUUID(0x2A38), [.read, .write, .notify], value: [1], readNeeds: .authenticated,
                            writeNeeds: .encrypted),
                    ]),
                ServiceDefinition(
                    BLEUUID(literal: "3C3996E0-4D2C-11ED-BDC3-0242AC120002"),
                    [CharacteristicDefinition(BLEUUID(0xAA04), .indicate, value: [0])]),
            ])
        definition.advertising = AdvertisingParameters(intervalMin: 160, intervalMax: 320)
        definition.security = SecurityConfiguration(ioCapability: .displayOnly, bonding: true, mitm: true)
        return definition
    }

    /// Handlers that note what they are called with, and refuse [0xFF].
    static func handlers(_ notes: Notes) -> PeripheralHandlers {
        PeripheralHandlers(
            onRead: { path, central in
                notes.add("read by \(central)")
                return path == measurement ? [0, 61] : nil
            },
            onWrite: { value, _, central in
                notes.add("write \(value) by \(central)")
                switch value {
                case [0xFF]: throw ATTErrorCode(rawValue: 0x85)
                case [0xFE]: throw ATTErrorCode.insufficientAuthorization
                case [0xFD]: throw ATTErrorCode.valueNotAllowed
                default: break
                }
            },
            onSubscribe: { subscription, path, central in
                notes.add("subscription \(subscription) of \(path.service).\(path.characteristic) by \(central == nil)")
            },
            onPairingInput: { input, _ in
                notes.add("\(input)")
                return .passkey(123_456)
            },
            onEvent: { notes.add("\($0)") })
    }
}
