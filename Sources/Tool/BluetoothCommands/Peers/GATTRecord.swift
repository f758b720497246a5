import Bench
import BLEAssignedNumbers
package import BLECentral
internal import BLECore
internal import BLEDescriptions
import BLEPackets
internal import ByteCodec
import CommandSupport

/// The services of a peer, as `espbench gatt --json` prints them.
struct GATTRecord: Codable, Hashable, Sendable {
    /// A service.
    struct Service: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        /// The first and last handle of the service.
        var handles: [UInt16]?
        var characteristics: [Characteristic]
    }

    /// A characteristic.
    struct Characteristic: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        /// The handle of the characteristic's value.
        var handle: UInt16?
        var properties: [String]
        /// The value as hexadecimal digits, if it was read.
        var value: String?
        /// Why the value could not be read.
        var error: String?
        /// The value decoded by a description.
        var decoded: [DecodedRecord]?
        var descriptors: [Descriptor]
    }

    /// A descriptor.
    struct Descriptor: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
        var handle: UInt16?
        /// The value as hexadecimal digits, if it was read.
        var value: String?
        /// Why the value could not be read.
        var error: String?
    }

    var peer: String
    var name: String?
    var services: [Service]

    /// The services of the peer that sent `advertisement`.
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

/// The services of a peer for people: a line for each attribute, with its name, properties and handle.
package enum GATTTree {
    /// A line of the tree.
    private struct Row {
        var title: String
        var properties = ""
        var handle = ""
        var value = ""
    }

    /// The tree; `values` has the result of reading each attribute.
    package static func text(
        _ services: [DiscoveredService], values: [AttributeID: ReadOutcome] = [:],
        meanings: [AttributeID: String] = [:]
    ) -> String {
        services.map { service in
            let handles = service.handles.map {
                "  [\(HandleText.text($0.lowerBound))-\(HandleText.text($0.upperBound))]"
            }
            let name = AssignedNumbers.service(service.uuid).map { " \($0)" } ?? ""
            return "service \(service.uuid)\(name)\(handles ?? "")\n" + rows(service, values, meanings)
        }.joined(separator: "\n")
    }

    private static func rows(
        _ service: DiscoveredService, _ values: [AttributeID: ReadOutcome], _ meanings: [AttributeID: String]
    ) -> String {
        let rows = service.characteristics.flatMap { characteristic in
            [
                Row(
                    title: "  " + AttributeText.characteristic(characteristic.uuid),
                    properties: characteristic.properties.names,
                    handle: characteristic.handle.map(HandleText.text) ?? "",
                    value: values[characteristic.value]?.text(meanings[characteristic.value]) ?? "")
            ]
                + characteristic.descriptors.map {
                    Row(
                        title: "    " + AttributeText.descriptor($0.uuid),
                        handle: $0.handle.map(HandleText.text) ?? "",
                        value: values[$0.attribute]?.text(ofDescriptor: $0.uuid) ?? "")
                }
        }
        let titles = rows.map(\.title.count).max() ?? 0
        let properties = rows.map(\.properties.count).max() ?? 0
        return rows.map { row in
            var line = padded(row.title, titles) + padded("  " + row.properties, properties + 2)
            if !row.handle.isEmpty { line += "  " + row.handle }
            if !row.value.isEmpty { line += "  " + row.value }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// The result of reading an attribute for the tree.
package enum ReadOutcome: Hashable, Sendable {
    /// The value.
    case value([UInt8])
    /// The ATT error of the peer.
    case refused(UInt8)

    func text(_ meaning: String?) -> String {
        switch self {
        case .value(let bytes): "= " + ShownValue.automatic.line(bytes, meaning)
        case .refused(let code): "(\(Self.reason(code)))"
        }
    }

    func text(ofDescriptor uuid: BLEUUID) -> String {
        guard case .value(let bytes) = self else { return text(nil) }
        return text(DescriptorText.text(bytes, of: uuid))
    }

    static func reason(_ code: UInt8) -> String { "ATT error \(ATTErrorCode(rawValue: code))" }
}

/// A value that a description names, as commands print it with `--json`.
struct DecodedRecord: Codable, Hashable, Sendable {
    /// The names of service and value.
    var name: String
    /// A number; 1 for true, 0 for false.
    var number: Double?
    /// The numbers of a list.
    var numbers: [Double]?
    /// The unit.
    var unit: String?
    /// The value as text for people.
    var text: String

    init(_ value: DescribedValue) {
        name = value.path
        // JSON has no infinity and no NaN.
        number = value.number.flatMap { $0.isFinite ? $0 : nil }
        if case .list(let list) = value.content { numbers = list.compactMap(\.number).filter(\.isFinite) }
        unit = value.unit
        text = value.text
    }
}

/// The values read from a peer, decoded by descriptions.
struct DecodedValues {
    /// The values that match their description.
    private(set) var readings: [AttributeID: DescribedReading] = [:]
    /// The decoded values as text, or the reason why they do not match the description.
    private(set) var texts: [AttributeID: String] = [:]

    init(
        _ services: [DiscoveredService], _ values: [AttributeID: ReadOutcome], _ descriptions: [PeripheralDescription]
    ) {
        var interpreter = ValueInterpreter(descriptions, services: services.map(\.uuid))
        // Coefficients and registers are decoded first, since other values need them.
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
