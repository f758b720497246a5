package import BLECore
internal import DBus

/// The services of a device, from its objects.
///
/// BlueZ has no property for attribute handles, but its paths contain them: `service000e/char000f/desc0011` are the
/// handles of declarations and descriptors. A value's handle immediately follows its declaration's (Core 5.4, Vol 3
/// Part G 3.3).
package struct ServiceTree {
    /// An attribute that can be read and written.
    package struct Attribute: Hashable {
        package var path: String
        package var interface: String
        package var uuid: BLEUUID
        package var properties: CharacteristicProperties
    }

    /// In the order of the server.
    package private(set) var services: [DiscoveredService] = []
    package private(set) var attributes: [AttributeID: Attribute] = [:]
    /// The identifiers by object path.
    package private(set) var identifiers: [String: AttributeID] = [:]
    /// The ATT MTU; `nil` if BlueZ does not report it.
    package private(set) var mtu: Int?

    package init(_ tree: ObjectTree, device: String) {
        for path in tree.paths(with: BlueZ.gattService, under: device + "/") {
            guard let properties = tree.properties(path, BlueZ.gattService), let uuid = Self.uuid(properties),
                let start = Self.handle(path, "service"), properties["Primary"]?.bool ?? true
            else { continue }
            var end = start
            var characteristics: [DiscoveredCharacteristic] = []
            for path in tree.paths(with: BlueZ.characteristic, under: path + "/") {
                guard let characteristic = addCharacteristic(tree, path) else { continue }
                characteristics.append(characteristic)
                end = max(
                    end, characteristic.handle ?? end, characteristic.descriptors.compactMap(\.handle).max() ?? end)
            }
            services.append(
                DiscoveredService(uuid: uuid, handles: start...end, characteristics: characteristics))
        }
        services.sort { ($0.handles?.lowerBound ?? 0) < ($1.handles?.lowerBound ?? 0) }
    }

    private mutating func addCharacteristic(_ tree: ObjectTree, _ path: String) -> DiscoveredCharacteristic? {
        guard let properties = tree.properties(path, BlueZ.characteristic), let uuid = Self.uuid(properties),
            let declaration = Self.handle(path, "char"), declaration < .max
        else { return nil }
        let flags = Self.flags(properties["Flags"])
        let value = AttributeID(rawValue: declaration + 1)
        add(value, Attribute(path: path, interface: BlueZ.characteristic, uuid: uuid, properties: flags))
        mtu = mtu ?? properties["MTU"]?.integer
        var descriptors: [DiscoveredDescriptor] = []
        for path in tree.paths(with: BlueZ.descriptor, under: path + "/") {
            guard let properties = tree.properties(path, BlueZ.descriptor), let uuid = Self.uuid(properties),
                let handle = Self.handle(path, "desc")
            else { continue }
            let identifier = AttributeID(rawValue: handle)
            add(
                identifier, Attribute(path: path, interface: BlueZ.descriptor, uuid: uuid, properties: [.read, .write]))
            descriptors.append(DiscoveredDescriptor(uuid: uuid, attribute: identifier, handle: handle))
        }
        return DiscoveredCharacteristic(
            uuid: uuid, value: value, handle: value.rawValue, properties: flags, descriptors: descriptors)
    }

    private mutating func add(_ identifier: AttributeID, _ attribute: Attribute) {
        attributes[identifier] = attribute
        identifiers[attribute.path] = identifier
    }

    private static func uuid(_ properties: ObjectTree.Properties) -> BLEUUID? {
        properties["UUID"]?.text.flatMap { BLEUUID($0) }
    }

    /// The number at the end of a path: four hexadecimal digits after `kind`.
    private static func handle(_ path: String, _ kind: String) -> UInt16? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix(kind) else { return nil }
        let digits = name.dropFirst(kind.count)
        guard digits.utf8.count == 4 else { return nil }
        return UInt16(digits, radix: 16)
    }

    /// The properties that BlueZ's flags name; flags for extended properties and for the security of its own servers
    /// are ignored.
    private static func flags(_ value: DBusValue?) -> CharacteristicProperties {
        let words: [String: CharacteristicProperties] = [
            "broadcast": .broadcast, "read": .read, "write-without-response": .writeWithoutResponse, "write": .write,
            "notify": .notify, "indicate": .indicate, "authenticated-signed-writes": .authenticatedSignedWrites,
            "extended-properties": .extendedProperties,
        ]
        return (value?.elements ?? []).reduce(into: []) { flags, word in
            if let flag = word.text.flatMap({ words[$0] }) { flags.insert(flag) }
        }
    }
}
