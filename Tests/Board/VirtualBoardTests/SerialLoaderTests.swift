import ByteCodec
import ESPChips
import ESPProtocol
import MonotonicTime
import Testing
import VirtualBoard

@Suite struct SerialLoaderTests {
    private func region(_ size: UInt32, at offset: UInt32, isEncrypted: Bool? = nil) -> FlashWriteRegion {
        FlashWriteRegion(
            eraseSize: size, blockCount: size / 1024 + 1, blockSize: 1024, offset: offset, isEncrypted: isEncrypted)
    }

    private func block(_ sequence: UInt32, _ bytes: [UInt8]) -> DataBlock {
        DataBlock(sequence: sequence, payload: bytes[...])
    }

    @Test(arguments: [false, true]) func syncIsAnsweredEightTimes(stub: Bool) throws {
        let talk = try Talk(stub: stub)
        talk.send(Sync())
        let frames = talk.frames()
        #expect(frames.count == 8)
        #expect(frames.allSatisfy { $0[1] == 8 && ($0[4...7].allSatisfy { $0 == 0 }) == stub })
    }

    @Test func registersIdentifyTheChip() throws {
        let talk = try Talk(stub: false)
        func read(_ address: UInt32) throws -> UInt32 { try talk.outcome(ReadRegister(address: address)).get().value }
        #expect(try read(Chip.magicRegister) == 0x00F0_1D83)
        let low = try read(0x3FF5_A004)
        let high = try read(0x3FF5_A008)
        #expect(Chip.macAddress(low: low, high: high) == [0x02, 0xEB, 0xAA, 0xBB, 0xCC, 0xDD])
        #expect(try read(0x3FF4_0014) == 347)
        _ = try talk.outcome(ChangeBaudRate(newRate: 921_600)).get()
        // The ROM takes the crystal for one of 39.6 MHz, and the rate is accordingly wrong.
        #expect(try read(0x3FF5_F06C) >> 7 * 15_625 * (try read(0x3FF5_A010) & 0xFF) / 40 / 1000 == 39_584)
        #expect(try read(0x3FF4_0014) == 42)
        _ = try talk.outcome(ChangeBaudRate(newRate: 912_033)).get()
        #expect(try read(0x3FF4_0014) == 43)
        #expect(try read(0x6000_0000) == 0)
        _ = try talk.outcome(WriteRegister([.init(address: 0x6000_0000, value: 0xFFFF_FFFF, mask: 0xFF00)])).get()
        #expect(try read(0x6000_0000) == 0xFF00)
    }

    @Test func theROMMeasuresTheRateOfTheFirstBytesOnly() throws {
        let talk = try Talk(stub: false, attached: false)
        talk.loader.setClientRate(9600)
        #expect(try talk.outcome(ReadRegister(address: 0x3FF4_0014)).get().value == 4166)
        talk.loader.setClientRate(115_200)
        #expect(try talk.outcome(ReadRegister(address: 0x3FF4_0014)).get().value == 4166)
    }

