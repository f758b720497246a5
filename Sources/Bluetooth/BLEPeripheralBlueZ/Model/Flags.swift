internal import BLECore
package import BLEPeripheral

/// BlueZ's flags, which combine properties and security (doc/gatt-api.txt, "Flags").
extension CharacteristicDefinition {
    /// The flags, including security. For a protected value, `notify` and `indicate` also require the security to
    /// subscribe.
    ///
    /// For a characteristic with protected write commands, bluetoothd declares the property Write.
    package var flags: [String] {
        let plain: [(CharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.authenticatedSignedWrites, "authenticated-signed-writes"),
            (.writeWithoutResponse, "write-without-response"),
        ]
        var flags = plain.filter { properties.contains($0.0) }.map(\.1)
        if properties.contains(.read) { flags.append(readNeeds.flag("read")) }
        if properties.contains(.write) || (properties.contains(.writeWithoutResponse) && writeNeeds != .none) {
            flags.append(writeNeeds.flag("write"))
        }
        if properties.contains(.notify) { flags.append(readNeeds.flag("notify")) }
        if properties.contains(.indicate) { flags.append(readNeeds.flag("indicate")) }
        return flags
    }
}

extension DescriptorDefinition {
    package var flags: [String] {
        var flags: [String] = []
        if properties.contains(.read) { flags.append(readNeeds.flag("read")) }
        if properties.contains(.write) { flags.append(writeNeeds.flag("write")) }
        return flags
    }
}

extension AttributeProtection {
    fileprivate func flag(_ access: String) -> String {
        switch self {
        case .none: access
        case .encrypted: "encrypt-\(access)"
        case .authenticated: "encrypt-authenticated-\(access)"
        }
    }
}
