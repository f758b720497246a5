import Foundation

/// Why the system does not let an adapter be switched on: rfkill (Linux's Documentation/ABI/stable/sysfs-class-rfkill).
package enum AdapterBlock: String, Sendable, CustomStringConvertible {
    /// By a program, e.g. as part of a flight mode.
    case soft
    /// By a switch or key of the machine.
    case hard

    /// The block of the adapter `name`, e.g. `hci0`; `nil` if it is not blocked.
    package static func of(_ name: String, in folder: String = "/sys/class/rfkill") -> AdapterBlock? {
        let switches = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for place in switches.sorted() where text("\(folder)/\(place)/name") == name {
            if text("\(folder)/\(place)/hard") == "1" { return .hard }
            if text("\(folder)/\(place)/soft") == "1" { return .soft }
        }
        return nil
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// After "the adapter is".
    package var description: String {
        switch self {
        case .soft: "blocked by rfkill"
        case .hard: "switched off by a switch or key of this machine"
        }
    }
}
