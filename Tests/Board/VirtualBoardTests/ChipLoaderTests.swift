import ByteCodec
import ESPChips
import ESPProtocol
import MonotonicTime
import Testing
import VirtualBoard

/// What differs between the chips, and what runs in RAM.
@Suite struct ChipLoaderTests {
    @Test(arguments: Chip.all) func eachChipIdentifiesItself(chip: Chip) throws {
        let talk = try Talk(stub: false, chip: chip)
        func read(_ address: UInt32) throws -> UInt32 { try talk.outcome(ReadRegister(address: address)).get().value }
        let mac = (try read(chip.macAddressRegister), try read(chip.macAddressRegister + 4))
        #expect(Chip.macAddress(low: mac.0, high: mac.1) == [0x02, 0xEB, 0xAA, 0xBB, 0xCC, 0xDD])
        let words = try chip.revisionAddresses.reduce(into: [:]) { $0[$1] = try read($1) }
        #expect(chip.revision(in: words) == ChipIdentity(number: 0, flashSize: 1 << 20, chip: chip).revision)
        let crystal = (Double(try read(chip.uartClockDivider)) * 115_200 / 1e6).rounded()
        #expect(crystal == Double(chip.crystal.usual))
        let security = try talk.outcome(GetSecurityInfo())
        switch chip.securityInfo {
        case .none: #expect(security.refusal == .invalidMessage)
        case .withoutChipID: #expect(try security.get().chip == nil)
        case .withChipID: #expect(try security.get().chip?.id == UInt32(chip.id))
        }
        if !chip.reportsChipID { #expect(Chip.withMagic(try read(Chip.magicRegister)) == chip) }
    }

    @Test func onlyTheESP32HasNoEncryptedWord() throws {
        func begin(_ isEncrypted: Bool?) -> FlashBegin {
            FlashBegin(
                FlashWriteRegion(eraseSize: 4096, blockCount: 1, blockSize: 1024, offset: 0, isEncrypted: isEncrypted))
        }
        for chip in Chip.all {
            let talk = try Talk(stub: false, chip: chip)
            let (with, without) = (
                try talk.outcome(begin(false), wait: .seconds(1)), try talk.outcome(begin(nil), wait: .seconds(1))
            )
            #expect((with.refusal == nil) == (chip != .esp32))
            #expect((without.refusal == nil) == (chip == .esp32))
        }
    }

    @Test func stubsAreRecognisedByTheirGreeting() throws {
        for program in [LoadedPrograms.stub, LoadedPrograms.stubOfRISCV] {
            let talk = try Talk(stub: false)
            talk.load(program)
            #expect(talk.frames().last == Array("OHAI".utf8))
            #expect(talk.loader.drainEvents() == [.stubStarted])
        }
    }

    /// A program that speaks of the protocol is no stub; neither is one whose entry is not in what was loaded.
    @Test func otherProgramsAreNoStubs() throws {
        let talk = try Talk(stub: false)
        talk.load(Array("\u{1}\u{2}Hello world!\n\u{0}OHAI".utf8))
        #expect(talk.frames().map(\.count) == [12, 12, 12])
        #expect(talk.loader.drainEvents() == [.programStarted(greeting: "Hello world!\n")])
        let silent = try Talk(stub: false)
        silent.load([1, 2, 3, 4])
        #expect(silent.loader.drainEvents() == [.programStarted(greeting: nil)])
        let elsewhere = try Talk(stub: false)
        elsewhere.send(MemoryBegin(size: 3404, blockCount: 1, blockSize: 0x1800, address: 0x4009_0000))
        elsewhere.send(MemoryData(DataBlock(sequence: 0, payload: LoadedPrograms.stub[...])))
        elsewhere.send(MemoryEnd(entryPoint: 0x4000_0000))
        #expect(elsewhere.loader.drainEvents() == [.programStarted(greeting: nil)])
    }

    @Test func theWatchdogResetsTheChip() throws {
        let chip = Chip.esp32s3
        let reset = try #require(chip.reset)
        let talk = try Talk(stub: false, chip: chip)
        let enable = WriteRegister.Write(address: reset.config, value: reset.enable)
        _ = try talk.outcome(WriteRegister([enable])).get()
        talk.pass(.seconds(1))
        #expect(talk.loader.drainEvents().isEmpty, "the registers are locked")
        _ = try talk.outcome(
            WriteRegister([.init(address: reset.writeProtect, value: ResetRegisters.watchdogKey), enable])
        ).get()
        #expect(talk.loader.drainEvents().isEmpty, "not yet: the flasher locks the registers again")
        talk.pass(.milliseconds(100))
        #expect(talk.loader.drainEvents() == [.watchdogReset])
        #expect(talk.loader.nextDeadline == nil)
    }

    @Test func secureDownloadModeOnlyWritesTheFlash() throws {
        let talk = try Talk(stub: false, chip: .esp32c3) { $0.hasSecureDownload = true }
        #expect(try talk.outcome(GetSecurityInfo()).get().flags == 1 << 2)
        #expect(try talk.outcome(ReadRegister(address: Chip.magicRegister)).refusal == .invalidMessage)
        #expect(try talk.outcome(WriteRegister([.init(address: 0x6000_0000, value: 1)])).refusal == .invalidMessage)
        #expect(
            try talk.outcome(MemoryBegin(size: 4, blockCount: 1, blockSize: 4, address: 0)).refusal == .invalidMessage)
        #expect(try talk.outcome(FlashMD5(address: 0, size: 16)).refusal == .invalidMessage)
        #expect(try talk.outcome(ReadFlashSlow(offset: 0, count: 16)).refusal == .invalidMessage)
        let region = FlashWriteRegion(
            eraseSize: 4096, blockCount: 1, blockSize: 1024, offset: 0, isEncrypted: false)
        _ = try talk.outcome(FlashBegin(region), wait: .seconds(1)).get()
        _ = try talk.outcome(FlashData(DataBlock(sequence: 0, payload: [1, 2, 3, 4])), wait: .seconds(1)).get()
        #expect(try talk.flash.read(at: 0, count: 5) == [1, 2, 3, 4, 0xFF])
    }

