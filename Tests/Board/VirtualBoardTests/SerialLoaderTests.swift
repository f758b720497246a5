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
        #expect(try bare.outcome(FlashMD5(address: 0, size: 10)).refusal == .failed)
        let talk = try Talk(stub: false)
        #expect(try talk.outcome(GetSecurityInfo()).refusal == .invalidMessage)
        #expect(try talk.outcome(EraseFlash()).refusal == .invalidMessage)
        #expect(try talk.outcome(AttachFlash(dialect: .stub)).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 0, isEncrypted: false))).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 100))).refusal == .failed)
        #expect(try talk.outcome(FlashBegin(region(4096, at: 1 << 20))).refusal == .failed)
        #expect(try talk.outcome(FlashBegin(region(.max, at: 0xFFFF_F000))).refusal == .failed)
        #expect(try talk.outcome(FlashData(block(0, [1]))).refusal == .failed)
        #expect(try talk.outcome(MemoryData(block(0, [1]))).refusal == .failed)
        #expect(try talk.outcome(ReadFlashSlow(offset: 0, count: 65)).refusal == .flashReadLength)
        #expect(try talk.outcome(FlashMD5(address: 0xFFFF_FFFF, size: .max)).refusal == .failed)
        _ = try talk.outcome(FlashBegin(region(4096, at: 0)), wait: .seconds(1)).get()
        var wrong = LoaderRequest(FlashData(block(0, [1, 2, 3])))
        wrong.checksum ^= 1
        talk.sendRaw(wrong.frame)
        #expect(talk.frames().map { Array($0.suffix(4)) } == [[1, 7, 0, 0]])
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
        _ = try rom.outcome(FlashBegin(region(0, at: 0))).get()
        _ = try rom.outcome(FlashEnd(reboots: true)).get()
        #expect(rom.loader.drainEvents() == [.runApplication])
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