    @Test func theROMAnswersAfterWritingAndTheStubBefore() throws {
        let rom = try Talk(stub: false)
        rom.send(FlashBegin(region(4096, at: 0)))
        #expect(rom.frames().isEmpty)
        rom.pass(.milliseconds(44))
        #expect(rom.frames().isEmpty)
        rom.pass(.milliseconds(1))
        #expect(rom.frames().count == 1)
        rom.send(FlashData(block(0, [UInt8](repeating: 1, count: 1024))))
        #expect(rom.frames().isEmpty)
        rom.pass(.milliseconds(2))
        #expect(rom.frames().count == 1)

        let stub = try Talk(stub: true)
        _ = try stub.outcome(FlashBegin(region(4096, at: 0))).get()
        for sequence in 0..<3 {
            stub.send(FlashData(block(UInt32(sequence), [UInt8](repeating: 1, count: 1024))))
        }
        #expect(
            stub.frames().count == 1, "the second waits for the first to be written; there is no buffer for a third")
        stub.pass(.microseconds(1600))
        #expect(stub.frames().count == 1)
        stub.pass(.seconds(1))
        #expect(stub.frames().isEmpty)
        #expect(try stub.flash.read(at: 2047, count: 2) == [1, 0xFF])
    }

    @Test func aSecondFrameWhileBusyIsDropped() throws {
        let talk = try Talk(stub: true)
        talk.send(EraseFlash())
        for _ in 0..<5 { talk.send(ReadRegister(address: 0)) }
        talk.pass(.seconds(60))
        #expect(talk.frames().map { $0[1] } == [0xD0, 0x0A])
    }

    @Test func theStubReportsAFailedWriteAtTheNextCommand() throws {
        let talk = try Talk(stub: true)
        _ = try talk.outcome(DeflateBegin(region(4096, at: 0))).get()
        _ = try talk.outcome(DeflateData(block(0, [1, 2, 3, 4]), inflatedCount: 0)).get()
        #expect(try talk.outcome(ReadRegister(address: 0)).refusal == .stubInflate)
        #expect(try talk.outcome(ReadRegister(address: 0)).refusal == nil)
        #expect(try talk.outcome(DeflateEnd(reboots: false)).refusal == .stubLength)
    }

    @Test func theROMRefusesInvalidCommands() throws {
        let bare = try Talk(stub: false, attached: false)
        #expect(try bare.outcome(FlashBegin(region(4096, at: 0))).refusal == .failed)
        let talk = try Talk(stub: false)
        #expect(try talk.outcome(GetSecurityInfo()).refusal == .invalidMessage)
        #expect(try talk.outcome(EraseFlash()).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 0, isEncrypted: false))).refusal == .invalidMessage)
        let large = FlashWriteRegion(eraseSize: 4096, blockCount: 1, blockSize: 0x1801, offset: 0)
        #expect(try talk.outcome(FlashBegin(large)).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 100))).refusal == .failed)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 1 << 20))).refusal == .failed)
        #expect(try talk.outcome(FlashBegin(region(.max, at: 0xFFFF_F000))).refusal == .failed)
        #expect(try talk.outcome(DeflateData(block(0, [1]), inflatedCount: 0)).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashMD5(address: 0xFFFF_FFFF, size: 1)).refusal == .flashRead)
    }

    /// The answer's bytes from the opcode on, without the length.
    private func answers<Command: LoaderCommand>(
        _ talk: Talk, _ command: Command, spoiled: Bool = false
    ) -> [String] {
        var request = LoaderRequest(command)
        if spoiled { request.checksum ^= 1 }
        talk.sendRaw(request.frame)
        talk.pass(.seconds(1))
        return talk.frames().map { Hexadecimal.string($0[1...]) }
    }

    /// Measured on the genuine ROM: GET_SECURITY_INFO after SYNC and after READ_REG.
    @Test func anUnknownOpcodeIsAnsweredWithThePreviousOne() throws {
        let talk = try Talk(stub: false)
        talk.send(Sync())
        _ = talk.frames()
        #expect(answers(talk, GetSecurityInfo()) == Array(repeating: "0804000707122001050000", count: 8))
        _ = try talk.outcome(ReadRegister(address: Chip.magicRegister)).get()
        #expect(answers(talk, GetSecurityInfo()) == ["0a0400831df00001050000"])
        let other = try Talk(stub: false, chip: .esp32c3)
        #expect(answers(other, EraseFlash()) == ["0d04000000000001050000"])
    }

    @Test func aBlockWithAWrongChecksumCountsAndTheErrorByteStays() throws {
        let talk = try Talk(stub: false)
        let first = FlashData(block(0, [1, 2, 3, 4]))
        _ = answers(talk, FlashBegin(region(4096, at: 0)))
        #expect(answers(talk, first, spoiled: true) == ["0304000000000001070000"])
        #expect(answers(talk, first) == ["0304000000000001050000"])
        #expect(answers(talk, FlashData(block(1, [1, 2, 3, 4]))) == ["0304000000000000050000"])
        #expect(try talk.flash.read(at: 0, count: 5) == [1, 2, 3, 4, 0xFF])
        #expect(answers(talk, FlashBegin(region(4096, at: 4096))) == ["0204000000000000050000"])
        #expect(answers(talk, FlashData(block(0, [1, 2, 3]))) == ["0304000000000001050000"])
        _ = answers(talk, Sync())
        #expect(answers(talk, FlashData(block(0, [0, 0, 0, 0]))) == ["0304000707122000000000"])
        // Flash that is not erased.
        let memory = MemoryBegin(size: 4, blockCount: 1, blockSize: 4, address: 0x4009_0000)
        #expect(answers(talk, memory).count == 1)
        #expect(answers(talk, MemoryData(block(0, [1, 2, 3, 4])), spoiled: true) == ["0704000707122001070000"])
        #expect(answers(talk, MemoryData(block(0, [1, 2, 3, 4]))) == ["0704000707122001050000"])
        _ = answers(talk, FlashBegin(FlashWriteRegion(eraseSize: 0, blockCount: 1, blockSize: 4, offset: 0)))
        #expect(answers(talk, FlashData(block(0, [0xFF, 2, 3, 4]))) == ["0304000707122001080000"])
    }

    /// Recorded of both: it depends on what the RAM holds.
    @Test func dataWithoutTheirBegin() throws {
        let talk = try Talk(stub: false)
        #expect(answers(talk, FlashData(block(0, [1, 2, 3, 4]))) == ["0304000000000001050000"])
        #expect(answers(talk, MemoryData(block(0, [1]))) == ["0704000000000001050000"])
        let other = try Talk(stub: false, chip: .esp32c3)
        #expect(answers(other, FlashData(block(0, [1, 2, 3, 4]))) == ["0304000000000000000000"])
        #expect(answers(other, FlashData(block(1, [1, 2, 3, 4]))) == ["0304000000000000000000"])
        #expect(answers(other, FlashData(block(7, [1, 2, 3, 4]))) == ["0304000000000001050000"])
        // The two kinds of write share their counter.
        #expect(answers(other, MemoryData(block(2, [1]))) == ["0704000000000000050000"])
        #expect(try other.flash.read(at: 0, count: 4) == [0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test func aReadThatIsTooLongAnswersWithItsBuffer() throws {
        let talk = try Talk(stub: false)
        try talk.flash.program([UInt8](repeating: 0x5A, count: 64)[...], at: 0, now: talk.now)
        talk.pass(.seconds(1))
        _ = try talk.outcome(ReadFlashSlow(offset: 0, count: 64)).get()
        let stale = String(repeating: "5a", count: 64)
        #expect(answers(talk, ReadFlashSlow(offset: 0, count: 65)) == ["0e440000000000" + stale + "010a0000"])
        // What READ_FLASH_SLOW has left is behind the status of other answers.
        #expect(answers(talk, AttachFlash(dialect: .rom)) == ["0d040000000000" + "00005a5a"])
    }

    @Test(arguments: [Chip.esp32, .esp32c3]) func theROMWritesItsLastWindowWithTheLastBlockOnly(chip: Chip) throws {
        let talk = try Talk(stub: false, chip: chip)
        // 40,000 bytes of 00, compressed by zlib.
        let zeros = try #require(
            Hexadecimal.bytes(
                "78daedc13101000000c2a0f54fed650ba00000000000000000000000000000000000000000000000000000000000000000000000000000801b9c400001"
            ))
        func write(_ count: UInt32) throws -> [UInt8] {
            let begin = DeflateBegin(
                FlashWriteRegion(
                    eraseSize: 0x10000, blockCount: count, blockSize: 1024, offset: 0,
                    isEncrypted: chip.acceptsEncryptedWord ? false : nil))
            _ = try talk.outcome(begin, wait: .seconds(5)).get()
            _ = try talk.outcome(DeflateData(block(0, zeros), inflatedCount: 40_000), wait: .seconds(5)).get()
            return try [0, 32_767, 32_768, 39_999, 40_000, 65_535].map { try talk.flash.read(at: $0, count: 1)[0] }
        }
        let cut = FlashWriteRegion(
            eraseSize: 0x10000, blockCount: 1, blockSize: 1024, offset: 0,
            isEncrypted: chip.acceptsEncryptedWord ? false : nil)
        _ = try talk.outcome(DeflateBegin(cut), wait: .seconds(5)).get()
        let part = DeflateData(block(0, zeros.dropLast(5)), inflatedCount: 40_000)
        #expect(try talk.outcome(part, wait: .seconds(5)).refusal == .deflateAdler32)
        #expect(try write(2) == [0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
        // The ESP32's writes all of it, with the zeros of the window before.
        #expect(try write(1) == [0, 0, 0, 0] + (chip == .esp32 ? [0, 0] : [0xFF, 0xFF]))
        #expect(try talk.outcome(DeflateEnd(reboots: false)).refusal == nil)
    }

    @Test func theStubRefusesInvalidCommands() throws {
        let talk = try Talk(stub: true)
        #expect(try talk.outcome(GetSecurityInfo()).refusal == .stubNotImplemented)
        #expect(try talk.outcome(ReadFlashSlow(offset: 0, count: 4)).refusal == .stubInvalidCommand)
        #expect(try talk.outcome(AttachFlash(dialect: .rom)).refusal == .stubLength)
        #expect(try talk.outcome(EraseRegion(offset: 1, size: 4096)).refusal == .stubLength)
        #expect(try talk.outcome(EraseRegion(offset: 0, size: 2 << 20)).refusal == .stubFlashOperation)
        #expect(try talk.outcome(FlashEnd(reboots: false)).refusal == .stubNotInFlashMode)
        #expect(
            try talk.outcome(ReadFlash(offset: 0, count: 1, packetSize: 4097, maximumInFlight: 1)).refusal
                == .stubLength)
        talk.sendRaw(LoaderRequest(opcode: LoaderOpcode(rawValue: 0x77), checksum: 0, data: []).frame)
        #expect(talk.frames().map { Array($0.suffix(2)) } == [[0xC3, 0]])
    }

    @Test func flashIsReadInPackets() throws {
        let talk = try Talk(stub: true)
        let content = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        try talk.flash.program(content[...], at: 5000, now: talk.now)
        talk.pass(.seconds(1))
        talk.send(ReadFlash(offset: 5000, count: 600, packetSize: 256, maximumInFlight: 64))
        var frames = talk.frames()
        #expect(frames.count == 2 && frames[1] == Array(content[..<256]))
        var received: UInt32 = 256
        func acknowledge() {
            var writer = ByteWriter()
            writer.uint32(received)
            talk.sendRaw(SLIP.encode(writer.bytes))
            frames = talk.frames()
        }
        acknowledge()
        #expect(frames == [Array(content[256..<512])])
        received = 512
        acknowledge()
        #expect(frames == [Array(content[512...])])
        received = 600
        acknowledge()
        let digest = try talk.outcome(FlashMD5(address: 5000, size: 600), wait: .milliseconds(1)).get().digest
        #expect(frames == [Array(digest)])
    }

    /// The stub of esptool 5 acknowledges FLASH_END and does not reboot, and ignores RUN_USER_CODE.
    @Test func onlyTheROMCanBeLeft() throws {
        let stub = try Talk(stub: true)
        _ = try stub.outcome(FlashBegin(region(0, at: 0))).get()
        _ = try stub.outcome(FlashEnd(reboots: true)).get()
        stub.send(RunUserCode())
        #expect(stub.frames().isEmpty)
        #expect(stub.loader.drainEvents().isEmpty)
        let rom = try Talk(stub: false)
        let nothing = FlashWriteRegion(eraseSize: 0, blockCount: 0, blockSize: 1024, offset: 0)
        _ = try rom.outcome(FlashBegin(nothing)).get()
        _ = try rom.outcome(FlashEnd(reboots: true)).get()
        #expect(rom.loader.drainEvents() == [.restarted])
        // Incomplete, or not to restart: it leaves the loader for what is in the flash.
        for (size, restarts) in [(UInt32(4096), true), (0, false)] {
            let rom = try Talk(stub: false)
            _ = try rom.outcome(FlashBegin(region(size, at: 0)), wait: .seconds(1)).get()
            #expect(try rom.outcome(FlashEnd(reboots: restarts)).refusal == .failed)
            #expect(rom.loader.drainEvents() == [.flashStarted])
        }
    }

    /// A decompression bomb of zeros: far more than announced, and more than the flash holds.
    @Test func dataThatInflateBeyondTheFlashAreAnError() throws {
        let talk = try Talk(stub: true)
        _ = try talk.outcome(DeflateBegin(region(4096, at: 0))).get()
        // 2 MB of zeros, compressed by zlib: one literal, then matches of 258 bytes in two bits each.
        let head = try #require(Hexadecimal.bytes("78daedc13101000000c2a0f54f6d0c1fa0"))
        let bomb = head + [UInt8](repeating: 0, count: 2032) + [0xBE, 0x06, 0x01, 0xE0, 0x00, 0x01]
        _ = try talk.outcome(DeflateData(block(0, bomb), inflatedCount: 0)).get()
        talk.pass(.seconds(60))
        #expect(try talk.outcome(ReadRegister(address: 0)).refusal == .stubFlashOperation)
        #expect(try talk.flash.read(at: (1 << 20) - 1, count: 1) == [0])
    }

    @Test(arguments: 0..<8) func randomFramesNeverTrap(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let talk = try Talk(stub: seed.isMultiple(of: 2))
        let opcodes = LoaderCommands.all.map { $0.command.opcode }
        for _ in 0..<400 {
            let opcode = opcodes[Int.random(in: 0..<opcodes.count, using: &random)]
            var data: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let word: UInt32 =
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: 0
                    case 1: .random(in: 0...100, using: &random)
                    case 2: .random(in: 0...0x20_0000, using: &random)
                    default: .random(in: 0 ... .max, using: &random)
                    }
                data += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
            }
            let payload = data.dropFirst(16)
            let request = LoaderRequest(opcode: opcode, checksum: LoaderChecksum.of(payload), data: data[...])
            var frame = request.frame
            if Bool.random(using: &random) { frame[Int.random(in: 0..<frame.count, using: &random)] = 0xDB }
            talk.sendRaw(random.bytes(Int.random(in: 0...3, using: &random)) + frame)
            talk.pass(.milliseconds(Int.random(in: 0...300, using: &random)))
            _ = talk.frames()
            _ = talk.loader.drainEvents()
        }
        talk.pass(.seconds(3600))
        talk.sendRaw([0xC0])
        #expect(talk.loader.nextDeadline == nil)
    }
}