    /// The stub starts to erase when the write begins and each time it decompresses, if the flash is idle, and does not
    /// wait for that: blocks that the line brings slower than the flash erases cost only their programming.
    @Test func theStubErasesWhileItReceives() throws {
        let talk = try Talk(stub: true)
        let size = 128 * 1024
        try talk.flash.program([UInt8](repeating: 0, count: size)[...], at: 0, now: talk.now)
        talk.pass(.seconds(10))
        let begin = talk.now
        _ = try talk.outcome(
            DeflateBegin(
                FlashWriteRegion(
                    eraseSize: UInt32(size), blockCount: 8, blockSize: 0x4000, offset: 0, isEncrypted: false))
        ).get()
        #expect(talk.now == begin, "the first block is being erased, and the answer does not wait")
        var random = SeededRandom(seed: 3)
        let content = random.bytes(size)
        let blocks = try Deflated.stored(content, blockSize: 0x4000)
        for (index, block) in blocks.enumerated() {
            talk.pass(.milliseconds(356))  // 16 KB at 460,800 baud.
            _ = try talk.outcome(DeflateData(DataBlock(sequence: UInt32(index), payload: block[...]), inflatedCount: 0))
                .get()
        }
        // Only what is left of the last window is programmed after the last block has come: at most 32 KB, 51 ms.
        let received = talk.now
        talk.pass(.milliseconds(60))
        #expect(try talk.outcome(DeflateEnd(reboots: false)).refusal == nil)
        #expect(talk.now == received.advanced(by: .milliseconds(60)))
        #expect(try talk.flash.read(at: 0, count: size) == content)
    }
}

/// zlib streams without compression.
enum Deflated {
    static func stored(_ content: [UInt8], blockSize: Int) throws -> [[UInt8]] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: content.count, by: 0xFFFF) {
            let part = content[start..<min(start + 0xFFFF, content.count)]
            let count = UInt16(part.count)
            stream.append(part.endIndex == content.count ? 1 : 0)
            for word in [count, ~count] { stream += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
            stream += part
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        stream += [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
        return stride(from: 0, to: stream.count, by: blockSize).map {
            Array(stream[$0..<min($0 + blockSize, stream.count)])
        }
    }
}
