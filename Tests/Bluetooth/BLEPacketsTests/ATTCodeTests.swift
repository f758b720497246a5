import BLEPackets
import Testing

@Suite struct ATTCodeTests {
    @Test(
        arguments: [
            (0x05, "0x05 insufficient authentication"), (0x0D, "0x0D invalid attribute value length"),
            (0x0F, "0x0F insufficient encryption"), (0x11, "0x11 insufficient resources"),
            (0x13, "0x13 value not allowed"), (0x14, "0x14 reserved"), (0x80, "0x80 application error"),
            (0x9F, "0x9F application error"), (0xA0, "0xA0 reserved"), (0xFF, "0xFF out of range"),
        ] as [(UInt8, String)])
    func errorCodesAreDescribedByNumberAndName(number: UInt8, text: String) {
        #expect(ATTErrorCode(rawValue: number).description == text)
    }

    /// Core 5.4, Vol 3 Part F 3.4.1.1, and Core Supplement v11, Part B 1.2.
    @Test func namedErrorCodesAreThoseOfTheSpecification() {
        let named = (UInt8.min...UInt8.max).filter { number in
            let description = ATTErrorCode(rawValue: number).description
            return !description.hasSuffix("reserved") && !description.hasSuffix("application error")
        }
        #expect(named == Array(0x01...0x13) + Array(0xFC...0xFF))
    }

    @Test func opcodesAreDescribedByNumberAndName() {
        #expect(ATTOpcode.readBlobRequest.description == "0x0C ATT Read Blob Request")
        #expect(ATTOpcode(rawValue: 0x3F).description == "0x3F")
    }

    @Test func theCommandFlagIsBitSix() {
        let commands = ATTOpcode.pdus.map { $0.opcode }.filter(\.isCommand)
        #expect(commands == [.writeCommand, .signedWriteCommand])
    }
}
