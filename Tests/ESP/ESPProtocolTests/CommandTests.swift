import ByteCodec
import ESPProtocol
import MonotonicTime
import Testing

@Suite struct CommandTests {
    @Test func everyOpcodeIsInTheTableOnceAndHasAVector() {
        let opcodes = LoaderCommands.all.map { $0.command.opcode }
        #expect(Set(opcodes).count == opcodes.count)
        #expect(Set(opcodes) == Set(commandVectors.map { $0.request.opcode }))
        #expect(Set(LoaderCommands.all.map { $0.name }).count == opcodes.count)
    }

    @Test(arguments: commandVectors.indices)
    func requestsEncodeToTheBytesOfTheVector(index: Int) throws {
        let vector = commandVectors[index]
        #expect(Hexadecimal.string(vector.request.frame) == vector.hex)
        let events = SLIPDecoder.all(try #require(Hexadecimal.bytes(vector.hex)))
        guard case .frame(let content) = try #require(events.first) else {
            Issue.record("no frame in \(vector.hex): \(events)")
            return
        }
        var reader = ByteReader(content, subject: "loader request")
        let decoded = try LoaderRequest(from: &reader)
        #expect(decoded == vector.request)
        #expect(try vector.reencode(decoded) == vector.request)
    }

    @Test(arguments: commandVectors.indices)
    func aTruncatedOrTooLongRequestIsAnErrorOrAnotherValidForm(index: Int) throws {
        let vector = commandVectors[index]
        for length in 0..<vector.request.data.count {
            var cut = vector.request
            cut.data = cut.data.prefix(length)
            // Some commands are valid with and without a last word: then the shorter form is encoded.
            if let shorter = try? vector.reencode(cut) { #expect(shorter.data.count == length) }
        }
        var long = vector.request
        long.data.append(contentsOf: [1, 2, 3])
        #expect(throws: CodecError.self) { try vector.reencode(long) }
    }

    @Test func randomDataNeverTrapAnyCommand() {
        var random = SeededRandom(seed: 3)
        for vector in commandVectors {
            for _ in 0..<300 {
                var request = vector.request
                if random.next() % 2 == 0 || request.data.isEmpty {
                    request.data = random.bytes(Int(random.next() % 64))[...]
                } else {
                    request.data[Int(random.next() % UInt64(request.data.count))] = UInt8(random.next() % 256)
                }
                // A decoded command is encoded to the same number of bytes.
                if let again = try? vector.reencode(request) { #expect(again.data.count == request.data.count) }
            }
        }
    }

    @Test func aLengthFieldThatDoesNotMatchIsAnError() throws {
        for bytes: [UInt8] in [
            [0, 8, 1, 0, 0, 0, 0, 0], [0, 8, 0, 0, 0, 0, 0, 0, 1], [1, 8, 0, 0, 0, 0, 0, 0], [0, 8],
        ] {
            var reader = ByteReader(bytes, subject: "loader request")
            #expect(throws: CodecError.self) { try LoaderRequest(from: &reader) }
        }
    }

    @Test func aWrongPayloadLengthIsAnError() throws {
        var request = LoaderRequest(FlashData(DataBlock(sequence: 0, payload: [1, 2, 3])))
        request.data[0] = 0xFF
        request.data[3] = 0xFF
        #expect(throws: CodecError.self) { try request.decode(FlashData.self) }
    }

    @Test func theChecksumCoversThePayloadOnly() {
        let data = FlashData(DataBlock(sequence: 9, payload: [0x12, 0x34]))
        #expect(data.checksum == 0xEF ^ 0x12 ^ 0x34)
        #expect(FlashEnd(reboots: true).checksum == 0)
    }

    @Test func severalRegisterWritesFitIntoOneCommand() throws {
        let command = WriteRegister([.init(address: 4, value: 1), .init(address: 8, value: 2, mask: 3)])
        let request = LoaderRequest(command)
        #expect(request.data.count == 32)
        #expect(try request.decode(WriteRegister.self) == command)
    }

    @Test func timeoutsGrowWithTheSize() {
        let small = FlashWriteRegion(eraseSize: 4096, blockCount: 4, blockSize: 1024, offset: 0)
        let large = FlashWriteRegion(eraseSize: 1_000_000, blockCount: 977, blockSize: 1024, offset: 0)
        #expect(FlashBegin(small).timeout == LoaderTimeout.default + .seconds(40) * 4096 / 1_000_000)
        #expect(DeflateBegin(large).timeout == .seconds(43))
        #expect(FlashMD5(address: 0, size: 4_000_000).timeout == .seconds(35))
        #expect(Sync().timeout == .milliseconds(100))
    }

    @Test func unknownOpcodesHaveNamesToo() {
        #expect(LoaderOpcode.flashMD5.description == "SPI_FLASH_MD5")
        #expect(LoaderOpcode(rawValue: 0x77).description == "command 0x77")
    }
}
