internal import BLECentral
package import BLECore
internal import DBus

/// A device of BlueZ, from its object's properties.
package struct Device {
    package let path: String
    package let address: DeviceAddress
    package let properties: ObjectTree.Properties

    /// `nil` if there is no such object, or it has no address.
    package init?(_ tree: ObjectTree, _ path: String) {
        guard let properties = tree.properties(path, BlueZ.device), let text = properties["Address"]?.text,
            let address = DeviceAddress(text, properties["AddressType"]?.text == "random" ? .random : .public)
        else { return nil }
        self.path = path
        self.address = address
        self.properties = properties
    }

    /// The path of the device with this address on an adapter.
    package static func path(_ address: DeviceAddress, on adapter: String) -> String {
        adapter + "/dev_" + String(address.description.map { $0 == ":" ? "_" : $0 })
    }

    private func flag(_ name: String) -> Bool { properties[name]?.bool ?? false }

    package var isConnected: Bool { flag("Connected") }
    package var hasResolvedServices: Bool { flag("ServicesResolved") }
    package var isPaired: Bool { flag("Paired") }
    /// Versions before 5.65 only have `Paired`.
    package var isBonded: Bool { properties["Bonded"]?.bool ?? isPaired }
    /// True if the device is in use: bonded, trusted, blocked or connected. For other devices bluetoothd only has
    /// received advertisements and the services of an earlier connection; it does not report if it will forget them
    /// soon.
    package var isKept: Bool { isPaired || isConnected || flag("Trusted") || flag("Blocked") }

    /// The received strength, in dBm; only during discovery.
    package var rssi: Int? { properties["RSSI"]?.integer }

    /// The device's advertisement, reassembled from the properties into which BlueZ splits it.
    ///
    /// The UUIDs of a device that was connected before include its services; the name is the cached one.
    package var advertisingData: AdvertisingData {
        var structures: [AdvertisingData.Structure] = []
        func add(_ type: ADType, _ data: [UInt8]) {
            structures.append(AdvertisingData.Structure(type: type, data: data))
        }
        func octets(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        if let flags = properties["AdvertisingFlags"]?.octets { add(.flags, flags) }
        let uuids = (properties["UUIDs"]?.elements ?? []).compactMap { $0.text.flatMap { BLEUUID($0) } }
        let short = uuids.compactMap(\.uint16)
        if !short.isEmpty { add(.complete16BitServiceUUIDs, short.flatMap { octets(Int($0)) }) }
        let long = uuids.filter { $0.uint16 == nil }
        if !long.isEmpty { add(.complete128BitServiceUUIDs, long.flatMap(\.bytes128)) }
        if let name = properties["Name"]?.text { add(.completeLocalName, Array(name.utf8)) }
        if let power = properties["TxPower"]?.integer { add(.txPowerLevel, [UInt8(truncatingIfNeeded: power)]) }
        for entry in Self.sorted(properties["ServiceData"]) {
            guard let uuid = entry.key.text.flatMap({ BLEUUID($0) }), let data = entry.value.octets else { continue }
            add(uuid.uint16 == nil ? .serviceData128BitUUID : .serviceData16BitUUID, uuid.attBytes + data)
        }
        if let appearance = properties["Appearance"]?.integer { add(.appearance, octets(appearance)) }
        // Types without a property of their own.
        for entry in Self.sorted(properties["AdvertisingData"]) {
            guard let type = entry.key.integer.flatMap({ UInt8(exactly: $0) }).map(ADType.init(rawValue:)),
                let data = entry.value.octets
            else { continue }
            add(type, data)
        }
        for entry in Self.sorted(properties["ManufacturerData"]) {
            guard let company = entry.key.integer, let data = entry.value.octets else { continue }
            add(.manufacturerSpecificData, octets(company) + data)
        }
        return AdvertisingData(structures: structures)
    }

    private static func sorted(_ dictionary: DBusValue?) -> [DBusValue.Entry] {
        (dictionary?.entries ?? []).sorted {
            ($0.key.integer ?? 0, $0.key.text ?? "") < ($1.key.integer ?? 0, $1.key.text ?? "")
        }
    }

    /// The security of a connection to the device. BlueZ encrypts the connections of a bonded device, and hides the
    /// other properties.
    package func security(isAuthenticated: Bool) -> LinkSecurity {
        LinkSecurity(
            isEncrypted: isPaired, isAuthenticated: isPaired && isAuthenticated, isBonded: isBonded, keySize: 0)
    }
}
