internal import BLEDescriptions
import BLEAssignedNumbers
internal import BLECentral
internal import BLECore
import Bench
internal import ByteCodec

/// The services of a peer, as `espbench gatt --json` prints them.
struct GATTRecord: Codable, Hashable, Sendable {
    /// A service.
    struct Service: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        /// Its first and last handle.
        var handles: [UInt16]?
        var characteristics: [Characteristic]
    }

    /// A characteristic.
    struct Characteristic: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        /// The handle of its value.
        var handle: UInt16?
        var properties: [String]
        /// Hexadecimal digits, if it was read.
        var value: String?
        /// Why it could not be read.
        var error: String?
        /// What a description says of the value.
        var decoded: [DecodedRecord]?
        var descriptors: [Descriptor]
    }

    /// A descriptor.
    struct Descriptor: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        var handle: UInt16?
        /// Hexadecimal digits, if it was read.
        var value: String?
        /// Why it could not be read.
        var error: String?
    }

    var peer: String
    var name: String?
    var services: [Service]

    /// The services of the peer that `advertisement` is of.
    init(
        _ advertisement: Advertisement, _ services: [DiscoveredService], values: [AttributeID: ReadOutcome],
        _ readings: DecodedValues
    ) {
        peer = "\(advertisement.peer)"
        name = advertisement.data.localName
        self.services = services.map { service in
            Service(
                uuid: "\(service.uuid)", name: AssignedNumbers.service(service.uuid),
                handles: service.handles.map { [$0.lowerBound, $0.upperBound] },
                characteristics: service.characteristics.map { Characteristic($0, values, readings) })
        }
    }
}

extension GATTRecord.Characteristic {
    fileprivate init(
        _ characteristic: DiscoveredCharacteristic, _ values: [AttributeID: ReadOutcome], _ readings: DecodedValues
    ) {
        uuid = "\(characteristic.uuid)"
        name = AssignedNumbers.characteristic(characteristic.uuid)
        handle = characteristic.handle
        properties = CharacteristicProperties.named.filter { characteristic.properties.contains($0.property) }.map(
            \.name)
        (value, error) = GATTRecord.texts(values[characteristic.value])
        decoded = readings.readings[characteristic.value]?.values.map(DecodedRecord.init)
        descriptors = characteristic.descriptors.map { descriptor in
            let (value, error) = GATTRecord.texts(values[descriptor.attribute])
            return GATTRecord.Descriptor(
                uuid: "\(descriptor.uuid)", name: AssignedNumbers.descriptor(descriptor.uuid),
                handle: descriptor.handle, value: value, error: error)
        }
    }
}

extension GATTRecord {
    fileprivate static func texts(_ outcome: ReadOutcome?) -> (value: String?, error: String?) {
        switch outcome {
        case .value(let bytes): (Hexadecimal.string(bytes), nil)
        case .refused(let code): (nil, ReadOutcome.reason(code))
        case nil: (nil, nil)
        }
    }
}
