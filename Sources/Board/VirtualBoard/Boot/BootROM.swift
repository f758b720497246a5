import ByteCodec
import ESPChips
import ESPImage

/// The ROM: boot and boot log before code from flash runs. Only an ESP32 runs applications.
struct BootROM {
    /// How long the ROM looks for a bootloader before its watchdog resets the chip: 8 lines, 0.1 s apart.
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

    private func loadBootloader(_ script: inout BootScript) {
        let offset = Int(chip.bootloaderOffset)
        let bytes = (try? flash.read(at: offset, count: Int(PartitionTable.offset) - offset)) ?? []
        guard checkHeader(bytes, &script) else { return }
        do throws(ImageError) {
            var reader = try ImageReader(bytes[...], for: chip)
            let settings = reader.header.flash
            let mode = "mode:\(Self.modeName(settings.mode)), clock div:\(Self.clockDivider(settings.frequencyCode))"
            let lines =
                isESP32
                ? [
                    "configsip: 0, SPIWP:0xee",
                    "clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00", mode,
                ] : ["SPIWP:\(hexadecimal(bytes[Self.writeProtectPinOffset], digits: 2))", mode]
            script.print(lines: lines, after: .milliseconds(2))
            while let segment = try reader.nextSegment()?.segment {
                let count = segment.data.count
                script.print(
                    "load:\(hexadecimal(segment.address, digits: 8)),len:"
                        + (isESP32 ? "\(count)" : hexadecimal(UInt32(count))))
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
            // The ESP32's ROM does not know the digest; the newer ones boot nevertheless.
            if !isESP32, let stored = sums.storedHash, let computed = sums.computedHash, stored != computed {
                script.print(
                    "SHA-256 comparison failed:", "Calculated: \(Hexadecimal.string(computed))",
                    "Expected: \(Hexadecimal.string(stored))", "Attempting to boot anyway...")
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

    /// Checks what the ROM checks before it believes the header.
    ///
    /// - Returns: false after the lines that say what is wrong.
    private func checkHeader(_ bytes: [UInt8], _ script: inout BootScript) -> Bool {
        let header = Array(bytes.prefix(ImageHeader.length))
        guard header.count == ImageHeader.length, header[0] == ImageHeader.magic, header[1] <= Self.segmentCountLimit,
            header[2] <= Self.modeLimit
        else {
            let word = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            retry("invalid header: \(hexadecimal(word, digits: 8))", &script)
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

    /// A header with a greater segment count or flash mode is none.
    private static let segmentCountLimit: UInt8 = 32
    private static let modeLimit: UInt8 = 5
    /// The place of the write-protect pin in an image's header.
    private static let writeProtectPinOffset = 8

    /// The ROM reads the flash again and again, until the watchdog resets the chip.
    private func retry(_ line: String, _ script: inout BootScript) {
        for _ in 0..<Self.attempts { script.print(line, after: Self.attemptTime) }
        script.outcome = .reset(.rtcWatchdog)
    }

    private func fail(_ script: inout BootScript) {
        script.print(isESP32 ? "ets_main.c 384 " : "ets_main.c 333 ")
        script.lastPause = Self.attemptTime * Self.attempts
        script.outcome = .reset(.rtcWatchdog)
    }

    private static func modeName(_ mode: UInt8) -> String {
        switch mode {
        case 0: "QIO"
        case 1: "QOUT"
        case 2: "DIO"
        case 3: "DOUT"
        default: "SLOW READ"
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
