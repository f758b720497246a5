/// The properties of an ESP32-family chip that flashers, boards and images need.
public struct Chip: Hashable, Sendable, CustomStringConvertible {
    /// Espressif's name, e.g. `ESP32-C3`.
    public let name: String
    /// The chip id in image headers and in the answer of GET_SECURITY_INFO.
    public let id: UInt16
    /// The possible values of ``magicRegister``.
    public let magicValues: [UInt32]
    /// The form of the ROM's answer to GET_SECURITY_INFO.
    public let securityInfo: SecurityInfo
    /// The address of the first of the two words with the MAC address.
    public let macAddressRegister: UInt32
    /// The controller of the flash chip.
    public let flashController: FlashController
    /// The flash offset of the second-stage bootloader.
    public let bootloaderOffset: UInt32
    /// True if FLASH_BEGIN and FLASH_DEFL_BEGIN carry the "encrypted" word when sent to the ROM.
    public let acceptsEncryptedWord: Bool
    /// True if the ROM is known not to write beyond the region at the end of a compressed write. The ESP32's ROM then
    /// programs its whole 32 KB window without erasing; the ESP32-C3's ROM does not; other chips have not been
    /// measured.
    public let inflatesWithinRegion: Bool
    /// The addresses to which image segments may be loaded.
    public let memory: MemoryMap
    /// The eFuses.
    public let efuses: EfuseMap
    /// The crystal.
    public let crystal: Crystal
    /// The clock divider of UART 0: crystal frequency / rate.
    public let uartClockDivider: UInt32
    /// The register with the strapping pins' levels at the last reset; `nil`: flashers do not read it.
    public let strapping: UInt32?
    /// The registers of the watchdogs, which also reset the chip without the EN pin.
    public let reset: ResetRegisters?
    /// USB; `nil` for a chip with UARTs only.
    public let usb: USBRegisters?
    /// The flash frequencies of image headers.
    public let flashFrequencies: [FlashFrequency]
    /// The alignment of encrypted writes, in bytes.
    public let encryptedWriteAlignment: UInt32

    /// The form of a ROM's answer to GET_SECURITY_INFO.
    public enum SecurityInfo: Hashable, Sendable {
        /// The ROM does not know the command.
        case none
        /// Flags, counter and key purposes: 12 bytes.
        case withoutChipID
        /// Also the chip id and the version of the interface: 20 bytes.
        case withChipID
    }

    /// The frequencies a chip's crystal can have, in MHz.
    public enum Crystal: Hashable, Sendable {
        /// Always this frequency.
        case fixed(UInt32)
        /// One of these frequencies, the usual one first; the UART's clock divider shows which one.
        case measured([UInt32])

        /// The usual frequency in MHz.
        public var usual: UInt32 {
            switch self {
            case .fixed(let frequency): frequency
            case .measured(let all): all.first ?? 40
            }
        }
    }

    /// A frequency of the flash in image headers.
    public struct FlashFrequency: Hashable, Sendable {
        /// In MHz.
        public let megahertz: UInt32
        /// The code, 4 bits.
        public let code: UInt8
    }

    /// The register whose content differs from chip to chip.
    public static let magicRegister: UInt32 = 0x4000_1000

    /// True if GET_SECURITY_INFO of the ROM returns the chip id; otherwise the magic register identifies the chip.
    public var reportsChipID: Bool { securityInfo == .withChipID }

    /// Its name.
    public var description: String { name }

    /// esptool's name of the chip, e.g. `esp32c3`.
    public var identifier: String { name.lowercased().filter { $0 != "-" } }

    init(
        _ name: String, id: UInt16, magic: [UInt32], securityInfo: SecurityInfo = .withChipID, mac: UInt32,
        spi: UInt32, layout: FlashController.Layout = .newer, bootloader: UInt32 = 0,
        acceptsEncryptedWord: Bool = true, inflatesWithinRegion: Bool = false, memory: MemoryMap, efuses: EfuseMap,
        crystal: Crystal = .fixed(40),
        uartClockDivider: UInt32 = 0x6000_0014, strapping: UInt32? = nil, reset: ResetRegisters? = nil,
        usb: USBRegisters? = nil, frequencies: [(UInt32, UInt8)] = [(80, 0xF), (40, 0), (26, 1), (20, 2)],
        encryptedWriteAlignment: UInt32 = 16
    ) {
        self.name = name
        self.id = id
        magicValues = magic
        self.securityInfo = securityInfo
        macAddressRegister = mac
        flashController = FlashController(base: spi, layout: layout)
        bootloaderOffset = bootloader
        self.acceptsEncryptedWord = acceptsEncryptedWord
        self.inflatesWithinRegion = inflatesWithinRegion
        self.memory = memory
        self.efuses = efuses
        self.crystal = crystal
        self.uartClockDivider = uartClockDivider
        self.strapping = strapping
        self.reset = reset
        self.usb = usb
        flashFrequencies = frequencies.map { FlashFrequency(megahertz: $0.0, code: $0.1) }
        self.encryptedWriteAlignment = encryptedWriteAlignment
    }
}

