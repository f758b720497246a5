internal import BLECore

/// `read` is a verb of the loader and one of BLE tools: what can only be meant for a Bluetooth peer becomes `ble read`.
package enum BluetoothSpelling {
    /// `arguments`, without the program's name, with `read` in place of which `ble read` is meant.
    package static func translated(_ arguments: [String]) -> [String] {
        guard arguments.first == "read" else { return arguments }
        let words = arguments.dropFirst().prefix { $0 != "--" }
        let hasCentral = words.contains { $0 == "--central" || $0.hasPrefix("--central=") }
        let isPeer = words.first.map { word in
            DeviceAddress(word, .public) != nil || word.hasPrefix("name:") || word.hasPrefix("service:")
        }
        return hasCentral || isPeer == true ? ["ble"] + arguments : arguments
    }
}
