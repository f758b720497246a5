import ESPChips
import ESPFlasher
import ESPProtocol
import SerialPort
import Testing

/// The resets before and after a session, by the kind of port.
@Suite struct ResetTests {
    private typealias Step = ScriptedPort.Step

    private static func lines(_ dtr: Int, _ rts: Int) -> Step { .lines(dtr: dtr == 1, rts: rts == 1) }
    private static func pause(_ milliseconds: Int) -> Step { .pause(.milliseconds(milliseconds)) }
    private static let silence = Array(repeating: Step.silence(Sync()), count: Flasher.syncsPerAttempt)

    private static let serialJTAG = [
        lines(0, 0), pause(100), lines(1, 0), pause(100), lines(1, 1), lines(0, 1), pause(100), lines(0, 0),
    ]
    private static let classic = [lines(0, 1), pause(100), lines(1, 0), pause(50), lines(0, 0)]
    private static let hardUSB = [lines(0, 1), pause(200), lines(0, 0), pause(200)]

    private func connect(
        over interface: PortTraits.Interface, _ options: ConnectOptions = ConnectOptions(), steps: [Step]
    ) async throws {
        let port = ScriptedPort(hasModemLines: true, interface: interface, [.rate(115_200)] + steps)
        try await Flasher(port: port, clock: port.clock).connect(options)
        await port.finish()
    }

    /// The board that is found at the end of `port`'s script for a chip on USB.
    private func identify(_ flasher: Flasher) async throws -> ConnectedBoard {
        try await flasher.connect(ConnectOptions(reset: .none))
        return try await flasher.identify()
    }

