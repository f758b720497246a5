import BLEAssignedNumbers
package import BLECentral
internal import BLECore
internal import BLEDescriptions
import BenchModel
internal import ByteCodec

/// An advertising peer, as `espbench scan --json` prints it.
package struct ScanRecord: Codable, Hashable, Sendable {
    /// A service in the advertisement.
    struct Service: Codable, Hashable, Sendable {
        var uuid: String
        var name: String?
    }

    /// Manufacturer specific data.
    struct Manufacturer: Codable, Hashable, Sendable {
        var identifier: UInt16
        var name: String?
        /// Hexadecimal digits.
        var data: String
    }

    /// The stack's name of the peer: its address, where the stack has addresses.
    var peer: String
    /// `public` or `random`.
    var addressType: String?
    /// The identity of a bonded peer that advertises with a private address.
    var identity: String?
    var name: String?
    /// The kind of peripheral that advertises this name, by the name of its description: `sensortag`.
    package var kind: String?
    /// In dBm.
    package var rssi: Int
    var isConnectable: Bool
    var services: [Service]
    var manufacturer: Manufacturer?
    var appearance: String?
    /// In dBm.
    var txPower: Int?
    /// All AD structures, in hexadecimal digits.
    var data: String

    /// The record of `advertisement`.
    package init(_ advertisement: Advertisement) {
        peer = "\(advertisement.peer)"
        addressType = advertisement.address.map { "\($0.kind)" }
        if let identity = advertisement.identity, identity != advertisement.address { self.identity = "\(identity)" }
        name = advertisement.data.localName
        kind = PeripheralDescription.catalogued(advertising: name)?.name
        rssi = advertisement.rssi
        isConnectable = advertisement.isConnectable
        // A scan response may repeat the advertisement.
        var uuids: [BLEUUID] = []
        for uuid in advertisement.data.serviceUUIDs where !uuids.contains(uuid) { uuids.append(uuid) }
        services = uuids.map { Service(uuid: "\($0)", name: AssignedNumbers.service($0)) }
        data = Hexadecimal.string(advertisement.data.bytes)
        let structures = advertisement.data.structures
        // Core Supplement v11, Part A 1.4, 1.5 and 1.12.
        if let bytes = structures.first(where: { $0.type == .manufacturerSpecificData })?.data, bytes.count >= 2 {
            let company = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
            manufacturer = Manufacturer(
                identifier: company, name: AssignedNumbers.company(company),
                data: Hexadecimal.string(bytes.dropFirst(2)))
        }
        if let bytes = structures.first(where: { $0.type.rawValue == 0x19 })?.data, bytes.count == 2 {
            appearance = AssignedNumbers.appearance(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        }
        if let bytes = structures.first(where: { $0.type == .txPowerLevel })?.data, bytes.count == 1 {
            txPower = Int(Int8(bitPattern: bytes[0]))
        }
    }

    /// The cells of a table: peer, strength, name, and what else it advertises.
    package var cells: [String] {
        var details = services.map { service in service.name.map { "\(service.uuid) \($0)" } ?? service.uuid }
        if let manufacturer {
            details.append(manufacturer.name ?? "company " + HandleText.text(manufacturer.identifier))
        }
        if let appearance { details.append(appearance) }
        if let title = kind.flatMap({ PeripheralDescription.catalogued($0) })?.title { details.append(title) }
        if !isConnectable { details.append("not connectable") }
        if let identity { details.append("is \(identity)") }
        return [
            peer, "\(rssi) dBm", name?.printable ?? "", details.map(\.printable).joined(separator: ", "),
        ]
    }

    /// A line of it, for output that is no terminal.
    package var line: String {
        let rssi = cells[1]
        let padding = String(repeating: " ", count: max(0, 8 - rssi.count))
        let rest = cells[2...].filter { !$0.isEmpty }.joined(separator: "  ")
        return "\(cells[0])  \(padding)\(rssi)  \(rest.isEmpty ? "(no name)" : rest)"
    }
}
