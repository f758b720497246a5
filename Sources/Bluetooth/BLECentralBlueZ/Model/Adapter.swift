package import BLECentral
internal import BLECore
internal import DBus

/// An adapter of BlueZ, from its object's properties.
package struct Adapter {
    package let path: String
    package let isPowered: Bool
    /// True if other devices may pair with it.
    package var isPairable: Bool { properties["Pairable"]?.bool ?? true }
    private let properties: ObjectTree.Properties

    /// `nil` if there is no such object.
    package init?(_ tree: ObjectTree, _ path: String) {
        guard let properties = tree.properties(path, BlueZ.adapter) else { return nil }
        self.path = path
        self.properties = properties
        isPowered = properties["Powered"]?.bool ?? false
    }

    /// The adapter's description for users of a central.
    package var central: CentralAdapter {
        let name = BlueZCentral.name(path)
        return CentralAdapter(
            address: .bluez(adapter: name),
            deviceAddress: properties["Address"]?.text.flatMap {
                DeviceAddress($0, properties["AddressType"]?.text == "random" ? .random : .public)
            },
            name: properties["Alias"]?.text, isPowered: isPowered)
    }
}
