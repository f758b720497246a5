import BLEAssignedNumbers
package import BLECentral
internal import BLECore
import BLEPackets
import Bench
internal import ByteCodec

/// The services of a peer for people: a line for each attribute, with its name, properties and handle.
package enum GATTTree {
    /// A line of the tree.
    private struct Row {
        var title: String
        var properties = ""
        var handle = ""
        var value = ""
    }

    /// The tree; `values` are those of the attributes that were read, or why they could not be.
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
                        handle: $0.handle.map(HandleText.text) ?? "", value: values[$0.attribute]?.text(nil) ?? "")
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

/// What came of reading an attribute for the tree.
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

    static func reason(_ code: UInt8) -> String { "ATT error \(ATTErrorCode(rawValue: code))" }
}
