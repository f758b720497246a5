import ESPChips
import ESPFlasher
import ESPProtocol
import Testing

@Suite struct IdentifyTests {
    private func identify(
        _ steps: [ScriptedPort.Step], requiresFlash: Bool = true
    ) async throws -> ConnectedBoard {
        let port = ScriptedPort(Scripts.connect + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify(requiresFlash: requiresFlash)
        await port.finish()
        return board
    }

    @Test func anESP32IsIdentifiedByItsMagic() async throws {
        let board = try await identify(Scripts.identify(Scripts.realMAC))
        #expect(board.chip == .esp32)
        #expect(board.macAddress == Scripts.realMAC)
        #expect(board.flashID == 0x16_40C8)
        #expect(board.flashSize == 4 << 20)
        #expect(!board.isVirtual)
        #expect(try await identify(Scripts.identify(Scripts.virtualMAC)).isVirtual)
    }

    /// What the genuine ROM of an ESP32 answers: to SYNC and READ_REG, and with their number of answers.
    @Test(arguments: [(LoaderOpcode.sync, UInt32(0x2012_0707), 8), (.readRegister, 0x00F0_1D83, 1)])
    func aROMThatDoesNotKnowTheCommandAnswersAsBefore(opcode: LoaderOpcode, value: UInt32, count: Int) async throws {
        var steps = Scripts.identify()
        steps[0] = .unknown(GetSecurityInfo(), after: opcode, value: value, count: count)
        let port = ScriptedPort(Scripts.connect + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        #expect(try await flasher.identify().chip == .esp32)
        await port.finish()
        #expect(flasher.lineFaults == 0)
        #expect(port.clock.now.offset < .seconds(1))
    }

    /// For another command it is a sign of a request that was damaged.
    @Test func aCommandThatArrivedAsAnotherIsSentAgain() async throws {
        var steps = Scripts.identify(afterFault: true)
        steps.insert(
            contentsOf: [
                .unknown(ReadRegister(address: 0x4000_1000), after: .sync, value: 0x2012_0707, count: 8), .sync(),
            ], at: 1)
        #expect(try await identify(steps).chip == .esp32)
    }

    @Test func laterChipsReportTheirID() async throws {
        let board = try await identify(
            [.ok(GetSecurityInfo(), .init(chipID: 13)), .ok(GetSecurityInfo(), .init(chipID: 13))]
                + Scripts.afterChip(.esp32c6, Scripts.realMAC, flashID: 0x17_40C8))
        #expect(board.chip == .esp32c6)
        #expect(board.flashSize == 8 << 20)
    }

    @Test func theS2ReportsNoIDAndIsIdentifiedByItsMagic() async throws {
        let board = try await identify(
            [
                .ok(GetSecurityInfo(), .init(chipID: nil)), .ok(GetSecurityInfo(), .init(chipID: nil)),
                .ok(ReadRegister(address: 0x4000_1000), .init(value: 0x7C6)),
                .ok(ReadRegister(address: 0x4000_1000), .init(value: 0x7C6)),
            ] + Scripts.afterChip(.esp32s2, Scripts.realMAC, flashID: 0x16_40C8))
        #expect(board.chip == .esp32s2)
    }

    @Test func unknownChipsAreErrors() async throws {
        let byID = await FlasherError.of {
            _ = try await identify([
                .ok(GetSecurityInfo(), .init(chipID: 99)), .ok(GetSecurityInfo(), .init(chipID: 99)),
                .sync(),
            ])
        }
        #expect(byID?.description == "identifying the chip: chip id 99 is not known")
        let byMagic = await FlasherError.of {
            _ = try await identify([
                .refused(GetSecurityInfo(), .invalidMessage),
                .ok(ReadRegister(address: 0x4000_1000), .init(value: 0xFFF0_C101)),
                .ok(ReadRegister(address: 0x4000_1000), .init(value: 0xFFF0_C101)), .sync(),
            ])
        }
        #expect(byMagic?.code == .unknownChip)
        #expect(byMagic?.description == "identifying the chip: magic value fff0c101 is not known")
    }

    @Test(arguments: [UInt32(0), 0xFF_FFFF])
    func withoutFlashThereIsAnError(id: UInt32) async throws {
        let error = await FlasherError.of { _ = try await identify(Scripts.identify(flashID: id)) }
        #expect(error?.code == .noFlash)
    }

    /// Chip and MAC address are known without it; with its own fuse, since the ESP32 reports no security settings.
    @Test(arguments: [UInt32(0), 0xFF_FFFF])
    func aBoardWithoutFlashCanBeDescribed(id: UInt32) async throws {
        var steps = Scripts.identify(Scripts.realMAC, flashID: id)
        let fuse = ScriptedPort.Step.ok(ReadRegister(address: 0x3FF5_A000), .init(value: 0))
        steps.insert(contentsOf: [fuse, fuse], at: steps.count - 1)
        let board = try await identify(steps, requiresFlash: false)
        #expect(board.chip == .esp32 && board.macAddress == Scripts.realMAC)
        #expect(!board.hasFlash && board.flashSize == nil)
    }

    /// esp32-mock-bootloader performs only the first write of a packet.
    @Test func registersAreWrittenSinglyWhereOnlyTheFirstWriteOfAPacketCounts() async throws {
        let board = try await identify(
            [.ok(GetSecurityInfo(), .init(chipID: 5)), .ok(GetSecurityInfo(), .init(chipID: 5))]
                + Scripts.afterChip(.esp32c3, Scripts.realMAC, flashID: 0x16_4020, writesSingly: true))
        #expect(board.hasFlash && board.flashSize == 4 << 20)
    }

    @Test func chipsThatAreNotSupportedHaveNames() async throws {
        let security = ScriptedPort.Step.ok(GetSecurityInfo(), .init(chipID: 20))
        let error = await FlasherError.of { _ = try await identify([security, security, .sync()]) }
        #expect(error?.description == "identifying the chip: the ESP32-C61 (chip id 20) is not supported")
    }

    @Test func aCommandWithoutAnswerIsATimeout() async throws {
        let error = await FlasherError.of {
            _ = try await identify([.silence(GetSecurityInfo())] + Array(repeating: .silence(Sync()), count: 6))
        }
        #expect(error?.code == .timeout)
        #expect(error?.description == "identifying the chip: no answer to GET_SECURITY_INFO within 3.0 seconds")
    }

    @Test func aLostAnswerIsAskedForAgain() async throws {
        let steps = Scripts.identify(afterFault: true)
        #expect(try await identify([.silence(GetSecurityInfo()), .sync()] + steps).chip == .esp32)
    }

    @Test func aDamagedAnswerIsAskedForAgain() async throws {
        var damaged = LoaderResponse(to: .securityInfo, failure: .invalidMessage, dialect: .rom).frame
        damaged.removeLast(3)
        damaged.append(0xC0)
        let command = ScriptedPort.Step.command(LoaderRequest(GetSecurityInfo()), answer: damaged)
        #expect(try await identify([command, .sync()] + Scripts.identify(afterFault: true)).chip == .esp32)
    }

    @Test func anAnswerToAnotherCommandIsNotTaken() async throws {
        let other = LoaderResponse(to: ReadFlashSlow.self, .init([]), dialect: .rom).frame
        let command = ScriptedPort.Step.command(LoaderRequest(GetSecurityInfo()), answer: other)
        let again = Scripts.identify(afterFault: true)
        #expect(try await identify([command, .sync()] + again + again).chip == .esp32)
    }

    /// Register values carry no checksum: one that was damaged is not believed.
    @Test func valuesThatDifferAreReadAgain() async throws {
        var steps = Scripts.identify()
        steps.insert(.ok(ReadRegister(address: 0x4000_1000), .init(value: 0x00F0_1D82)), at: 1)
        #expect(try await identify(steps).chip == .esp32)
    }

    @Test func secureDownloadModeIsIdentifiedByTheChipID() async throws {
        var security = GetSecurityInfo.Reply(chipID: 5)
        security.flags = 1 << 2
        let board = try await identify([
            .ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security), .ok(AttachFlash(dialect: .rom)),
            .sync(),
        ])
        #expect(board.isInSecureDownloadMode)
        #expect(board.chip == .esp32c3)
        #expect(board.macAddress.isEmpty && board.flashSize == nil && !board.isVirtual)
    }

    @Test func anESP32InSecureDownloadModeIsRefusedClearly() async throws {
        let refused = ScriptedPort.Step.refused(ReadRegister(address: 0x4000_1000), .invalidMessage)
        let error = await FlasherError.of {
            _ = try await identify([
                .refused(GetSecurityInfo(), .invalidMessage), refused, .sync(), refused, .sync(),
            ])
        }
        #expect(error?.code == .secureDownload)
        #expect(error?.description.contains("as in secure download mode") == true)
    }

    /// In this mode a ROM that does not tell its chip does not know READ_REG any more.
    @Test func anESP32S2InSecureDownloadModeIsRefusedClearly() async throws {
        var security = GetSecurityInfo.Reply(chipID: nil)
        security.flags = 1 << 2
        let unknown = ScriptedPort.Step.unknown(
            ReadRegister(address: 0x4000_1000), after: .securityInfo, value: 0)
        let attempts = Array(repeating: [unknown, .sync()], count: 5).flatMap { $0 } + [unknown, .sync()]
        let error = await FlasherError.of {
            _ = try await identify([.ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security)] + attempts)
        }
        #expect(error?.code == .secureDownload)
    }

    /// Answers that no request explains: all is asked for again.
    @Test func answersBeyondThoseToTheRequestsAreNotBelieved() async throws {
        let late = LoaderResponse(to: Sync.self, .rom, dialect: .rom).frame
        let answer = LoaderResponse(to: .securityInfo, failure: .invalidMessage, dialect: .rom).frame
        let again = Scripts.identify(afterFault: true)
        var steps = again
        steps[0] = .command(LoaderRequest(GetSecurityInfo()), answer: late + late + answer)
        #expect(try await identify(steps + again).chip == .esp32)
    }
}