/// The product names of chips, which depend on the package and the memory in it. Source: Espressif's datasheets.
extension Chip {
    /// The product's name. `words`, keyed by address, contain the eFuses of ``EfuseMap/package``, revision and memory.
    /// `nil` for an unknown product, or when the product is named like the chip.
    public func product(in words: [UInt32: UInt32]) -> String? {
        let package = Int(efuses.package.value(in: words))
        let names: [String?]
        switch self {
        case .esp32:
            let isThird = majorRevision(in: words) == 3
            let cores = Self.hasOneCore.value(in: words) == 1 ? "S" : "D"
            let suffix = isThird && cores == "D" ? "-V3" : ""
            names = [
                "ESP32-\(cores)0WDQ6\(suffix)", "ESP32-\(cores)0WD\(suffix)", "ESP32-D2WD", nil, "ESP32-U4WDH",
                isThird ? "ESP32-PICO-V3" : "ESP32-PICO-D4", "ESP32-PICO-V3-02", "ESP32-D0WDR2-V3",
            ]
        case .esp32s3: names = ["ESP32-S3 (QFN56)", "ESP32-S3-PICO-1 (LGA56)"]
        case .esp32c2: names = [nil, "ESP8684H"]
        case .esp32c3: names = ["ESP32-C3 (QFN32)", "ESP8685 (QFN28)", "ESP32-C3 AZ (QFN32)", "ESP8686 (QFN24)"]
        case .esp32c6:
            let flash = efuses.flashCapacity.flatMap { packageFlashMegabytes(code: $0.value(in: words)) }
            names = ["ESP32-C6 (QFN40)", flash.flatMap { $0 > 0 ? "ESP32-C6FH\($0) (QFN32)" : nil }]
        default: names = []
        }
        return names.indices.contains(package) ? names[package] : nil
    }

    /// The ESP32's eFuse that disables the second core (CHIP_VER_DIS_APP_CPU).
    private static let hasOneCore = RegisterField(0x3FF5_A00C, 0, 1)

    /// The megabytes of flash in the package, by the code of ``EfuseMap/flashCapacity``; `nil` for an unknown code.
    public func packageFlashMegabytes(code: UInt32) -> Int? {
        switch self {
        case .esp32s2: [0, 2, 4].at(code)
        case .esp32s3: [0, 8, 4].at(code)
        case .esp32c2: [0, 4, 2, 1].at(code)
        case .esp32c3: [0, 4, 2, 1, 8].at(code)
        case .esp32c5: [0, 4].at(code)
        case .esp32c6: [0, 4, 8].at(code)
        case .esp32h2: [0, 4, 2, 1].at(code)
        default: nil
        }
    }

    /// The megabytes of PSRAM in the package, by the code of ``EfuseMap/psramCapacity``; `nil` for an unknown code.
    public func packagePSRAMMegabytes(code: UInt32) -> Int? {
        switch self {
        case .esp32s2: [0, 2, 4].at(code)
        case .esp32s3: [0, 8, 2, 16, 4].at(code)
        case .esp32c5: [0, 4, 8].at(code)
        default: nil
        }
    }
}

extension [Int] {
    fileprivate func at(_ code: UInt32) -> Int? { code < count ? self[Int(code)] : nil }
}

/// The table of known chips.
extension Chip {
    /// All known chips.
    public static let all: [Chip] = [
        .esp32, .esp32s2, .esp32s3, .esp32c2, .esp32c3, .esp32c5, .esp32c6, .esp32h2, .esp32p4,
    ]

    /// The names of chips of the family that are not in ``all``, by chip id.
    public static let unsupportedNames: [UInt32: String] = [
        20: "ESP32-C61", 25: "ESP32-H21", 28: "ESP32-H4", 31: "ESP32-E22", 32: "ESP32-S31",
    ]

    /// The chip with this id in its image headers.
    public static func withID(_ id: some BinaryInteger) -> Chip? {
        all.first { $0.id == id }
    }

    /// The chip whose magic register reads `magic`, among the chips identified by this register.
    public static func withMagic(_ magic: UInt32) -> Chip? {
        all.first { !$0.reportsChipID && $0.magicValues.contains(magic) }
    }

    /// The chip called `name`, in Espressif's or esptool's spelling.
    public static func named(_ name: String) -> Chip? {
        all.first { $0.name == name || $0.identifier == name.lowercased() }
    }
}
