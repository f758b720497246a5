import ArgumentParser
internal import BLECentral

/// The Bluetooth stack that a command uses.
struct CentralOption: ParsableArguments {
    /// What the help says about addresses.
    private static let forms = CentralAddress.forms.joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            "The Bluetooth stack: \(forms). (default: that of ESPBENCH_CENTRAL, or else the system's)",
            valueName: "address"),
        transform: Self.address)
    var central: CentralAddress?

    @Option(
        help: ArgumentHelp(
            "With --central h4: where the keys of bonded peers are kept. (default: in the folder of this user's state)",
            valueName: "file"),
        completion: .file())
    var bonds: String?

    static func address(_ text: String) throws -> CentralAddress {
        do {
            return try CentralAddress(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

/// The peer that a command connects to, and how.
struct PeerOptions: ParsableArguments {
    /// What the help says about peers.
    static let peer = ArgumentHelp(
        "The peer: its address, the name or a service that it advertises; name:TEXT and service:UUID say which.",
        valueName: "peer")

    @OptionGroup var central: CentralOption

    @Option(
        help: ArgumentHelp("How long to look for the peer, and again to connect to it.", valueName: "time"),
        transform: TimeOption.duration)
    var timeout: Duration = .seconds(10)

    @Option(
        help: ArgumentHelp(
            "When pairing: the six digits that the peer displays, or that it is to be given. (default: ask and show)",
            valueName: "digits"),
        transform: Self.passkey)
    var passkey: UInt32?

    @Flag(help: "When pairing: confirm that both sides show the same number, without asking.")
    var yes = false

    static func passkey(_ text: String) throws -> UInt32 {
        guard let passkey = PasskeyText.passkey(text) else {
            throw ValidationError("A passkey has six digits, got '\(text)'.")
        }
        return passkey
    }
}

/// Passkeys as people read and type them.
enum PasskeyText {
    /// The passkey of six digits, between which there may be spaces; `nil` for anything else.
    static func passkey(_ text: String) -> UInt32? {
        let digits = text.filter { $0 != " " }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt32(digits)
    }

    /// Six digits.
    static func text(_ passkey: UInt32) -> String {
        let digits = "\(passkey)"
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
