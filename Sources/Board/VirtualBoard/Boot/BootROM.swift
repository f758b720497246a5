import ByteCodec
import Crypto
internal import ESPChips
public import ESPImage

/// The ROM: boot and boot log before code from flash runs. Only an ESP32 runs applications.
struct BootROM {
    /// The number of attempts of the ROM to find a bootloader before its watchdog resets the chip: 8 lines, 0.1 s
    /// apart. An emulator without that watchdog repeats the line without end.
    private static let attempts = 8
    private static let attemptTime = Duration.milliseconds(100)

    let flash: NORFlash
    let key: HostProgramKey?
    var chip = Chip.esp32

    /// The boot after `reason` in `mode`.
    func boot(_ mode: ResetCircuit.BootMode, _ reason: ResetReason) -> BootScript {
        var script = BootScript(reason: reason)
        let texts = ROMTexts(chip)
        script.print(lines: texts.banner + [texts.reasonLine(reason, mode, chip)], after: .milliseconds(5))
        switch mode {
        case .download:
            script.print("waiting for download")
            script.outcome = .download
        case .flash:
            loadBootloader(&script)
        }
        return script
    }

    /// Runs the code in the flash without a reset, as the ESP32's ROM does when its loader ends.
    func run() -> BootScript {
        var script = BootScript(reason: .powerOn)
        loadBootloader(&script, isBoot: false)
        return script
    }

    private func loadBootloader(_ script: inout BootScript, isBoot: Bool = true) {
        let offset = Int(chip.bootloaderOffset)
        let bytes = (try? flash.read(at: offset, count: Int(PartitionTable.offset) - offset)) ?? []
        if isBoot {
            guard checkHeader(bytes, &script) else { return }
        } else if bytes.first != ImageHeader.magic {
            script.print("flash read err, 631")
            return fail(&script)
        }
        do throws(ImageError) {
            var reader = try ImageReader(bytes[...], for: chip)
            let settings = reader.header.flash
            let mode = "mode:\(Self.modeName(settings.mode)), clock div:\(Self.clockDivider(settings.frequencyCode))"
            let lines =
                isESP32
                ? [
                    "configsip: \(isBoot ? "0" : "0x00000000"), SPIWP:0xee",
                    "clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00", mode,
                ] : ["SPIWP:\(hexadecimal(bytes[Self.writeProtectPinOffset], digits: 2))", mode]
            script.print(lines: lines, after: .milliseconds(2))
            var position = ImageHeader.length
            for _ in 0..<reader.header.segmentCount {
                let (address, length) = (word(in: bytes, at: position), word(in: bytes, at: position + 4))
                guard length != .max else {
                    // The segment has been erased.
                    script.print(isESP32 ? "cmd len -1" : "ets_loader.c 78 ")
                    return reset(&script)
                }
                script.print(
                    "load:\(hexadecimal(address, digits: 8)),len:" + (isESP32 ? "\(length)" : hexadecimal(length)))
                position += ImageSegment.headerLength + (try reader.nextSegment()?.segment.data.count ?? 0)
            }
            let sums = try reader.sums()
            guard sums.storedChecksum == sums.computedChecksum else {
                let computed = hexadecimal(sums.computedChecksum, digits: 2)
                let stored = hexadecimal(sums.storedChecksum, digits: 2)
                script.print(
                    isESP32
                        ? "csum err:\(computed)!=\(stored)"
                        : "Checksum failure. Calculated \(computed) stored \(stored)")
                fail(&script)
                return
            }
            // The ESP32's ROM does not know the digest. Newer ROMs expect a digest in every image, but boot without
            // one, too.
            let end = sums.imageLength - (sums.storedHash?.count ?? 0)
            let computed = Array(SHA256.hash(data: bytes[..<end]))
            let stored = bytes[end...].prefix(computed.count)
            if !isESP32, !stored.elementsEqual(computed) {
                script.print(
                    "SHA-256 comparison failed:", "Calculated: \(Hexadecimal.string(computed))",
                    "Expected: \(Hexadecimal.string(Array(stored)))", "Attempting to boot anyway...")
            }
            script.print("entry \(hexadecimal(reader.header.entryPoint, digits: 8))", after: .milliseconds(10))
            guard isESP32 else {
                script.outcome = .halt("this board runs applications of the ESP32 only, not of the \(chip.name)")
                return
            }
            SecondStageBootloader(flash: flash, key: key).run(&script)
        } catch {
            script.print(isESP32 ? "flash read err, 1000" : "Invalid image block, can't boot.")
            fail(&script)
        }
    }