    /// The identification of `chip` over USB: with the watchdogs stopped.
    private static func identification(of chip: Chip) throws -> [Step] {
        let registers = try #require(chip.reset)
        var writes: [WriteRegister.Write] = [
            .init(address: registers.writeProtect, value: 0x50D8_3AA1), .init(address: registers.config, value: 0),
            .init(address: registers.writeProtect, value: 0),
        ]
        if let other = registers.superWatchdog {
            writes += [
                .init(address: other.writeProtect, value: other.key),
                .init(address: other.config, value: other.automaticFeed, mask: other.automaticFeed),
                .init(address: other.writeProtect, value: 0),
            ]
        }
        let security = GetSecurityInfo.Reply(chipID: UInt32(chip.id))
        return [
            .rate(115_200), .sync(), .ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security),
            .ok(WriteRegister(writes)),
        ] + Scripts.afterChip(chip, Scripts.realMAC, flashID: 0x16_40C8)
    }

    /// The watchdog's start; the values are those of "RTC Watchdog" in the reference manuals.
    private static func watchdog(of chip: Chip) throws -> WriteRegister {
        let registers = try #require(chip.reset)
        return WriteRegister([
            .init(address: registers.writeProtect, value: 0x50D8_3AA1),
            .init(address: registers.config + 4, value: 2000),
            .init(address: registers.config, value: 0xD000_0102), .init(address: registers.writeProtect, value: 0),
        ])
    }

    @Test func theUSBSerialJTAGControllerIsResetBySequencesOfItsOwn() async throws {
        try await connect(over: .usbSerialJTAG, steps: Self.serialJTAG + [.sync()])
        try await connect(
            over: .usbSerialJTAG, steps: Self.serialJTAG + Self.silence + Self.serialJTAG + [.silence(Sync()), .sync()])
    }

    @Test func theUSBOTGControllerIsResetByTheClassicSequenceFirst() async throws {
        try await connect(over: .usbOTG, steps: Self.classic + [.sync()])
        try await connect(over: .usbOTG, steps: Self.classic + Self.silence + Self.serialJTAG + [.sync()])
    }

    @Test func aSequenceOfTheUserIsPerformedAtEachAttempt() async throws {
        let sequence = try ResetSequence(custom: "D0|R1|W0.29|U1,0|W1|D0")
        let steps = [
            Self.lines(0, 0), Self.lines(0, 1), Self.pause(290), Self.lines(1, 0), Self.pause(1000), Self.lines(0, 0),
        ]
        try await connect(
            over: .uart, ConnectOptions(reset: .sequence(sequence), attempts: 2),
            steps: steps + Self.silence + steps + [.sync()])
    }

    @Test(arguments: [
        "", "D", "D2", "D0|", "|R1", "R1,0", "U1", "U1,0,1", "W", "W-1", "W61", "Wnan", "X1", "d1", "D0 R1",
    ])
    func anotherFormOfASequenceIsRefused(text: String) throws {
        do throws(FlasherError) {
            _ = try ResetSequence(custom: text)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.description.contains("expected D0, D1, R0, R1, U1,0 or W0.1"), "\(error)")
        }
    }

    @Test func aLineIsNotTouchedWithoutAReset() async throws {
        try await connect(over: .usbSerialJTAG, ConnectOptions(reset: .none), steps: [.sync()])
    }

    @Test(arguments: [Chip.esp32s3, .esp32c3, .esp32s2, .esp32p4])
    func theHardResetOverUSBLeavesTheDownloadMode(chip: Chip) async throws {
        let release = (chip.usb?.forceDownload?.pieces ?? []).map {
            Step.ok(WriteRegister([.init(address: $0.address, value: 0, mask: 1 << $0.shift)]))
        }
        let port = ScriptedPort(
            hasModemLines: true, interface: .usbSerialJTAG,
            try Self.identification(of: chip) + release + [.rate(115_200)] + Self.hardUSB)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.reset(.hard, of: try await identify(flasher))
        await port.finish()
    }

    @Test(arguments: [Chip.esp32s3, .esp32c3, .esp32s2])
    func theWatchdogResetsAChipOnUSB(chip: Chip) async throws {
        let release = (chip.usb?.forceDownload?.pieces ?? []).map {
            Step.ok(WriteRegister([.init(address: $0.address, value: 0, mask: 1 << $0.shift)]))
        }
        let port = ScriptedPort(
            hasModemLines: true, interface: .usbSerialJTAG,
            try Self.identification(of: chip) + release + [.ok(try Self.watchdog(of: chip)), .rate(115_200)])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.reset(.watchdog, of: try await identify(flasher))
        await port.finish()
    }

    @Test func theUSBDeviceMayLeaveTheBusWithTheWatchdogsReset() async throws {
        let port = ScriptedPort(
            hasModemLines: true, interface: .usbSerialJTAG,
            try Self.identification(of: .esp32c3) + [.vanish(.writeRegister)])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.reset(.watchdog, of: try await identify(flasher))
        await port.finish()
    }

    @Test func aBridgeThatVanishesIsAnErrorOfThePort() async throws {
        let port = ScriptedPort(Scripts.connect + Scripts.identify() + [.vanish(.writeRegister)])
        let flasher = Flasher(port: port, clock: port.clock)
        let board = try await identify(flasher)
        let error = await FlasherError.of { try await flasher.reset(.soft, of: board) }
        #expect(error?.code == .port)
    }

    /// The ROM stays in its loader when it refuses DEFL_END; after a refused FLASH_END that of the ESP32-C3 panics.
    @Test func aChipWithoutThisWatchdogIsRestartedByItsROM() async throws {
        let security = GetSecurityInfo.Reply(chipID: UInt32(Chip.esp32c6.id))
        let nothing = FlashWriteRegion(
            eraseSize: 0, blockCount: 0, blockSize: 1024, offset: 0, isEncrypted: false)
        let port = ScriptedPort(
            Scripts.connect + [.ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security)]
                + Scripts.afterChip(.esp32c6, Scripts.realMAC, flashID: 0x16_40C8)
                + [.ok(DeflateBegin(nothing)), .ok(DeflateEnd(reboots: true)), .rate(115_200)])
        let flasher = Flasher(port: port, clock: port.clock)
        #expect(try await flasher.reset(.hard, of: try await identify(flasher)))
        await port.finish()
    }

    @Test func aChipWithoutThisWatchdogIsRefused() async throws {
        let port = ScriptedPort(
            hasModemLines: true, interface: .usbSerialJTAG, try Self.identification(of: .esp32c6))
        let flasher = Flasher(port: port, clock: port.clock)
        let board = try await identify(flasher)
        let error = await FlasherError.of { try await flasher.reset(.watchdog, of: board) }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("got ESP32-C6") == true)
        await port.finish()
    }
}
