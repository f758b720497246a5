internal import BLECentral
internal import BLEDescriptions

/// What descriptions say of the values that were read of a peer.
struct DecodedValues {
    /// The values that are as described.
    private(set) var readings: [AttributeID: DescribedReading] = [:]
    /// What the values mean, or why they are not as described.
    private(set) var texts: [AttributeID: String] = [:]

    init(
        _ services: [DiscoveredService], _ values: [AttributeID: ReadOutcome], _ descriptions: [PeripheralDescription]
    ) {
        var interpreter = ValueInterpreter(descriptions, services: services.map(\.uuid))
        // Coefficients and registers first: other values need them.
        for isLast in [false, true] {
            for service in services {
                for characteristic in service.characteristics {
                    guard case .value(let bytes)? = values[characteristic.value] else { continue }
                    let (uuid, value) = (characteristic.uuid, characteristic.value)
                    readings[value] = try? interpreter.reading(bytes, of: uuid, in: service.uuid)
                    if isLast { texts[value] = interpreter.text(bytes, of: uuid, in: service.uuid) }
                }
            }
        }
    }
}
