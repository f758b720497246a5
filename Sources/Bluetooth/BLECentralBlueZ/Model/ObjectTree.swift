package import DBus

/// BlueZ's objects with their interfaces and properties, as its object manager reports them. A pure state machine.
package struct ObjectTree {
    package typealias Properties = [String: DBusValue]

    /// A change made by a signal.
    package enum Change: Hashable {
        case added(String, interface: String)
        case removed(String, interface: String)
        case changed(String, interface: String, properties: Set<String>)
    }

    /// Properties by object path and interface.
    package private(set) var objects: [String: [String: Properties]] = [:]

    package init() {}

    /// The properties of an object's interface; `nil` if it does not exist.
    package func properties(_ path: String, _ interface: String) -> Properties? { objects[path]?[interface] }

    /// The paths of the objects with an interface, in the order of their names, numbers by value.
    package func paths(with interface: String, under prefix: String = "") -> [String] {
        objects.filter { $0.value[interface] != nil && $0.key.hasPrefix(prefix) }.map(\.key).sorted {
            ($0.utf8.count, $0) < ($1.utf8.count, $1)
        }
    }

    /// Replaces everything with the result of GetManagedObjects; malformed entries are ignored.
    package mutating func replace(_ managed: DBusValue) {
        objects = [:]
        for (path, interfaces) in managed.members ?? [:] { _ = add(path, interfaces) }
    }

    /// Handles a signal; one of another tree, or a malformed one, changes nothing.
    package mutating func receive(_ signal: DBusMessage) -> [Change] {
        switch (signal.interface, signal.member) {
        case (BlueZ.objectManager, "InterfacesAdded"):
            guard signal.body.count == 2, let path = signal.body[0].text else { return [] }
            return add(path, signal.body[1])
        case (BlueZ.objectManager, "InterfacesRemoved"):
            guard signal.body.count == 2, let path = signal.body[0].text else { return [] }
            return remove(path, (signal.body[1].elements ?? []).compactMap(\.text))
        case (BlueZ.properties, "PropertiesChanged"):
            guard let path = signal.path, signal.body.count == 3, let interface = signal.body[0].text else { return [] }
            return change(
                path, interface, signal.body[1].members ?? [:], (signal.body[2].elements ?? []).compactMap(\.text))
        default: return []
        }
    }

    private mutating func add(_ path: String, _ interfaces: DBusValue) -> [Change] {
        var changes: [Change] = []
        for (interface, properties) in interfaces.members ?? [:] {
            objects[path, default: [:]][interface] = properties.members ?? [:]
            changes.append(.added(path, interface: interface))
        }
        return changes
    }

    private mutating func remove(_ path: String, _ interfaces: [String]) -> [Change] {
        var changes: [Change] = []
        for interface in interfaces where objects[path]?.removeValue(forKey: interface) != nil {
            changes.append(.removed(path, interface: interface))
        }
        if objects[path]?.isEmpty == true { objects[path] = nil }
        return changes
    }

    private mutating func change(
        _ path: String, _ interface: String, _ changed: Properties, _ invalidated: [String]
    ) -> [Change] {
        // The signal is from an object that is not known yet, or was removed.
        guard objects[path]?[interface] != nil else { return [] }
        // Values of characteristics are reported, but not stored.
        for (name, value) in changed where !(interface == BlueZ.characteristic && name == "Value") {
            objects[path]?[interface]?[name] = value
        }
        for name in invalidated { objects[path]?[interface]?[name] = nil }
        return [.changed(path, interface: interface, properties: Set(changed.keys).union(invalidated))]
    }
}
