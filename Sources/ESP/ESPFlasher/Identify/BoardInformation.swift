public import ESPChips
public import ESPProtocol
import SerialPort

/// The readable properties of a chip and its flash; reading them changes nothing.
public struct BoardInformation: Hashable, Sendable {
    /// The identification.
    public var board: ConnectedBoard
    /// The revision as major × 100 + minor, e.g. 301 for v3.1; `nil` in secure download mode, like most other
    /// properties.
    public var revision: UInt32?
    /// The crystal's frequency in MHz.
    public var crystalMegahertz: UInt32?
    /// The name under which the chip is sold, e.g. `ESP32-D0WD-V3`; `nil` for an unknown product.
    public var product: String?
    /// The code of the package, which identifies the product.
    public var packageCode: UInt32?
    /// The flash in the package; `nil` where the chip has no such field.
    public var packageFlash: PackageMemory?
    /// The PSRAM in the package; `nil` where the chip has no such field.
    public var packagePSRAM: PackageMemory?
    /// True if secure boot is on; `nil`: not known.
    public var isSecureBoot: Bool?
    /// True if flash encryption is on.
    public var isFlashEncrypted: Bool
    /// True if the loader refuses to encrypt written data; `nil`: not known.
    public var isEncryptedDownloadDisabled: Bool?
    /// The purposes of the key blocks, by number; empty where keys have fixed purposes.
    public var keyPurposes: [UInt32] = []
    /// The eFuses that restrict the chip; in secure download mode those that the loader reports.
    public var fuses: [FuseValue] = []
    /// The words of eFuse block 0 that were read, by address.
    public var efuseWords: [UInt32: UInt32] = [:]
    /// The size of the flash according to its own parameter table (SFDP); `nil` without the table.
    public var flashSizeFromParameters: UInt64?
    /// The first two bytes of the flash's status.
    public var flashStatus: UInt32?

    /// The manufacturer of the flash, by its JEDEC code; `nil` for an unknown code.
    public var flashManufacturer: String? { Self.manufacturers[UInt8(truncatingIfNeeded: board.flashID)] }

    /// The revision as Espressif writes it, e.g. `v3.1`.
    public var revisionText: String? { revision.map { "v\($0 / 100).\($0 % 100)" } }

    private static let manufacturers: [UInt8: String] = [
        0x20: "XMC/Micron", 0x68: "Boya", 0x85: "Puya", 0x9D: "ISSI", 0xA1: "Fudan", 0xC2: "Macronix",
        0xC8: "GigaDevice", 0xCD: "TH", 0xEF: "Winbond", 0x1F: "Adesto", 0x0B: "XTX", 0x5E: "Zbit", 0x1C: "EON",
    ]
}

/// Memory in a chip's package.
public struct PackageMemory: Hashable, Sendable {
    /// The code in the eFuses.
    public var code: UInt32
    /// The size; 0: no memory; `nil` for an unknown code.
    public var megabytes: Int?
}

/// The value of an eFuse that restricts a chip.
public struct FuseValue: Hashable, Sendable {
    /// Its name, as espefuse shows it.
    public var name: String
    /// The restriction that the fuse sets.
    public var effect: SecurityFuse.Effect
    /// Its value.
    public var value: UInt32

    /// A value.
    public init(_ name: String, _ effect: SecurityFuse.Effect, _ value: UInt32) {
        (self.name, self.effect, self.value) = (name, effect, value)
    }
}

extension GetSecurityInfo.Reply {
    /// The eFuses, in the order of their bits in the flags.
    private static let flagNames: [(name: String, effect: SecurityFuse.Effect)] = [
        ("SECURE_BOOT_EN", .secureBoot), ("SECURE_BOOT_AGGRESSIVE_REVOKE", .revocation),
        ("ENABLE_SECURITY_DOWNLOAD", .download), ("SECURE_BOOT_KEY_REVOKE0", .revocation),
        ("SECURE_BOOT_KEY_REVOKE1", .revocation), ("SECURE_BOOT_KEY_REVOKE2", .revocation),
        ("SOFT_DIS_JTAG", .debugger), ("HARD_DIS_JTAG", .debugger),
    ]

    /// The eFuses that the answer reports.
    var fuses: [FuseValue] {
        Self.flagNames.enumerated().map { FuseValue($1.name, $1.effect, flags >> UInt32($0) & 1) }
            + [FuseValue("SPI_BOOT_CRYPT_CNT", .flashEncryption, UInt32(flashEncryptionCount))]
    }
}

extension Flasher {
    /// Reads the board's properties: revision, crystal, eFuses, security, flash.
    ///
    /// - Throws: ``FlasherError``, the error of a command.
    public func information(of board: ConnectedBoard) async throws(FlasherError) -> BoardInformation {
        try await confirmed("reading the board's information") { () throws(FlasherError) in
            try await informationOnce(of: board)
        }
    }

