import ArgumentParser
package import BLECentral
internal import BLEClients
internal import Console
internal import SourceText

/// The option for the Bluetooth stack of a command.
package struct CentralOption: ParsableArguments {
    /// The help text for addresses.
    private static let forms = CentralAddress.forms.joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            "The Bluetooth stack: \(forms). (default: ESPBENCH_CENTRAL, or else the system's stack)",
            valueName: "address"),
        transform: Self.address)
    package var central: CentralAddress?

    @Option(
        help: ArgumentHelp(
            "With --central h4: the file of the keys of bonded peers. (default: a file in this user's state folder)",
            valueName: "file"),
        completion: .file())
    package var bonds: String?

    package static func address(_ text: String) throws -> CentralAddress {
        do {
            return try CentralAddress(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    package init() {}
}

/// Passkeys as people read and type them.
package enum PasskeyText {
    /// The passkey of six digits, optionally with spaces between them; `nil` for any other text.
    package static func passkey(_ text: String) -> UInt32? {
        let digits = text.filter { $0 != " " }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt32(digits)
    }

    /// Six digits.
    package static func text(_ passkey: UInt32) -> String {
        let digits = "\(passkey)"
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
