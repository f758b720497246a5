import ByteCodec
import ESPProtocol
import Testing

@Suite struct ResponseTests {
    private func outcome<Command: LoaderCommand>(
        _ command: Command.Type, _ hex: String, _ dialect: LoaderDialect
    ) throws -> Result<Command.Reply, LoaderErrorCode> {
        var reader = ByteReader(try #require(Hexadecimal.bytes(hex)), subject: "loader response")
        return try LoaderResponse(from: &reader).outcome(of: command, dialect: dialect)
    }

    private func hex<Command: LoaderCommand>(
        _ command: Command.Type, _ reply: Command.Reply, _ dialect: LoaderDialect
    ) -> String {
        var writer = ByteWriter()
        LoaderResponse(to: command, reply, dialect: dialect).write(to: &writer)
        return Hexadecimal.string(writer.bytes)
    }

    @Test func emptyRepliesHaveTheStatusLengthOfTheDialect() throws {
        #expect(hex(FlashEnd.self, EmptyReply(), .rom) == "010404000000000000000000")
        #expect(hex(FlashEnd.self, EmptyReply(), .stub) == "01040200000000000000")
        #expect(try outcome(FlashEnd.self, "010404000000000000000000", .rom) == .success(EmptyReply()))
        #expect(try outcome(FlashEnd.self, "01040200000000000000", .stub) == .success(EmptyReply()))
        #expect(throws: CodecError.self) { try outcome(FlashEnd.self, "0104040000000000aabb0000", .stub) }
        #expect(throws: CodecError.self) { try outcome(FlashEnd.self, "010401000000000000", .rom) }
    }

    @Test func syncDistinguishesROMAndStub() throws {
        #expect(hex(Sync.self, .rom, .rom) == "010804000707122000000000")
        #expect(hex(Sync.self, .stub, .stub) == "01080200000000000000")
        #expect(try outcome(Sync.self, "010804000707122000000000", .rom).get().dialect == .rom)
        #expect(try outcome(Sync.self, "01080200000000000000", .stub).get().dialect == .stub)
    }

    @Test func aRegisterValueIsInTheHeader() throws {
        let text = "010a0400831df00000000000"
        #expect(hex(ReadRegister.self, .init(value: 0x00F0_1D83), .rom) == text)
        #expect(try outcome(ReadRegister.self, text, .rom).get().value == 0x00F0_1D83)
    }

    @Test func theDigestIsTextInTheROMAndBytesInTheStub() throws {
        let digest = try #require(Hexadecimal.bytes("d41d8cd98f00b204e9800998ecf8427e"))
        let rom = "0113240000000000643431643863643938663030623230346539383030393938656366383432376500000000"
        let stub = "0113120000000000d41d8cd98f00b204e9800998ecf8427e0000"
        #expect(hex(FlashMD5.self, .init(digest: digest[...]), .rom) == rom)
        #expect(hex(FlashMD5.self, .init(digest: digest[...]), .stub) == stub)
        #expect(try outcome(FlashMD5.self, rom, .rom).get().digest == digest[...])
        #expect(try outcome(FlashMD5.self, stub, .stub).get().digest == digest[...])
        let notHexadecimal = rom.replacing("6434", with: "6734")
        #expect(throws: CodecError.self) { try outcome(FlashMD5.self, notHexadecimal, .rom) }
    }

    @Test func securityInfoHasAChipIDExceptOnTheS2() throws {
        let c3 = "011418000000000000000000000000000000000005000000030000000000" + "0000"
        #expect(hex(GetSecurityInfo.self, .init(chipID: 5, apiVersion: 3), .rom) == c3)
        let reply = try outcome(GetSecurityInfo.self, c3, .rom).get()
        #expect(reply.chip?.id == 5)
        #expect(reply.chip?.apiVersion == 3)
        let s2 = "0114100000000000" + "000000000000000000000000" + "00000000"
        #expect(try outcome(GetSecurityInfo.self, s2, .rom).get().chip == nil)
        #expect(hex(GetSecurityInfo.self, .init(chipID: nil), .rom) == s2)
    }

    /// As esp32-mock-bootloader answers.
    @Test func dataMayEndInTwoStatusBytes() throws {
        let c3 = "0114160000000000" + "000000000000000000000000" + "05000000" + "03000000" + "0000"
        #expect(try outcome(GetSecurityInfo.self, c3, .rom).get().chip?.id == 5)
        let s2 = "01140e0000000000" + "000000000000000000000000" + "0000"
        #expect(try outcome(GetSecurityInfo.self, s2, .rom).get().chip == nil)
        let digest = "01132200000000006434316438636439386630306232303465393830303939386563663834323765" + "0000"
        #expect(try outcome(FlashMD5.self, digest, .rom).get().digest.first == 0xD4)
        // Nothing else is taken for a success.
        #expect(throws: CodecError.self) { try outcome(GetSecurityInfo.self, c3 + "00", .rom) }
        let short = "01140c0000000000" + "0000000000000000" + "01050000"
        #expect(try outcome(GetSecurityInfo.self, short, .rom) == .failure(.invalidMessage))
    }

    /// A command whose reply has any length, as no command of the protocol has.
    private struct AnyLength: LoaderCommand {
        static let opcode = LoaderOpcode.readFlashSlow

        init(from reader: inout ByteReader) throws(CodecError) {}

        func write(to writer: inout ByteWriter) {}

        struct Reply: LoaderReply {
            var bytes: ArraySlice<UInt8>

            init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
                bytes = reader.rest()
            }
        }
    }