    private func informationOnce(of board: ConnectedBoard) async throws(FlasherError) -> BoardInformation {
        var result = BoardInformation(board: board, isFlashEncrypted: board.isFlashEncrypted)
        guard !board.isInSecureDownloadMode else {
            result.isSecureBoot = board.security?.isSecureBoot
            result.fuses = board.security?.fuses ?? []
            result.keyPurposes =
                board.security?.keyPurposes.prefix(board.chip.efuses.keyPurposes.count).map(UInt32.init) ?? []
            return result
        }
        let chip = board.chip
        let fuses = chip.efuses
        let optional = [fuses.flashCapacity, fuses.psramCapacity].compactMap { $0 }
        let fields =
            [fuses.package, fuses.encryptedDownloadDisabled, fuses.secureBoot, fuses.flashEncryptionCount]
            + fuses.keyPurposes + optional + chip.securityFuses.map(\.field)
        var words: [UInt32: UInt32] = [:]
        for address in Set(fields.flatMap(\.addresses) + chip.revisionAddresses).sorted() {
            words[address] = try await readConfirmed(address)
        }
        result.efuseWords = words
        result.revision = chip.revision(in: words)
        result.packageCode = fuses.package.value(in: words)
        result.product = chip.product(in: words)
        result.packageFlash = (fuses.flashCapacity?.value(in: words)).map {
            PackageMemory(code: $0, megabytes: chip.packageFlashMegabytes(code: $0))
        }
        result.packagePSRAM = (fuses.psramCapacity?.value(in: words)).map {
            PackageMemory(code: $0, megabytes: chip.packagePSRAMMegabytes(code: $0))
        }
        result.isSecureBoot = fuses.secureBoot.value(in: words) != 0
        result.isEncryptedDownloadDisabled = fuses.encryptedDownloadDisabled.value(in: words) != 0
        result.keyPurposes = fuses.keyPurposes.map { $0.value(in: words) }
        result.fuses = chip.securityFuses.map { FuseValue($0.name, $0.effect, $0.field.value(in: words)) }
        result.crystalMegahertz = try await crystal(of: chip)
        guard board.hasFlash else { return result }
        result.flashSizeFromParameters = try await flashSizeFromParameters(of: board)
        result.flashStatus = try await flashStatus(of: board)
        return result
    }

    /// The frequency of the crystal in MHz; computed from the UART's divider if the chip supports several crystals.
    ///
    /// The chip's rate differs from the port's rate if the other side of a socket sets its own, or an earlier session
    /// has raised the chip's.
    private func crystal(of chip: Chip) async throws(FlasherError) -> UInt32 {
        guard case .measured(let choices) = chip.crystal, port.traits.interface == .uart else {
            return chip.crystal.usual
        }
        let word = try await readConfirmed(chip.uartClockDivider)
        // The four bits above the integer part are sixteenths.
        let divider = Double(word & 0xF_FFFF) + Double(word >> 20 & 0xF) / 16
        for rates in [[baudRate], Self.usualRates + [SerialSettings.default.baudRate]] {
            let found = rates.flatMap { rate in
                choices.map { (choice: $0, deviation: abs(divider * Double(rate) / Double($0) / 1_000_000 - 1)) }
            }
            if let best = found.min(by: { $0.deviation < $1.deviation }), best.deviation < Self.dividerTolerance {
                return best.choice
            }
        }
        return chip.crystal.usual
    }

    /// The largest relative error of a rate that a ROM has detected.
    private static let dividerTolerance = 0.04
}

/// The identification of the connected board.
public struct ConnectedBoard: Hashable, Sendable {
    /// The chip.
    public let chip: Chip
    /// The six bytes of the MAC address in the chip's eFuses; empty in secure download mode, which does not report it.
    public let macAddress: [UInt8]
    /// The flash's answer to "read identification" (9F): manufacturer, type and size, in the low 24 bits; 0 in secure
    /// download mode and without an answer.
    public let flashID: UInt32
    /// The security settings; `nil` for the ESP32, whose ROM does not know the command.
    public let security: GetSecurityInfo.Reply?
    /// True if the loader permits writing only.
    public let isInSecureDownloadMode: Bool
    /// True if the chip encrypts its flash.
    public let isFlashEncrypted: Bool

    /// True if it is a virtual board: its MAC address is locally administered; Espressif's addresses are not.
    public var isVirtual: Bool { macAddress.first.map { $0 & 0x02 != 0 } ?? false }

    /// True if `id` is an answer to "read identification": without a flash, the line is low or high.
    static func isFlash(_ id: UInt32) -> Bool { id != 0 && id != 0xFF_FFFF }

    /// False for a board whose flash does not answer; in secure download mode it is not asked.
    public var hasFlash: Bool { isInSecureDownloadMode || Self.isFlash(flashID) }

    /// The size of the flash in bytes, from its id; `nil` when the id's size byte is not known.
    public var flashSize: UInt64? {
        switch (flashID >> 16) & 0xFF {
        case let code where (0x12...0x1C).contains(code): 1 << UInt64(code)
        // Some manufacturers continue with decimal digits: 64, 128 and 256 MB.
        case let code where (0x20...0x22).contains(code): 1 << UInt64(code - 0x20 + 26)
        default: nil
        }
    }

    /// Throws when the loader does not permit `operation`.
    ///
    /// - Throws: ``FlasherError`` with code `secureDownload`.
    public func checkPermits(_ operation: @autoclosure () -> String) throws(FlasherError) {
        guard isInSecureDownloadMode else { return }
        throw FlasherError(
            .secureDownload, "\(operation()): the chip is in secure download mode, which permits only writing")
    }
}

extension ConnectedBoard {
    /// A known board, without a connection: for preparing and checking data for it.
    public static func known(
        _ chip: Chip, macAddress: [UInt8] = [], flashID: UInt32 = 0
    ) -> ConnectedBoard {
        ConnectedBoard(
            chip: chip, macAddress: macAddress, flashID: flashID, security: nil, isInSecureDownloadMode: false,
            isFlashEncrypted: false)
    }
}
