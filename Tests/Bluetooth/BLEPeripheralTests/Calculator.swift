import BLECore
import BLEPackets
import BLEPeripheral

/// Firmware/Calculator in Swift.
enum Calculator {
    static let service = uuid("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    static let input = uuid("C1AB2C55-7914-4140-B85B-879C5E252FE5")
    static let output = uuid("643954A4-A6CC-455C-825C-499190CE7DB0")

    static let definition = PeripheralDefinition(
        name: "Calculator",
        services: [
            ServiceDefinition(
                service,
                [
                    CharacteristicDefinition(output, [.read, .notify], value: [0]),
                    CharacteristicDefinition(input, [.write, .writeWithoutResponse], maximumLength: 3) {
                        value, _, peripheral in
                        guard value.count == 3 else { throw ATTErrorCode.invalidAttributeValueLength }
                        let (a, b) = (value[0], value[1])
                        switch value[2] {
                        case 0: try peripheral.update([a &+ b], of: output)
                        case 1: try peripheral.update([a &- b], of: output)
                        case 2: try peripheral.update([a &* b], of: output)
                        default: throw ATTErrorCode.valueNotAllowed
                        }
                    },
                ])
        ])

    private static func uuid(_ text: String) -> BLEUUID {
        BLEUUID(text) ?? BLEUUID(0)
    }
}
