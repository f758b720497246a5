import ArgumentParser
import BLERadio

/// The kinds of controller, by their names on the command line.
enum ControllerKind: String, CaseIterable {
    case bluetooth42 = "4.2"
    case bluetooth50 = "5.0"
    case extended

    static let `default` = ControllerKind.bluetooth42

    /// All names, for messages.
    static let list = "4.2, 5.0 or extended"

    var personality: ControllerPersonality {
        switch self {
        case .bluetooth42: .esp32
        case .bluetooth50: .bluetooth5_0
        case .extended: .extended
        }
    }
}

/// Controllers to offer on one TCP port: `PORT` or `PORT:KIND`.
package struct H4Offer {
    let port: UInt16
    let kind: ControllerKind

    package init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = UInt16(parts[0]) else {
            throw ValidationError("Expected a TCP port from 0 to 65535, got '\(parts[0])'.")
        }
        let name = parts.count > 1 ? String(parts[1]) : ControllerKind.default.rawValue
        guard let kind = ControllerKind(rawValue: name) else {
            throw ValidationError("Expected a controller of kind \(ControllerKind.list), got '\(name)'.")
        }
        self.port = port
        self.kind = kind
    }
}