    @Test func aFailureAfterDataIsNoSuccessWithMoreData() throws {
        // Failures of a ROM after the whole data of each reply.
        let info = String(repeating: "00", count: 12)
        let failure = "01050000"
        #expect(
            try outcome(GetSecurityInfo.self, "0114100000000000" + info + failure, .rom) == .failure(.invalidMessage))
        let longInfo = info + String(repeating: "00", count: 8)
        #expect(
            try outcome(GetSecurityInfo.self, "0114180000000000" + longInfo + failure, .rom)
                == .failure(.invalidMessage))
        for count in [16, 32] {
            let digest = String(repeating: "30", count: count)
            let length = Hexadecimal.string([UInt8(count + 4)])
            #expect(
                try outcome(FlashMD5.self, "0113" + length + "0000000000" + digest + failure, .rom)
                    == .failure(.invalidMessage))
        }
        let slow = String(repeating: "00", count: ReadFlashSlow.replyLength)
        #expect(
            try outcome(ReadFlashSlow.self, "010e440000000000" + slow + failure, .rom) == .failure(.invalidMessage))
        // Even where the reply could take the status as data.
        #expect(try outcome(AnyLength.self, "010e060000000000" + "aabb" + failure, .rom) == .failure(.invalidMessage))
        #expect(try outcome(AnyLength.self, "010e060000000000" + "aabb00000000", .rom).get().bytes == [0xAA, 0xBB])
    }

    @Test func aSlowReadAlwaysHas64Bytes() throws {
        let text = hex(ReadFlashSlow.self, .init([1, 2, 3]), .rom)
        #expect(text == "010e440000000000" + "010203" + String(repeating: "00", count: 61) + "00000000")
        #expect(try outcome(ReadFlashSlow.self, text, .rom).get().bytes.prefix(4) == [1, 2, 3, 0])
    }

    @Test func aRefusalHasACodeAndNoData() throws {
        // The answer of an ESP32's ROM to GET_SECURITY_INFO.
        let refusal = LoaderResponse(to: .securityInfo, failure: .invalidMessage, dialect: .rom)
        var writer = ByteWriter()
        refusal.write(to: &writer)
        #expect(Hexadecimal.string(writer.bytes) == "011404000000000001050000")
        #expect(
            try outcome(GetSecurityInfo.self, "011404000000000001050000", .rom) == .failure(.invalidMessage))
        #expect(try outcome(FlashMD5.self, "0113020000000000" + "c100", .stub) == .failure(.stubChecksum))
        #expect(
            LoaderResponse(to: .flashData, failure: .stubInflate, dialect: .stub).body == [0xC7, 0])
    }

    @Test func errorsAreDescribedByTheirMeaning() {
        #expect(LoaderErrorCode.invalidMessage.description == "the message or command is invalid (0x05)")
        #expect(LoaderErrorCode.stubNotImplemented.description == "the command is not implemented (0xff)")
        #expect(LoaderErrorCode(rawValue: 0x42).description == "unknown loader error 0x42")
    }
}