    /// Makes the ROM's checks of the header.
    ///
    /// - Returns: false after the lines that report a fault.
    private func checkHeader(_ bytes: [UInt8], _ script: inout BootScript) -> Bool {
        let header = Array(bytes.prefix(ImageHeader.length))
        guard header.count == ImageHeader.length, header[0] == ImageHeader.magic, header[1] <= Self.segmentCountLimit,
            header[2] <= Self.modeLimit
        else {
            retry("invalid header: \(hexadecimal(word(in: bytes, at: 0), digits: 8))", &script)
            return false
        }
        let chipID = UInt16(header[12]) | UInt16(header[13]) << 8
        if isESP32 {
            guard chipID == chip.id else {
                retry("wrong chip id \(hexadecimal(chipID, digits: 4))", &script)
                return false
            }
            return true
        }
        if header[1] > ImageHeader.maximumSegmentCount {
            script.print("Invalid image block count: \(header[1]) (max \(ImageHeader.maximumSegmentCount))")
        } else if chipID != chip.id {
            script.print("Invalid chip id. Expected \(chip.id) read \(chipID). Bootloader for wrong chip?")
        } else {
            return true
        }
        fail(&script)
        return false
    }

    private var isESP32: Bool { chip == .esp32 }

    /// A header with a greater segment count or flash mode is not valid.
    private static let segmentCountLimit: UInt8 = 32
    private static let modeLimit: UInt8 = 5
    /// The place of the write-protect pin in an image's header.
    private static let writeProtectPinOffset = 8

    /// The ROM reads the flash again and again, until the watchdog resets the chip.
    private func retry(_ line: String, _ script: inout BootScript) {
        for _ in 0..<Self.attempts { script.print(line, after: Self.attemptTime) }
        script.outcome = .reset(.rtcWatchdog)
    }

    /// The word at `offset`, of as many bytes as exist.
    private func word(in bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func fail(_ script: inout BootScript) {
        script.print(isESP32 ? "ets_main.c 384 " : "ets_main.c 333 ")
        reset(&script)
    }

    /// The watchdog resets the chip, after the time that the ROM has for a boot.
    private func reset(_ script: inout BootScript) {
        script.lastPause = Self.attemptTime * Self.attempts
        script.outcome = .reset(.rtcWatchdog)
    }

    private static func modeName(_ mode: UInt8) -> String {
        switch mode {
        case 0: "QIO"
        case 1: "QOUT"
        case 2: "DIO"
        case 3: "DOUT"
        case 4: "FAST_RD"
        default: "SLOW_RD"
        }
    }

    private static func clockDivider(_ frequencyCode: UInt8) -> Int {
        switch frequencyCode {
        case 15: 1
        case 1: 3
        case 2: 4
        default: 2
        }
    }
}

/// The output of a boot, its times, and its outcome.
struct BootScript {
    /// Text, and its delay after the previous text.
    struct Entry {
        var pause: Duration
        var text: String
    }

    /// The outcome of a boot.
    enum Outcome {
        /// The serial loader runs.
        case download
        /// The application runs.
        case application(BootedApplication)
        /// The chip resets itself, and boots again.
        case reset(ResetReason)
        /// Nothing runs until the next reset.
        case halt(String)
    }

    /// The reason of the reset.
    let reason: ResetReason
    private(set) var entries: [Entry] = []
    /// The outcome, after the last text and the last pause.
    var outcome = Outcome.halt("")
    /// The pause before the outcome.
    var lastPause = Duration.zero

