internal import BLECore
import BLEHost
internal import BLEPackets
package import BLEPeripheral
package import DBus

/// The properties of an LEAdvertisement1 (BlueZ's doc/advertising-api.txt) for advertising data.
///
/// bluetoothd composes the packets: it puts the name into the scan response and all other data into the advertisement,
/// with lists of services marked as complete.
package enum AdvertisementProperties {
    /// The dictionary.
    ///
    /// - Throws: `unsupported` for directed advertising, which bluetoothd does not offer.
    package static func options(_ definition: PeripheralDefinition) throws(PeripheralError) -> DBusValue {
        let data = AdvertisingData(
            structures: definition.advertisingData.structures + definition.scanResponseData.structures)
        let type = try self.type(definition)
        var properties: [(String, DBusValue)] = [("Type", .string(type))]
        let services = unique(data.serviceUUIDs)
        if !services.isEmpty { properties.append(("ServiceUUIDs", strings(services.map(\.text128)))) }
        if let name = data.localName { properties.append(("LocalName", .string(name))) }
        // bluetoothd refuses discoverable flags in an advertisement that is not connectable.
        let flags = data.structures.first { $0.type == .flags }?.data.first ?? 0
        if type == "peripheral", flags & 0x03 != 0 { properties.append(("Discoverable", .boolean(true))) }
        properties += further(data)
        properties.append(("MinInterval", milliseconds(definition.advertising.intervalMin)))
        properties.append(("MaxInterval", milliseconds(definition.advertising.intervalMax)))
        return .dictionary(
            .string, .variant, properties.map { DBusValue.Entry(.string($0.0), .variant($0.1)) })
    }

    private static func type(_ definition: PeripheralDefinition) throws(PeripheralError) -> String {
        switch definition.advertising.type {
        case .connectable: return "peripheral"
        case .scannable, .nonConnectable: return "broadcast"
        default:
            throw PeripheralError(
                .unsupported, "\(definition.name): expected undirected advertising, bluetoothd has no directed one")
        }
    }

    /// The structures of types that have one property for several structures.
    private static func further(_ data: AdvertisingData) -> [(String, DBusValue)] {
        var solicited: [BLEUUID] = []
        var manufacturers: [DBusValue.Entry] = []
        var serviceData: [DBusValue.Entry] = []
        var others: [DBusValue.Entry] = []
        var properties: [(String, DBusValue)] = []
        for structure in data.structures {
            let bytes = structure.data
            switch structure.type {
            case .txPowerLevel: properties.append(("Includes", strings(["tx-power"])))
            case .appearance where bytes.count == 2:
                properties.append(("Appearance", .uint16(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)))
            case .manufacturerSpecificData where bytes.count >= 2:
                manufacturers.append(entry(.uint16(UInt16(bytes[0]) | UInt16(bytes[1]) << 8), bytes.dropFirst(2)))
            case .solicitation16BitUUIDs: solicited += uuids(bytes, width: 2)
            case .solicitation32BitUUIDs: solicited += uuids(bytes, width: 4)
            case .solicitation128BitUUIDs: solicited += uuids(bytes, width: 16)
            case .serviceData16BitUUID: add(bytes, width: 2, to: &serviceData)
            case .serviceData32BitUUID: add(bytes, width: 4, to: &serviceData)
            case .serviceData128BitUUID: add(bytes, width: 16, to: &serviceData)
            // Flags, services and names are handled elsewhere.
            case _ where (0x01...0x09).contains(structure.type.rawValue): break
            default: others.append(entry(.byte(structure.type.rawValue), bytes[...]))
            }
        }
        if !solicited.isEmpty { properties.append(("SolicitUUIDs", strings(unique(solicited).map(\.text128)))) }
        if !manufacturers.isEmpty {
            properties.append(("ManufacturerData", .dictionary(.uint16, .variant, manufacturers)))
        }
        if !serviceData.isEmpty { properties.append(("ServiceData", .dictionary(.string, .variant, serviceData))) }
        if !others.isEmpty { properties.append(("Data", .dictionary(.byte, .variant, others))) }
        return properties
    }

    private static func add(_ bytes: [UInt8], width: Int, to entries: inout [DBusValue.Entry]) {
        guard let uuid = BLEUUID(littleEndian: bytes.prefix(width)) else { return }
        entries.append(entry(.string(uuid.text128), bytes.dropFirst(width)))
    }

    private static func uuids(_ bytes: [UInt8], width: Int) -> [BLEUUID] {
        stride(from: 0, through: bytes.count - width, by: width).compactMap {
            BLEUUID(littleEndian: bytes[$0..<$0 + width])
        }
    }

    private static func entry(_ key: DBusValue, _ bytes: ArraySlice<UInt8>) -> DBusValue.Entry {
        DBusValue.Entry(key, .variant(.bytes(Array(bytes))))
    }

    private static func unique(_ uuids: [BLEUUID]) -> [BLEUUID] {
        var seen: Set<BLEUUID> = []
        return uuids.filter { seen.insert($0).inserted }
    }

    private static func strings(_ texts: [String]) -> DBusValue { .array(.string, texts.map { .string($0) }) }

    /// Converts units of 0.625 ms to bluetoothd's whole milliseconds, 20 or more.
    private static func milliseconds(_ interval: UInt16) -> DBusValue { .uint32(UInt32(interval) * 5 / 8) }
}
