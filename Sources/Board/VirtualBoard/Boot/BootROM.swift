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
        script.print(lines: texts.banner + [texts.reasonLine(reason, mode)], after: .milliseconds(5))
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
        do throws(ImageError) {
            var reader = try ImageReader(bytes[...], for: chip)
            let settings = reader.header.flash
            script.print(
                "configsip: 0, SPIWP:0xee",
                "clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00",
                "mode:\(Self.modeName(settings.mode)), clock div:\(Self.clockDivider(settings.frequencyCode))",
                after: .milliseconds(2))
            while let segment = try reader.nextSegment()?.segment {
                script.print("load:\(hexadecimal(segment.address, digits: 8)),len:\(segment.data.count)")
            }
            let sums = try reader.sums()
            guard sums.storedChecksum == sums.computedChecksum else {
                script.print(
                    "csum err:\(hexadecimal(sums.storedChecksum))!=\(hexadecimal(sums.computedChecksum))")
                fail(&script)
                return
            }
            script.print("entry \(hexadecimal(reader.header.entryPoint, digits: 8))", after: .milliseconds(10))
            guard chip == .esp32 else {
                script.outcome = .halt("this board runs applications of the ESP32 only, not of the \(chip.name)")
                return
            }
            SecondStageBootloader(flash: flash, key: key).run(&script)
        } catch {
            switch error.code {
            case .badMagic:
                let word = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                for _ in 0..<Self.attempts {
                    script.print("invalid header: \(hexadecimal(word, digits: 8))", after: Self.attemptTime)
                }
                script.outcome = .reset(.rtcWatchdog)
            default:
                script.print("flash read err, \(String(offset, radix: 16))")
                fail(&script)
            }
        }
    }

    private func fail(_ script: inout BootScript) {
        script.print("ets_main.c 371 ")
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
