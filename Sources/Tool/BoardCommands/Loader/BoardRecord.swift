import CommandSupport
import ESPChips
import ESPFlasher

/// The properties of a board, as `espbench info` prints them.
struct BoardRecord: Codable, Hashable, Sendable {
    /// The flash chip.
    struct Flash: Codable, Hashable, Sendable {
        /// The answer to "read identification", as hexadecimal digits: manufacturer, type, capacity.
        var id: String
        var manufacturer: String?
        /// The size in bytes, according to the id.
        var size: UInt64?
        /// The size in bytes, according to the flash's own table (SFDP).
        var sizeFromParameters: UInt64?
        /// The first two status registers.
        var status: String?
    }

    var event = "info"
    var port: String
    var chip: String
    var revision: String?
    var isVirtual: Bool
    var mac: String?
    /// In MHz.
    var crystal: UInt32?
    /// The product name of the chip; absent for an unknown one.
    var product: String?
    /// The code of the product.
    var package: UInt32?
    /// In bytes; 0: none; absent if the chip does not report it.
    var packageFlash: UInt64?
    /// In bytes; 0: none; absent if the chip does not report it.
    var packagePSRAM: UInt64?
    var flash: Flash?
    /// False if the flash does not answer.
    var hasFlash: Bool
    var security: SecurityRecord
    /// The words of eFuse block 0 that were read, by address, as hexadecimal digits.
    var efuses: [String: String]

    init(_ information: BoardInformation, port: String) {
        let board = information.board
        self.port = port
        chip = board.chip.name
        revision = information.revisionText
        isVirtual = board.isVirtual
        mac = board.macAddress.isEmpty ? nil : board.macText
        crystal = information.crystalMegahertz
        package = information.packageCode
        product = information.product
        packageFlash = information.packageFlash?.megabytes.map { UInt64($0) << 20 }
        packagePSRAM = information.packagePSRAM?.megabytes.map { UInt64($0) << 20 }
        hasFlash = board.hasFlash
        if !board.isInSecureDownloadMode, board.hasFlash {
            // The first byte is the manufacturer's.
            let id = [0, 8, 16].map { Self.hexadecimal(board.flashID >> $0 & 0xFF, 2) }.joined(separator: " ")
            flash = Flash(
                id: id, manufacturer: information.flashManufacturer, size: board.flashSize,
                sizeFromParameters: information.flashSizeFromParameters,
                status: information.flashStatus.map { "0x" + Self.hexadecimal($0, 4) })
        }
        security = SecurityRecord(information)
        efuses = Dictionary(
            uniqueKeysWithValues: information.efuseWords.map {
                ("0x" + Self.hexadecimal($0.key, 8), "0x" + Self.hexadecimal($0.value, 8))
            })
    }

    private static func hexadecimal(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The record as lines for people.
    var text: String {
        var rows: [(String, String)] = [
            ("port", port),
            ("chip", [product ?? chip, revision.map { "revision \($0)" }].compactMap { $0 }.joined(separator: ", ")),
        ]
        if isVirtual { rows.append(("board", "virtual")) }
        if let mac { rows.append(("MAC address", mac)) }
        if let crystal { rows.append(("crystal", "\(crystal) MHz")) }
        if !hasFlash { rows.append(("flash", "no answer")) }
        if let flash {
            var parts = [flash.size.map { Self.size($0) } ?? "unknown size", "id \(flash.id)"]
            if let manufacturer = flash.manufacturer { parts.append(manufacturer) }
            if let status = flash.status { parts.append("status \(status)") }
            rows.append(("flash", parts.joined(separator: ", ")))
            if let size = flash.sizeFromParameters {
                rows.append(
                    ("flash (SFDP)", Self.size(size) + (size == flash.size ? "" : ", which differs from the id")))
            } else {
                rows.append(("flash (SFDP)", "no table"))
            }
        }
        if product == nil, let package, package != 0 { rows.append(("package", "code \(package)")) }
        if let packageFlash, packageFlash != 0 { rows.append(("flash in package", Self.size(packageFlash))) }
        if let packagePSRAM, packagePSRAM != 0 { rows.append(("PSRAM in package", Self.size(packagePSRAM))) }
        rows += security.rows
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { $0 + String(repeating: " ", count: width - $0.count) + $1 + "\n" }.joined()
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MB" : "\(bytes >> 10) KB"
    }
}

/// The security settings in a board's eFuses, as `espbench info` prints them.
struct SecurityRecord: Codable, Hashable, Sendable {
    var secureBoot: Bool?
    var flashEncryption: Bool
    var secureDownloadMode: Bool
    var keyPurposes: [UInt32]
    /// The key purposes, by the number of the key block.
    var keys: [String]
    /// The eFuses, by the names of espefuse.
    var fuses: [String: UInt32]
    /// The record as lines for people.
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