    init(reason: ResetReason) {
        self.reason = reason
    }

    /// The pause before entry number `index`, or before the outcome.
    func pause(before index: Int) -> Duration {
        index < entries.count ? entries[index].pause : lastPause
    }

    /// Prints lines, each terminated by CR and LF.
    mutating func print(_ lines: String..., after pause: Duration = .zero) {
        print(lines: lines, after: pause)
    }

    /// Prints lines, each terminated by CR and LF.
    mutating func print(lines: [String], after pause: Duration = .zero) {
        entries.append(Entry(pause: pause, text: lines.map { $0 + "\r\n" }.joined()))
    }
}

/// An application that passed the bootloader's checks and the authentication.
public struct BootedApplication: Hashable, Sendable {
    /// The program to run.
    public var program: HostProgram
    /// The description in the image.
    public var description: AppDescription?
    /// The flash offset of the image.
    public var offset: UInt32
}

/// The texts that the ROM of a chip prints when it starts.
///
/// The texts of the ESP32 (revision 3, "Jul 29 2019") and of the ESP32-C3 ("Feb 7 2021") are those of genuine ROMs,
/// which were executed and read. For the other chips only the banner and the strapping are known, from the logs in
/// Espressif's documents and esptool's; the other texts and their line numbers are the ESP32-C3's.
struct ROMTexts {
    /// The first lines.
    let banner: [String]
    /// The strapping at a boot from flash.
    let flashBoot: String
    /// The strapping in download mode.
    let downloadBoot: String

    /// The texts of `chip`.
    init(_ chip: Chip) {
        switch chip {
        case .esp32s2:
            self.init(
                "ESP-ROM:esp32s2-rc4-20191025", "Build:Oct 25 2019", "0x8 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0/1/SPI))")
        case .esp32s3:
            self.init(
                "ESP-ROM:esp32s3-20210327", "Build:Mar 27 2021", "0x8 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0))")
        case .esp32c2:
            self.init(
                "ESP-ROM:esp8684-api2-20220127", "Build:Jan 27 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(UART0))")
        case .esp32c3:
            self.init(
                "ESP-ROM:esp32c3-api1-20210207", "Build:Feb  7 2021", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0/1))")
        case .esp32c5:
            self.init(
                "ESP-ROM:esp32c5-eco2-20250121", "Build:Jan 21 2025", "0x18 (SPI_FAST_FLASH_BOOT)",
                "0x0 (DOWNLOAD(USB/UART0/SDIO))")
        case .esp32c6:
            self.init(
                "ESP-ROM:esp32c6-20220919", "Build:Sep 19 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0/SDIO_REI_FEO))")
        case .esp32h2:
            self.init(
                "ESP-ROM:esp32h2-20221101", "Build:Nov  1 2022", "0xc (SPI_FAST_FLASH_BOOT)",
                "0x4 (DOWNLOAD(USB/UART0))")
        case .esp32p4:
            self.init(
                "ESP-ROM:esp32p4-eco1-20240205", "Build:Feb  5 2024", "0x30f (SPI_FAST_FLASH_BOOT)",
                "0x307 (DOWNLOAD(USB/UART0/SPI))")
        default:
            self.init(
                "ets Jul 29 2019 12:21:46", "", "0x13 (SPI_FAST_FLASH_BOOT)",
                "0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))")
        }
    }

    private init(_ name: String, _ build: String, _ flashBoot: String, _ downloadBoot: String) {
        banner = [name, build]
        self.flashBoot = flashBoot
        self.downloadBoot = downloadBoot
    }

    /// The line with reset reason and strapping.
    func reasonLine(_ reason: ResetReason, _ mode: ResetCircuit.BootMode, _ chip: Chip) -> String {
        "rst:\(reason.description(on: chip)),boot:\(mode == .flash ? flashBoot : downloadBoot)"
    }
}
