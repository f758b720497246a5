package import BLECore
package import BLEPeripheral
package import DBus
import BLECentralBlueZ

/// The objects of a published peripheral on the bus (BlueZ's doc/gatt-api.txt, "Service hierarchy"), and the values of its
/// attributes. A pure state machine.
package struct PublishedObjects {
    /// The application's object manager.
    package static let root = "/io/espbench/peripheral"
    /// Outside of ``root``, since the advertisement is not part of the application.
    package static let advertisement = "/io/espbench/advertisement"

    package let definition: PeripheralDefinition
    /// The attributes by the paths of their objects.
    package let attributes: [String: AttributePath]
    /// The stored values.
    package private(set) var values: [AttributePath: [UInt8]] = [:]

    package init(_ definition: PeripheralDefinition) {
        self.definition = definition
        attributes = Dictionary(
            definition.attributes.map { (Self.objectPath($0), $0) }, uniquingKeysWith: { first, _ in first })
        for path in definition.attributes {
            values[path] = definition.descriptor(at: path)?.value ?? definition.characteristic(at: path)?.value
        }
    }

    /// The path of an attribute's object.
    package static func objectPath(_ path: AttributePath) -> String {
        "\(root)/service\(path.service)/char\(path.characteristic)" + (path.descriptor.map { "/desc\($0)" } ?? "")
    }

    // MARK: Values

    package mutating func setValue(_ value: [UInt8], of path: AttributePath) throws(PeripheralError) {
        try definition.check(value, of: path)
        values[path] = value
    }

    /// The stored value from `offset` on.
    package func value(of path: AttributePath, from offset: Int) throws(CallRefusal) -> [UInt8] {
        let value = values[path] ?? []
        guard offset <= value.count else {
            throw CallRefusal(BlueZ.Fault.invalidOffset, "expected at most \(value.count), got \(offset)")
        }
        return Array(value.dropFirst(offset))
    }

    /// The value after a write.
    package func value(
        writing bytes: [UInt8], to path: AttributePath, at offset: Int
    ) throws(CallRefusal) -> [UInt8] {
        let former = values[path] ?? []
        guard offset <= former.count else {
            throw CallRefusal(BlueZ.Fault.invalidOffset, "expected at most \(former.count), got \(offset)")
        }
        let value = former.prefix(offset) + bytes
        do throws(PeripheralError) { try definition.check(Array(value), of: path) } catch {
            throw CallRefusal(BlueZ.Fault.invalidValueLength, error.description)
        }
        return Array(value)
    }

    // MARK: Objects

    /// The result of GetManagedObjects: services, then characteristics, then descriptors, so that bluetoothd assigns
    /// handles in the order of the definition.
    package var managed: DBusValue {
        var entries: [DBusValue.Entry] = []
        for (index, service) in definition.services.enumerated() {
            entries.append(
                Self.object(
                    "\(Self.root)/service\(index)", BlueZ.gattService,
                    .options(["UUID": .string(service.uuid.text128), "Primary": .boolean(true)])))
            for path in definition.attributes where path.service == index {
                let interface = path.descriptor == nil ? BlueZ.characteristic : BlueZ.descriptor
                entries.append(Self.object(Self.objectPath(path), interface, properties(of: path)))
            }
        }
        return .dictionary(.objectPath, .dictionary(.string, .dictionary(.string, .variant)), entries)
    }

    private static func object(_ path: String, _ interface: String, _ properties: DBusValue) -> DBusValue.Entry {
        let interfaces = DBusValue.dictionary(
            .string, .dictionary(.string, .variant), [DBusValue.Entry(.string(interface), properties)])
        return DBusValue.Entry(.objectPath(path), interfaces)
    }

    private func properties(of path: AttributePath) -> DBusValue {
        let uuid = DBusValue.string(definition.uuid(at: path)?.text128 ?? "")
        if let descriptor = definition.descriptor(at: path) {
            var parent = path
            parent.descriptor = nil
            return .options([
                "UUID": uuid, "Characteristic": .objectPath(Self.objectPath(parent)),
                "Flags": .array(.string, descriptor.flags.map { .string($0) }),
            ])
        }
        let flags = definition.characteristic(at: path)?.flags ?? []
        return .options([
            "UUID": uuid, "Service": .objectPath("\(Self.root)/service\(path.service)"),
            "Flags": .array(.string, flags.map { .string($0) }),
        ])
    }
}

extension BLEUUID {
    /// 32 digits with hyphens, BlueZ's form of UUIDs.
    package var text128: String {
        let text = description.lowercased()
        return uint16 == nil ? text : "0000\(text)-0000-1000-8000-00805f9b34fb"
    }
}
