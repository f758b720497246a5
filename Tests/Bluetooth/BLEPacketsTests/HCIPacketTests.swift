import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

@Suite struct HCIPacketTests {
    @Test(arguments: HCIVector.all) func decodes(vector: HCIVector) throws {
        let decoded = try decode(vector, vector.bytes)
        #expect(decoded == hashable(vector))
    }

    @Test(arguments: HCIVector.all) func encodes(vector: HCIVector) {
        #expect(Hexadecimal.string(encode(vector)) == Hexadecimal.string(vector.bytes))
    }

    @Test func theRegistryHasEveryPacketOnce() {
        let opcodes = HCIOpcode.commands.map { $0.opcode.rawValue }
        #expect(opcodes == opcodes.sorted())
        #expect(Set(opcodes).count == opcodes.count)
        let codes = HCIEventCode.events.map { UInt16($0.code.rawValue) << 8 | UInt16($0.subevent?.rawValue ?? 0) }
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        let names = HCIOpcode.commands.map { "\($0.name)" } + HCIEventCode.events.map { "\($0.name)" }
        #expect(Set(names).count == names.count)
    }

    @Test func everyPacketOfTheRegistryHasAVector() {
        var commands: Set<ObjectIdentifier> = []
        var events: Set<ObjectIdentifier> = []
        var answers: Set<ObjectIdentifier> = []
        for vector in HCIVector.all {
            switch vector.value {
            case .command(let command): commands.insert(ObjectIdentifier(type(of: command)))
            case .event(let event): events.insert(ObjectIdentifier(type(of: event)))
            case .answer(_, let parameters): answers.insert(ObjectIdentifier(type(of: parameters)))
            }
        }
        #expect(HCIOpcode.commands.filter { !commands.contains(ObjectIdentifier($0)) }.isEmpty)
        #expect(HCIEventCode.events.filter { !events.contains(ObjectIdentifier($0)) }.isEmpty)
        #expect(HCIOpcode.commands.filter { !answers.contains(returnParametersType($0)) }.isEmpty)
        #expect(commands.count == HCIOpcode.commands.count)
        #expect(events.count == HCIEventCode.events.count)
    }

    /// A truncated packet is an error, with the original length field and with an adapted one.
    @Test(arguments: HCIVector.all) func everyTruncationIsAnError(vector: HCIVector) {
        for length in 0..<vector.bytes.count {
            let cut = Array(vector.bytes[..<length])
            #expect(throws: CodecError.self) { try decode(vector, cut) }
            // Only Command Complete ends in a variable number of bytes: the return parameters of any command.
            if case .event(is HCICommandComplete) = vector.value, length >= 5 { continue }
            #expect(throws: CodecError.self) { try decode(vector, mendingLength(cut, vector)) }
        }
    }

    @Test(arguments: HCIVector.all) func aSurplusByteIsAnError(vector: HCIVector) {
        #expect(throws: CodecError.self) { try decode(vector, vector.bytes + [0]) }
    }

