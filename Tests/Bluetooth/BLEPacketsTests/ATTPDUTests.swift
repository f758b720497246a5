import BLEPackets
import ByteCodec
import Testing

@Suite struct ATTPDUTests {
    @Test(arguments: ATTVector.all) func decodes(vector: ATTVector) throws {
        #expect(AnyHashable(try decode(type(of: vector.pdu), vector.bytes)) == AnyHashable(vector.pdu))
    }

    @Test(arguments: ATTVector.all) func encodes(vector: ATTVector) {
        #expect(Hexadecimal.string(vector.pdu.bytes) == Hexadecimal.string(vector.bytes))
    }

    @Test func theRegistryHasEveryPDUOfTheSpecificationOnce() {
        // Core 5.4, Vol 3 Part F 3.4.
        let specified: [UInt8] = [
            0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12,
            0x13, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2,
        ]
        let opcodes = ATTOpcode.pdus.map { $0.opcode.rawValue }
        #expect(opcodes.sorted() == specified)
        #expect(Set(ATTOpcode.pdus.map { "\($0.name)" }).count == specified.count)
    }

    @Test func everyPDUOfTheRegistryHasAVector() {
        let covered = Set(ATTVector.all.map { ObjectIdentifier(type(of: $0.pdu)) })
        let missing = ATTOpcode.pdus.filter { !covered.contains(ObjectIdentifier($0)) }
        #expect(missing.isEmpty)
    }

    /// A truncated PDU is an error, or a shorter PDU that encodes to the same bytes.
    @Test(arguments: ATTVector.all) func everyTruncationIsAnErrorOrAShorterPDU(vector: ATTVector) {
        for length in 0..<vector.bytes.count {
            let cut = Array(vector.bytes[..<length])
            do throws(CodecError) {
                let pdu = try decode(type(of: vector.pdu), cut)
                #expect(Hexadecimal.string(pdu.bytes) == Hexadecimal.string(cut))
            } catch {
                #expect(error.subject == "\(type(of: vector.pdu).name)")
            }
        }
    }

    @Test(arguments: ATTVector.all) func aSurplusByteIsAnErrorOrALongerPDU(vector: ATTVector) {
        let longer = vector.bytes + [0x2A]
        do throws(CodecError) {
            let pdu = try decode(type(of: vector.pdu), longer)
            #expect(Hexadecimal.string(pdu.bytes) == Hexadecimal.string(longer))
        } catch {
            #expect(error.subject == "\(type(of: vector.pdu).name)")
        }
    }

    /// The PDUs without a field of variable length; every other length of theirs is an error.
    @Test(arguments: ATTVector.all) func fixedLengthsAreEnforced(vector: ATTVector) {
        let fixed: [ATTOpcode: Int] = [
            .errorResponse: 5, .exchangeMTURequest: 3, .exchangeMTUResponse: 3, .findInformationRequest: 5,
            .readRequest: 3, .readBlobRequest: 5, .writeResponse: 1, .executeWriteRequest: 2,
            .executeWriteResponse: 1, .handleValueConfirmation: 1,
        ]
        guard let length = fixed[type(of: vector.pdu).opcode] else { return }
        #expect(vector.bytes.count == length)
        for cut in 0..<length {
            #expect(throws: CodecError.self) { try decode(type(of: vector.pdu), Array(vector.bytes[..<cut])) }
        }
        #expect(throws: CodecError.self) { try decode(type(of: vector.pdu), vector.bytes + [0]) }
    }

    @Test func anotherOpcodeIsAnErrorThatNamesBoth() {
        #expect(
            throws: CodecError(
                "ATT Read Response",
                .invalidValue(field: "opcode", value: 0x0A, allowed: "0x0B ATT Read Response"), offset: 1)
        ) { try ATTReadResponse(decoding: [0x0A, 0x03, 0x00]) }
    }

    @Test(arguments: ["09 00", "09 01 02", "11 03 010203", "05 00 0100 0028", "05 03 0100 0028", "08 0100 ffff 002828"])
    func invalidLengthsAndFormatsAreErrors(hexadecimal: String) throws {
        let bytes = try #require(Hexadecimal.bytes(hexadecimal))
        let type = try #require(ATTOpcode.pdus.first { $0.opcode.rawValue == bytes[0] })
        #expect(throws: CodecError.self) { try decode(type, bytes) }
    }

    /// Every decoder with any bytes: an error, or a PDU that encodes to the same bytes.
    @Test func randomBytesNeverTrapADecoder() {
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let type = ATTOpcode.pdus[Int(state >> 33) % ATTOpcode.pdus.count]
            var bytes = [type.opcode.rawValue]
            for _ in 0..<Int(state >> 58) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(truncatingIfNeeded: state >> (state & 1 == 0 ? 56 : 61)))
            }
            guard let pdu = try? decode(type, bytes) else { continue }
            // 16-bit UUIDs in their 128-bit form are the only value with a shorter encoding.
            if pdu.bytes.count == bytes.count { #expect(pdu.bytes == bytes) }
        }
    }

    private func decode(_ type: any ATTPDU.Type, _ bytes: [UInt8]) throws(CodecError) -> any ATTPDU {
        try type.init(decoding: bytes[...])
    }
}
