import ESPChips
import ESPFlasher

/// What the eFuses fix about a board's security, as `espbench info` prints it.
struct SecurityRecord: Codable, Hashable, Sendable {
    var secureBoot: Bool?
    var flashEncryption: Bool
    var secureDownloadMode: Bool
    var keyPurposes: [UInt32]
    /// The names of the purposes, by number of the key block.
    var keys: [String]
    /// The eFuses, by the names of espefuse.
    var fuses: [String: UInt32]
    /// What is shown to people.
    private var lines: [Line] = []

    private struct Line: Codable, Hashable {
        var title: String
        var text: String
    }

    private enum CodingKeys: String, CodingKey {
        case secureBoot
        case flashEncryption
        case secureDownloadMode
        case keyPurposes
        case keys
        case fuses
    }

    init(_ information: BoardInformation) {
        let chip = information.board.chip
        secureBoot = information.isSecureBoot
        flashEncryption = information.isFlashEncrypted
        secureDownloadMode = information.board.isInSecureDownloadMode
        keyPurposes = information.keyPurposes
        keys = information.keyPurposes.map(chip.keyPurposeName)
        fuses = Dictionary(information.fuses.map { ($0.name, $0.value) }) { $1 }
        func group(_ effect: SecurityFuse.Effect) -> [FuseValue] { information.fuses.filter { $0.effect == effect } }
        func burnt(_ effect: SecurityFuse.Effect) -> [FuseValue] { group(effect).filter { $0.value != 0 } }
        add("secure boot", secureBoot.map { $0 ? "on" : "off" } ?? "unknown", group(.secureBoot))
        if !burnt(.revocation).isEmpty { add("revoked keys", "", burnt(.revocation)) }
        add("flash encryption", flashEncryption ? "on" : "off", group(.flashEncryption))
        add("JTAG", Self.debugger(group(.debugger)), burnt(.debugger))
        add("download mode", Self.download(group(.download)), burnt(.download))
        if let coding = group(.coding).first {
            let names = ["none", "3/4", "repeat"]
            add("coding scheme", Int(coding.value) < names.count ? names[Int(coding.value)] : "none, invalid", [coding])
        }
        let used = zip(keyPurposes, keys).enumerated().filter { $1.0 != 0 }
        if !keys.isEmpty {
            add(
                "key blocks",
                used.isEmpty
                    ? "all USER/EMPTY" : used.map { "BLOCK_KEY\($0) \($1.1)" }.joined(separator: ", "), [])
        }
    }

    private mutating func add(_ title: String, _ state: String, _ fuses: [FuseValue]) {
        let values = fuses.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        lines.append(Line(title: title, text: values.isEmpty ? state : state.isEmpty ? values : "\(state) (\(values))"))
    }

    /// JTAG by pins and, where the chip has it, by USB.
    private static func debugger(_ fuses: [FuseValue]) -> String {
        let burnt = Set(fuses.filter { $0.value != 0 }.map(\.name))
        if burnt.isEmpty { return "enabled" }
        let arePinsOff = !burnt.isDisjoint(with: ["JTAG_DISABLE", "DIS_PAD_JTAG", "HARD_DIS_JTAG"])
        let hasUSB = fuses.contains { $0.name == "DIS_USB_JTAG" }
        return arePinsOff && (!hasUSB || burnt.contains("DIS_USB_JTAG")) ? "disabled" : "restricted"
    }

    private static func download(_ fuses: [FuseValue]) -> String {
        let burnt = Set(fuses.filter { $0.value != 0 }.map(\.name))
        if burnt.isEmpty { return "enabled" }
        if !burnt.isDisjoint(with: ["DIS_DOWNLOAD_MODE", "UART_DOWNLOAD_DIS"]) { return "disabled" }
        return burnt.contains("ENABLE_SECURITY_DOWNLOAD")
            ? "secure: the flash can be written, nothing else" : "restricted"
    }

    /// Titles and texts of the lines for people.
    var rows: [(String, String)] { lines.map { ($0.title, $0.text) } }
}