    /// Every packet of a recorded initialisation, byte for byte; after the advertising data the host sent uninitialised
    /// memory.
    @Test func recordedPacketsAreEncodedUnchanged() throws {
        let packets = try HCITrace.load()
        #expect(packets.count == 62)
        for packet in packets {
            let bytes = packet.packet.bytes
            if packet.packet.kind == .command {
                let any = try HCIAnyCommand(decoding: bytes[...])
                let type = try #require(HCIOpcode.commands.first { $0.opcode == any.opcode })
                let again = try type.init(parameters: any.parameters).packet.bytes
                let isData = any.opcode == .leSetAdvertisingData || any.opcode == .leSetScanResponseData
                let significant = isData ? 4 + Int(bytes[3]) : bytes.count
                #expect(again.prefix(significant) == bytes.prefix(significant))
                #expect(again.count == bytes.count)
            } else {
                let any = try HCIAnyEvent(decoding: bytes[...])
                let type = try #require(
                    HCIEventCode.events.first { $0.code == any.code && $0.subevent == any.subevent })
                let event: any HCIEvent = try type.init(any)
                #expect(event.packet.bytes == bytes)
                if let complete = event as? HCICommandComplete {
                    let command = try #require(HCIOpcode.commands.first { $0.opcode == complete.command })
                    let answer = HCIVector(bytes: bytes, value: .answer(command, HCIStatusParameters(status: .success)))
                    _ = try decode(answer, bytes)
                }
            }
        }
    }

    @Test func packetsOfUnknownKindAreDecodedGenerically() throws {
        let command = try HCIAnyCommand(decoding: [0x34, 0xFC, 0x02, 0xAA, 0xBB])
        #expect(command.opcode == HCIOpcode(rawValue: 0xFC34))
        #expect(command.parameters == [0xAA, 0xBB])
        let event = try HCIAnyEvent(decoding: [0xFF, 0x01, 0xAA])
        #expect(event.code == HCIEventCode(rawValue: 0xFF))
        #expect(event.parameters == [0xAA])
        let meta = try HCIAnyEvent(decoding: [0x3E, 0x02, 0x99, 0xAA])
        #expect(meta.subevent == HCILESubeventCode(rawValue: 0x99))
        #expect(try HCIAnyEvent(decoding: [0x3E, 0x00]).subevent == nil)
    }

    @Test func anotherEventIsAnErrorThatNamesIt() throws {
        let event = try HCIAnyEvent(decoding: [0x3E, 0x02, 0x99, 0xAA])
        #expect(
            throws: CodecError(
                "HCI LE Connection Complete",
                .invalidValue(field: "code", value: 0x99, allowed: "0x3E with subevent 0x01"), offset: 0)
        ) { try HCILEConnectionComplete(event) }
    }

    /// Every decoder with any bytes: an error, or a value that encodes to the same number of bytes.
    @Test func randomBytesNeverTrapADecoder() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<40_000 {
            let body = random.bytes(Int(random.next() % 40))
            if random.next() % 2 == 0 {
                let type = HCIOpcode.commands[Int(random.next() % UInt64(HCIOpcode.commands.count))]
                guard let command = try? type.init(parameters: body[...]) else { continue }
                #expect(command.packet.bytes.count == body.count + 3)
            } else {
                let type = HCIEventCode.events[Int(random.next() % UInt64(HCIEventCode.events.count))]
                let bytes =
                    [type.code.rawValue, UInt8(body.count + (type.subevent == nil ? 0 : 1))]
                    + (type.subevent.map { [$0.rawValue] } ?? []) + body
                let event = try HCIAnyEvent(decoding: bytes[...])
                guard let decoded = try? type.init(event) else { continue }
                #expect(decoded.packet.bytes.count == bytes.count)
            }
            _ = try? HCIAnyCommand(decoding: body[...])
            _ = try? HCIAnyEvent(decoding: body[...])
        }
    }

    @Test func errorCodesAreDescribedByNumberAndMeaning() {
        #expect("\(HCIErrorCode.remoteUserTerminatedConnection)" == "0x13 remote user terminated connection")
        #expect("\(HCIErrorCode.connectionTimeout)" == "0x08 connection timeout")
        #expect("\(HCIErrorCode(rawValue: 0xEE))" == "0xEE reserved")
    }

    private func decode(_ vector: HCIVector, _ bytes: [UInt8]) throws -> AnyHashable {
        switch vector.value {
        case .command(let command):
            let any = try HCIAnyCommand(decoding: bytes[...])
            let decoded: any HCICommand = try type(of: command).init(parameters: any.parameters)
            return AnyHashable(decoded)
        case .event(let event):
            let decoded: any HCIEvent = try type(of: event).init(HCIAnyEvent(decoding: bytes[...]))
            return AnyHashable(decoded)
        case .answer(let command, _):
            let complete = try HCICommandComplete(HCIAnyEvent(decoding: bytes[...]))
            #expect(complete.command == command.opcode)
            return try returnParameters(command, complete)
        }
    }

    private func encode(_ vector: HCIVector) -> [UInt8] {
        switch vector.value {
        case .command(let command): command.packet.bytes
        case .event(let event): event.packet.bytes
        case .answer(let command, let parameters): encodeAnswer(command, parameters)
        }
    }

    private func hashable(_ vector: HCIVector) -> AnyHashable {
        switch vector.value {
        case .command(let command): AnyHashable(command)
        case .event(let event): AnyHashable(event)
        case .answer(_, let parameters): AnyHashable(parameters)
        }
    }

    private func mendingLength(_ cut: [UInt8], _ vector: HCIVector) -> [UInt8] {
        var mended = cut
        if case .command = vector.value {
            if cut.count >= 3 { mended[2] = UInt8(cut.count - 3) }
        } else if cut.count >= 2 {
            mended[1] = UInt8(cut.count - 2)
        }
        return mended
    }

    private func returnParameters<Command: HCICommand>(
        _ command: Command.Type, _ complete: HCICommandComplete
    ) throws -> AnyHashable {
        AnyHashable(try complete.returnParameters(of: command))
    }

    private func returnParametersType<Command: HCICommand>(_ command: Command.Type) -> ObjectIdentifier {
        ObjectIdentifier(Command.ReturnParameters.self)
    }

    private func encodeAnswer<Command: HCICommand>(
        _ command: Command.Type, _ parameters: any HCIReturnParameters
    ) -> [UInt8] {
        guard let parameters = parameters as? Command.ReturnParameters else { return [] }
        return HCICommandComplete(to: command, parameters).packet.bytes
    }
}
