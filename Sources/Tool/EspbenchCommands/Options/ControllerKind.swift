import ArgumentParser
internal import BLECore
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

/// A controller to offer: `KIND` or `KIND:ADDRESS`; both may be left out.
struct ControllerChoice {
    let kind: ControllerKind
    /// Its public address; `nil`: a free one.
    let address: DeviceAddress?

    /// - Throws: `ValidationError`.
    init(_ text: some StringProtocol) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let name = parts.first ?? ""
        guard let kind = name.isEmpty ? .default : ControllerKind(rawValue: name) else {
            throw ValidationError("Expected a controller of kind \(ControllerKind.list), got '\(name)'.")
        }
        self.kind = kind
        address = parts.count > 1 ? try Self.address(parts[1]) : nil
    }

    private static func address(_ text: String) throws -> DeviceAddress {
        guard let address = DeviceAddress(text, .public) else {
            throw ValidationError("Expected a controller's address like 02:EC:00:00:00:01, got '\(text)'.")
        }
        // Hosts take the first for no address, and HCI the second for any.
        guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else {
            throw ValidationError("Expected a controller's address other than all zeros or all ones, got '\(text)'.")
        }
        return address
    }

    /// Checks that no address is given twice.
    static func check(_ choices: [ControllerChoice]) throws {
        var seen: Set<DeviceAddress> = []
        for address in choices.compactMap(\.address) where !seen.insert(address).inserted {
            throw ValidationError("Two controllers have the address \(address): give each its own.")
        }
    }
}
